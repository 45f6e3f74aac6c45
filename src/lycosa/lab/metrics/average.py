"""Average relevance: the mean importance of the first N pages, whatever importance is (Crawling the Web, 4.2).

(1 / N) * sum over i = 1..N of importance(p_i); after the end of a crawl N stays at the pages it has.
"""

from __future__ import annotations

from collections.abc import Callable

from lycosa.lab.metrics.evidence import Evidence, Importance
from lycosa.lab.metrics.so_far import mean_so_far
from lycosa.lab.nouns import Floats, Ids, Track


def average(importance: Importance) -> Callable[[Evidence, Track, Ids], Floats]:
    """The curve of the mean importance."""

    def measure(evidence: Evidence, track: Track, points: Ids) -> Floats:
        return mean_so_far(evidence.along(track, importance), points)

    return measure
