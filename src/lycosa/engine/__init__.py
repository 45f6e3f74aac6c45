"""The crawl as a state machine without I/O, and the drivers that run it: with scout processes, or in virtual time.

Invariant: the state of a crawl is the fold of its log, so it can be stopped anywhere and continued.
Must not know: `app` and the faces.
"""
