"""Made webs: a seeded generator of a web with topical communities, hubs, competitors, mirrors, noise and traps.

Invariant: every answer is a pure function of the parameters and the URL; nothing is stored, so a web of millions of
pages costs no more than one of a thousand.
Must not know: how a web is crawled, scored or served.

site_plan: the number, site, role and URL of each page; links and the shapes: who links to whom; vocabulary and text:
the words; page_html: pages as HTML; traps: what lies beyond the numbered pages; made puts them together.
"""

from lycosa.web.made.made import Made

__all__ = ["Made"]
