"""Which ticket is next (order), and when may a host be asked again (manners)? Two separate questions.

Invariant: a URL is queued at most once and handed out at most once; no host is asked sooner than its pause allows.
Must not know: page text, the web, the store.
"""
