"""Average relevance: the mean importance of the first N pages, whatever importance is (Crawling the Web, 4.2).

(1 / N) * sum over i = 1..N of importance(p_i)

A crawl that ended before N gains nothing more: it is divided by N all the same, or ending early would be the surest way
to a high mean. Where low figures are good (ranks), there is none after the end.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.evidence import Evidence, Importance
from lycosa.lab.metrics.so_far import mean_so_far


def average(importance: Importance, *, low_is_good: bool = False) -> Callable[[Evidence, Track, Ids], Floats]:
    """The curve of the mean importance."""

    def measure(evidence: Evidence, track: Track, points: Ids) -> Floats:
        found = mean_so_far(evidence.along(track, importance), points)
        return np.where(points > len(track.pages), np.nan, found) if low_is_good else found

    return measure
