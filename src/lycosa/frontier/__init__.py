"""The frontier: which ticket is next, and which URLs are not worth queueing (traps, repetition, other spellings).

Invariant: a URL is queued at most once, and is handed out only once unless the engine gives it back to be tried again.
Must not know: page text, politeness (it only asks when a host is ready), the web, the store.
"""
