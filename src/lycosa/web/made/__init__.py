"""Made webs: a seeded generator of a web with topical communities, hubs, competitors, mirrors, noise and traps.

Invariant: every answer is a pure function of the parameters and the URL; nothing is stored, so a web of millions of
pages costs no more than one of a thousand.
Must not know: how a web is crawled, scored or served.

atlas says which page has which number, site, role and URL; links who links to whom; words and text what is said;
draw how a page looks as HTML; traps what lies beyond the numbered pages; made puts them together.
"""

from lycosa.web.made.made import Made

__all__ = ["Made"]
