"""A browser companion, after Letizia: it learns from the pages a person reads and scouts ahead from the current one.

Invariant: it is off until a person switches it on, and while it is off, nothing it receives is stored or used. What it
knows stays in one folder that only its owner can read; of a page that was read it keeps the address, the title and a
few weighted words, never the text. It never fetches a page that was read, only links on it, and without cookies.
Must not know: how a page is fetched or judged (a scout is an ordinary hunt), nor who asks (server, tests).

safety says which addresses are private; profile is what was learned; scouting sends one scout at a time; suggestions
reads what a scout found; companion has the functions that others call. system/private_files stores the files.
"""
