"""The nouns of Lycosa, the Strategy interface, URLs, words and vectors.

Invariant: nothing here does I/O, keeps a clock or draws a random number; every noun that travels (between processes,
into the log) is a msgspec struct made of plain data.
Must not know: any other room but `system`, which lies below it.
"""
