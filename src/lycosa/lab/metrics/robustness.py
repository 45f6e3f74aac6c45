"""Robustness (Crawling the Web, 4.2): how much two crawls from disjoint halves of the seeds have in common.

|A ∩ B| / |A ∪ B|

A and B are the pages of the same crawler started from either half. The paper asks for «the overlap» and leaves its
scale open; this one is 1 for equal crawls, 0 for disjoint ones, and treats both alike when one of them ended early.
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Track
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric


def robustness(evidence: Evidence, first: Track, second: Track) -> float:
    """The overlap of the crawls from either half of the seeds; nan when both are empty."""
    union = len(np.union1d(first.pages, second.pages))
    return len(np.intersect1d(first.pages, second.pages)) / (union or np.nan)


METRIC = Metric(
    key="robustness",
    title="Robustness",
    kind="value",
    unit="share",
    meaning="The share of pages in common between two crawls that start from disjoint halves of the seeds",
    paper=CRAWLING_THE_WEB,
    measure=robustness,
    halves=True,
)
