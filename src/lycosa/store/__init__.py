"""What happened? The event log, the page repository (WARC) and the link graph of one collection.

Invariant: the log only grows, and only what the log names counts as stored; everything else can be rebuilt from it.
Must not know: strategies, the frontier, the web.
"""
