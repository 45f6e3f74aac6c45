"""Which pages answer this query?

One answer combines what pages say (content), what others say about them (references), and how many links point to them
(popularity).
Invariant: an index is the fold of the documents added to it; it can be deleted and rebuilt from the store.
It knows documents and queries. Must not know: crawling, logs, archives or networks.
"""
