"""Static coverage (Exploration versus Exploitation, table 2): how much a whole crawl holds of the best pages.

|S_crawler ∩ top_n(S)| / n

S is the pool of the pages that all crawls of the topic fetched, top_n(S) its n best by a rank, ties by page number,
and S_crawler all pages of the crawl. Where n is larger than the pool, the whole pool is meant.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lycosa.lab.metrics.evidence import Evidence, Importance
from lycosa.lab.metrics.so_far import mean_so_far
from lycosa.lab.nouns import Floats, Ids, Track


def coverage(rank: Importance) -> Callable[[Evidence, Track, Ids], Floats]:
    """The share of the n best pages that a crawl holds, by n."""

    def measure(evidence: Evidence, track: Track, top: Ids) -> Floats:
        ranks = evidence.of(rank)
        if np.isnan(ranks).any():
            return np.full(len(top), np.nan)
        best = evidence.pool[np.argsort(ranks, stable=True)]
        return mean_so_far(np.isin(best, track.pages).astype(np.float64), top)

    return measure
