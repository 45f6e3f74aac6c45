"""Importance 6, link-based popularity (Crawling the Web, 4.1): PageRank as a multiple of the average page's.

n * PageRank(p), over the n pages that all crawls of all topics fetched (see pagerank.py)

PageRank rather than a count of in-links: the linkage rank needs it anyway, and it cannot be had by many links from
pages that nobody links to. A crawler at 1 fetches pages as popular as the average of all.
"""

from __future__ import annotations

from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric


def popularity(evidence: Evidence) -> Floats:
    """The PageRank of each page, 1 being the mean of all pages of the haul."""
    return evidence.pagerank * len(evidence.haul.pages)


METRIC = Metric(
    key="relevance_popularity",
    title="Relevance by popularity",
    unit="times",
    meaning="The mean PageRank of the first N pages, as a multiple of the mean of all fetched pages",
    paper=CRAWLING_THE_WEB,
    measure=average(popularity),
)
