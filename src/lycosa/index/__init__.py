"""Who answers this query?

What pages say (content), what others say about them (references), and whom others point to (popularity), in one answer.
Invariant: an index is the fold of the documents it was told of; it can be thrown away and made again from the store.
It knows documents and questions; it must not know crawling, logs, archives or networks.
"""
