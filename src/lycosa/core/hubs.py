"""Hub and authority scores (Kumar & Vig 2013, equations 4 and 5): good hubs link to good authorities, and the reverse.

    HUB_p       = sum of AUTHORITY_q over the pages q of R that p links to                                      (4)
    AUTHORITY_p = sum of HUB_q over the pages q of R that link to p                                             (5)

over a set R of relevant pages, normalised «using mean square root method»: by the root of the mean of their squares, so
that a typical hub has 1 and a good one several times as much. They are computed in turn until they no longer change,
as in the original (Kleinberg 1999); the paper does not say how. Our own choice: links of a page to itself are ignored,
and several links to the same page count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Visit

_ENOUGH = 1e-9
"""The iteration has converged when no score changes by more than this."""
_TURNS = 1000

_Floats = NDArray[np.float64]


def hub_scores(links: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """The hub score of each page of a set, given its links; links that lead out of the set are ignored."""
    numbers = {url: number for number, url in enumerate(links)}
    pairs = [
        (numbers[url], numbers[target])
        for url, targets in links.items()
        for target in dict.fromkeys(targets)
        if target in numbers and target != url
    ]
    if not pairs:
        return dict.fromkeys(links, 0.0)
    tails, heads = np.array(pairs, np.int64).T
    hubs, _ = hubs_and_authorities(tails, heads, len(numbers))
    return dict(zip(numbers, hubs.tolist(), strict=True))


def hubs_and_authorities(
    tails: NDArray[np.integer], heads: NDArray[np.integer], pages: int, weights: _Floats | None = None
) -> tuple[_Floats, _Floats]:
    """Both scores of each page of a graph whose links lead from `tails` to `heads`, optionally with `weights`."""
    hubs = authorities = np.ones(pages)
    if not len(tails) or (weights is not None and not weights.any()):
        return np.zeros(pages), np.zeros(pages)
    for _ in range(_TURNS):
        given = hubs[tails] if weights is None else hubs[tails] * weights
        authorities = _normal(np.bincount(heads, given, pages))
        given = authorities[heads] if weights is None else authorities[heads] * weights
        before, hubs = hubs, _normal(np.bincount(tails, given, pages))
        if np.abs(hubs - before).max() < _ENOUGH:
            break
    return hubs, authorities


def _normal(scores: NDArray[Any]) -> _Floats:
    return np.asarray(scores / np.sqrt(np.mean(scores**2)))


def mean_relevance(visits: Sequence[Visit]) -> float:
    """The default threshold of relevance: the mean relevance of the pages of a crawl."""
    return sum(visit.relevance for visit in visits) / (len(visits) or 1)
