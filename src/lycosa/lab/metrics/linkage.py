"""Linkage page quality (Exploration versus Exploitation, 4.2): by keywords on the page, then by PageRank.

rank_KW,PR: pages with more distinct keywords come first, among those with equally many the one with more PageRank;
1 is best. The ranked pages are those that all crawls of the topic fetched; PageRank is over the pages that all crawls
of all topics fetched, with the links among them.

rank_linkage is the mean rank of the first N pages (dynamic), coverage_linkage the share of the best n held (static).
"""

from __future__ import annotations

from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average, coverage
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import EXPLORATION, Metric
from lycosa.lab.metrics.ranks import ranks


def linkage_rank(evidence: Evidence) -> Floats:
    """rank_KW,PR of each page of the pool."""
    return ranks(evidence.keywords_held, evidence.pagerank)


RANK = Metric(
    key="rank_linkage",
    title="Mean rank, linkage",
    unit="rank",
    better="lower",
    meaning="The mean rank of the first N pages when the pool is ranked by number of keywords, then PageRank",
    paper=EXPLORATION,
    measure=average(linkage_rank, low_is_good=True),
)

COVERAGE = Metric(
    key="coverage_linkage",
    title="Coverage of the top n, linkage",
    kind="coverage",
    unit="share",
    meaning="The share held of the n best pages of the pool by number of keywords, then PageRank",
    paper=EXPLORATION,
    measure=coverage(linkage_rank),
)
