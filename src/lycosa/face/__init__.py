"""What people and programs touch: the verbs, and the faces that are thin over them.

Invariant: what can be done is written once, as a function over folders (service, searching, judging, copies, seeding,
communities, ...) or as a method of the desk, which knows hunts by name; command line, REST, pages, agents and companion
only ask and show. The rooms in here: desk (hunts at once), insight (a hunt from inside), atlas (maps), companion; above
these server (HTTP), mcp (agents) and cli, which the others must not know.
"""
