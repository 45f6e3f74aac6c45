"""A search engine and a crawler in symbiosis (Pant, Bradshaw & Menczer 2003): what people ask decides what is crawled.

A community is a folder: settings, the log of its questions, and generations, each a whole collection with its index.
Invariant: the current generation is always whole; the next one takes its place in a single step.
It must not know the faces by which people reach it.
"""
