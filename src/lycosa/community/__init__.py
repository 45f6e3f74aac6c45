"""A search engine and a crawler in symbiosis (Pant, Bradshaw & Menczer 2003): queries decide what is crawled.

A community is a folder: settings, the query log, and generations, each a complete collection with its index.
Invariant: the current generation is always complete; the next one replaces it in a single step.
Must not know: the faces, the app.
"""
