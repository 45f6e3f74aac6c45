"""What the first N pages of a crawl amount to, for many N at once; a crawl that ended early stays as it ended."""

from __future__ import annotations

import numpy as np

from lycosa.lab.nouns import Floats, Ids, Track


def mean_so_far(values: Floats, points: Ids) -> Floats:
    """The mean of the first N values; of all there are where there are fewer, nan where there are none."""
    if not len(values):
        return np.full(len(points), np.nan)
    held = np.minimum(points, len(values))
    return np.asarray(np.cumsum(values)[held - 1] / held)


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
