"""Static coverage (Exploration versus Exploitation, table 2): how much a whole crawl holds of the best pages.

|S_crawler ∩ top_n(S)| / n

S is the pool of the pages that all crawls of the topic fetched, top_n(S) its n best by a rank and S_crawler all
pages of the crawl. Where n ends among equally good pages, each of them counts in part: any order among them might
favour a crawl by accident. Where n is larger than the pool, the whole pool is meant.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.evidence import Evidence, Importance
from lycosa.lab.metrics.so_far import mean_so_far


def coverage(rank: Importance) -> Callable[[Evidence, Track, Ids], Floats]:
    """The share of the n best pages that a crawl holds, by n."""

    def measure(evidence: Evidence, track: Track, top: Ids) -> Floats:
        ranks = evidence.of(rank)
        if np.isnan(ranks).any():
            return np.full(len(top), np.nan)
        order = np.argsort(ranks, stable=True)
        held = np.isin(evidence.pool[order], track.pages).astype(np.float64)
        _, groups, sizes = np.unique(ranks[order], return_inverse=True, return_counts=True)
        held = (np.bincount(groups, held) / sizes)[groups] if len(held) else held
        return mean_so_far(held, np.minimum(top, max(1, len(held))))

    return measure
