"""How relevant is this page? One file per judge.

Invariant: a judge is a pure function of a page, once made for a topic; relevance lies between 0 and 1.
Must not know: links, the frontier, the web.
"""
