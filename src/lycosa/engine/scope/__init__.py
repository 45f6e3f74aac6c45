"""The scope of a crawl: which URLs it may ask for, which pages it keeps, and what applies to single sites.

Invariant: a verdict on a URL depends on the rules and the URL alone, and one on depth also on the links known so far,
never on the order in which pages arrived. Must not know: strategies, scores, the log.
"""
