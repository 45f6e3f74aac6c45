"""What the first N pages of a crawl amount to, for many N at once; a crawl that ended early gains nothing more."""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track


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
