"""The laboratory: compares configurations of a crawl fairly, with the papers' metrics and statistics.

Invariant: metrics know everything and are computed after the crawls; a crawl in the lab is given keywords and start
pages and nothing else, so that no strategy can see targets, description, clock or network.
Must not know: the faces, the app, terminals. It needs the extra `lycosa[lab]`.

world: the web that is crawled; trial: one crawl; experiment: many crawls; metrics, statistics, report: their results.
"""
