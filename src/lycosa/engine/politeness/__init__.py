"""Politeness: which hosts may be asked, when they may be asked again, and how many pages of each are enough.

`host_rules` keeps the pauses of one crawl, `host_queue` those of several crawls in one process, and `host_locks` those
of all processes of a user. What a host's robots.txt allows is read by `web.robots`.
Invariant: two requests to a host never overlap beyond what the rules allow, and the host rests between them.
Must not know: page text, scores, the order of tickets.
"""
