"""The six measures of a page's importance (Crawling the Web, 4.1), one a file; each becomes an average over a crawl.

Invariant: larger is better, and every measure gives a number to each page of the pool, or nan to all of them.
Must not know: tracks, so that a page's importance cannot depend on who fetched it.
"""
