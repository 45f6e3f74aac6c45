"""The laboratory: compares ways of hunting fairly, with the papers' metrics and statistics.

Invariant: metrics are omniscient and computed after the crawls; a crawl in the lab is given keywords and start pages
and nothing else, so that no strategy can see targets, description, clock or network.
Must not know: faces, terminals. It needs the extra `lycosa[lab]`.

world what is hunted in; trial one crawl; experiment many of them; metrics, statistics, report what is made of them.
"""
