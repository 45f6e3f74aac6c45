"""The crawl as a state machine without I/O, and the drivers that run it: worker processes, or virtual time.

Invariant: the state of a crawl is the fold of its log, so it can be stopped anywhere and continued.
Must not know: the faces.
"""
