"""The order of results: one sum whose parts can be shown.

    score(d) =  WEIGHTS[content]    * (content of d / content of the best) ** SHARP
              + WEIGHTS[reference]  * (K + 1) / (K + rank of d by reference)
              + WEIGHTS[popularity] * PageRank of d / (PageRank of d + mean PageRank)

What a page says has a score that tells how much better one is than another: a page with all of the question's words in
its title is far ahead of those that only mention them, and shall stay there. So content counts in proportion to the
best, sharpened. What others say has a score that tells little beyond its order: how high the best one is says more
about the words of the question, or about a menu that is on every page of a site, than about the page. So it only says
in which order it would put the candidates (reciprocal rank fusion; Cormack, Clarke & Büttcher 2009, as later accounts
give it, with their K): the first has the whole weight, the sixtieth half of it, one that nobody speaks of none; equals
share the middle of their places. The anchors that point at a page count like that among its content where references
do not count; otherwise their words are among the votes. Popularity speaks for nobody who is not found otherwise.

Where only one kind of evidence counts its own scores are the scores: nothing is to be compared then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

K = 60
SHARP = 3
WEIGHTS = {
    "content": {"content": 1.0, "anchors": 0.1},
    "reference": {"reference": 1.0},
    "hybrid": {"content": 1.0, "reference": 0.2, "popularity": 0.05},
}
"""By what is asked for, what each kind of evidence weighs; docs/ranking.md says how they were found."""


Shares = Mapping[str, float]


class Ranking:
    """Candidates in their order, and what put each of them there."""

    def __init__(self, shares: Mapping[str, Shares]) -> None:
        """`shares` holds for each kind of evidence what it gives to each candidate it knows of."""
        self._shares = shares
        self._scores: dict[str, float] = {}
        for given in shares.values():
            for url, share in given.items():
                self._scores[url] = self._scores.get(url, 0.0) + share
        # Equal ones by URL, so that the order does not hang on how the index happens to lie on the disk.
        self.urls = sorted(sorted(self._scores), key=self._scores.__getitem__, reverse=True)
        """Best first."""

    def score(self, url: str) -> float:
        """The score of a candidate."""
        return self._scores[url]

    def parts(self, url: str) -> dict[str, float]:
        """What its score is made of."""
        return {kind: given[url] for kind, given in self._shares.items() if given.get(url)}


def rank(by: str, evidence: Mapping[str, Shares], popularity: Callable[[Sequence[str]], Floats]) -> Ranking:
    """The order of all candidates that some evidence speaks for."""
    weights = WEIGHTS[by]
    shares = {kind: evidence.get(kind, {}) for kind in weights}
    if len(weights) > 1:
        for kind, scores in shares.items():
            shares[kind] = (_proportions if kind == "content" else _by_place)(scores, weights[kind])
    if "popularity" in weights:
        urls = list(dict.fromkeys(chain.from_iterable(shares.values())))
        known = popularity(urls)
        shares["popularity"] = dict(zip(urls, (weights["popularity"] * known / (1 + known)).tolist(), strict=True))
    return Ranking(shares)


def _proportions(scores: Shares, weight: float) -> Shares:
    """How good each is beside the best."""
    best = max(scores.values(), default=0.0) or 1.0
    return {url: weight * (score / best) ** SHARP for url, score in scores.items()}


def _by_place(scores: Shares, weight: float) -> Shares:
    """How much of the weight each has by its place."""
    places: dict[float, tuple[int, int]] = {}
    for place, score in enumerate(sorted(scores.values(), reverse=True), 1):
        # Of equal ones the first and the last place are remembered, for their middle.
        first, _ = places.get(score, (place, place))
        places[score] = (first, place)
    given = {score: weight * (K + 1) / (K + (first + last) / 2) for score, (first, last) in places.items()}
    return {url: given[score] for url, score in scores.items()}
