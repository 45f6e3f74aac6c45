"""A companion for the browser, after Letizia: it learns from the pages one reads and scouts ahead from the current one.

Invariant: it is off until a person switches it on, and while it is off nothing that is sent is kept or acted upon. What
it knows stays in one folder that only its owner can read; of a page that was read it keeps the address, the title and a
few weighted words, never the text. A page that was read is never fetched, only links on it, and without cookies.
Must not know: how a page is fetched or judged (a scout is an ordinary hunt), nor who asks (server, tests).

kept holds private files; safety says which addresses are nobody's business; profile is what was learned; scouting sends
one scout at a time; suggestions reads what it found; companion has the verbs.
"""
