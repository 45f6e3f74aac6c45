"""Harvest rate over a window (Crawling the Web, 4.2): the share of the latest pages that are relevant.

|R ∩ (C_N - C_{N-w})| / min(N, w), with w = 50 pages

R are the pages labelled as relevant and C_N the first N fetched pages; what a crawl that ended early did not fetch is
not relevant.
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.curves import sum_so_far
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric

WINDOW = 50


def harvest_window(evidence: Evidence, track: Track, points: Ids, window: int = WINDOW) -> Floats:
    """The share of relevant pages among the last `window` of the first N."""
    relevant = np.isin(track.pages, evidence.relevant).astype(np.float64)
    start = np.maximum(points - window, 0)
    return np.asarray((sum_so_far(relevant, points) - sum_so_far(relevant, start)) / (points - start))


METRIC = Metric(
    key="harvest_window",
    title=f"Harvest rate, last {WINDOW} pages",
    unit="share",
    meaning=f"The share of the {WINDOW} pages up to the N-th that are labelled as relevant",
    paper=CRAWLING_THE_WEB,
    measure=harvest_window,
)
