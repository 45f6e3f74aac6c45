"""Tools for agents: a language model steers hunts, reads and searches what they found, by the Model Context Protocol.

Invariant: nothing that strangers wrote leaves this room unmarked; nothing is fetched that the purse has not granted.
Must not know: how a crawl works, or any path a request names. Tools are thin over the desk and the verbs.
"""
