"""Where could a hunt for some words begin? One file per kind of source.

Invariant: a finder asks only what its user named, answers in the order of its source, and shows no key to anybody.
Must not know: hunts, plans, faces.
"""
