"""One process with all faces that speak HTTP: the pages, the REST interface, and the door for agents.

Invariant: nothing reaches a route that the guard has not let pass, and nothing of a request is ever used as a path.
Must not know: how a crawl works. Routes are thin over the desk and the verbs of the room above.
"""
