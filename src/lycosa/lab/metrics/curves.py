"""What the first N pages of a crawl amount to, for many N at once; a crawl that ended early gains nothing more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.evidence import Evidence, Importance


def mean_so_far(values: Floats, points: Ids) -> Floats:
    """The sum of the first N values divided by N: where there are fewer, what is lacking counts as nothing."""
    return np.asarray(sum_so_far(values, points) / points)


def sum_so_far(values: Floats, points: Ids) -> Floats:
    """The sum of the first N values."""
    return np.concatenate(([0.0], np.cumsum(values)))[np.minimum(points, len(values))]


def steps_to(pages: Ids, track: Track) -> Ids:
    """When each of these pages was fetched, 1 being the first, in rising order; without those that never were."""
    fetched, first = np.unique(track.pages, return_index=True)
    return np.sort(first[np.isin(fetched, pages)] + 1).astype(np.int32)


def count_so_far(steps: Ids, points: Ids) -> Floats:
    """How many of the steps lie within the first N."""
    return np.searchsorted(steps, points, side="right").astype(np.float64)


def average(importance: Importance, *, low_is_good: bool = False) -> Callable[[Evidence, Track, Ids], Floats]:
    """The mean importance of the first N pages (Crawling the Web, 4.2): (1 / N) * sum over i = 1..N of importance(p_i)

    A crawl that ended before N is divided by N all the same, or ending early would be the surest way to a high mean.
    Where low figures are good (ranks), there is none after the end.
    """

    def measure(evidence: Evidence, track: Track, points: Ids) -> Floats:
        found = mean_so_far(evidence.along(track, importance), points)
        return np.where(points > len(track.pages), np.nan, found) if low_is_good else found

    return measure


def coverage(rank: Importance) -> Callable[[Evidence, Track, Ids], Floats]:
    """Static coverage (Exploration versus Exploitation, table 2) by n: |S_crawler ∩ top_n(S)| / n

    S is the pool of the pages that all crawls of the topic fetched, top_n(S) its n best by a rank and S_crawler all
    pages of the crawl. Where n ends among equally good pages, each of them counts in part: any order among them might
    favour a crawl by accident. Where n is larger than the pool, the whole pool is meant.
    """

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
