"""Harvest rate, also acquisition rate (Crawling the Web, 4.2): the share of the fetched pages that are relevant.

harvest rate@N = |R ∩ C_N| / N

R are the pages labelled as relevant (targets, examples, those the description was made from) and C_N the first N
fetched pages; what a crawl that ended early did not fetch is not relevant.
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.curves import mean_so_far
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric


def harvest_rate(evidence: Evidence, track: Track, points: Ids) -> Floats:
    """The share of relevant pages among the first N."""
    return mean_so_far(np.isin(track.pages, evidence.relevant).astype(np.float64), points)


METRIC = Metric(
    key="harvest_rate",
    title="Harvest rate",
    unit="share",
    meaning="The share of the first N pages that are labelled as relevant",
    paper=CRAWLING_THE_WEB,
    measure=harvest_rate,
)
