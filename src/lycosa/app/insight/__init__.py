"""Insight: what a hunt looks like inside, while it runs or after: frontier, hosts, misses, harvest, spiders, paths.

Everything is read from the log, beside whoever writes it, and nothing is written. A folder goes in, plain dataclasses
come out (views.py has the functions, shapes.py what they answer); the answers are bounded however large the crawl is.
It must not know names of collections, requests or pages: those are the server's.
"""
