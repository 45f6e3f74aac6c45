"""Insight: the inside of a hunt, while it runs or after: frontier, hosts, misses, harvest, spiders, paths.

Each function takes a folder and returns plain dataclasses (questions.py has the functions, shapes.py the dataclasses).
Invariant: everything is read from the log, even while a crawl writes it, and nothing is written; the size of an answer
is bounded however large the crawl is.
Must not know: names of collections, requests or web pages, which belong to the server.
"""
