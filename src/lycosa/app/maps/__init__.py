"""Maps: pictures of a site or of a whole collection that show at a glance where the relevant pages are.

The topical site map is Mapuccino's (Hersovici et al. 1998; «Crawling the Web», section 5.3): one site, hunted with
shark-search, as a tree whose relevant pages stand out by shade and size. The link map shows the pages that matter most
in a collection, hubs and authorities, and how they link.

`survey` reads a collection, `site_map` and `link_map` choose what is on a map (a `Sheet`), `tree_layout` and
`force_layout` compute positions, `layout` combines these, `labels` has the texts, and `svg`, `picture` and `arrays`
show the map to people and programs.

Invariant: the same collection gives the same map, to the last digit; a map is bounded, and says what it left out.
Must not know: how pages are fetched, or who asks.
"""
