"""Tools for agents: through the Model Context Protocol, a language model controls hunts and searches what they found.

Invariant: nothing that strangers wrote leaves this room unmarked, and nothing is fetched that the agent budget has not
granted.
Must not know: how a crawl works, or any file path that a request names. Tools only call `lycosa.app`: `HuntJobs` and
the functions beside it.
"""
