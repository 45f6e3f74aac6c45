"""The order of results: one sum whose parts can be shown.

    score(d) = sum over the kinds of evidence e of  WEIGHTS[e] * (K + 1) / (K + rank of d by e)

What pages say, the anchors that point at them, what others say around their links and how well known they are have
scores that cannot be compared: how high the best of them is says more about the words of the question than about the
page. So each kind of evidence only says in which order it would put the candidates (reciprocal rank fusion; Cormack,
Clarke & Büttcher 2009, as later accounts give it, with their K). The first by a kind has its whole weight, the sixtieth
half of it, and one it knows nothing about has none. Equals share the middle of their places.

Where only one kind of evidence counts its own scores are the scores: nothing is to be compared then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

K = 60
WEIGHTS = {
    "content": {"content": 1.0, "anchors": 0.3},
    "reference": {"reference": 1.0},
    "hybrid": {"content": 1.0, "reference": 0.5, "anchors": 0.3, "popularity": 0.1},
}
"""By what is asked for, what each kind of evidence weighs; docs/ranking.md says how they were found."""


class Ranking:
    """Candidates in their order, and what put each of them there."""

    def __init__(self, urls: list[str], shares: dict[str, Floats]) -> None:
        """`shares` holds for each kind of evidence what it gives to each of the candidates."""
        self._shares = shares
        self._scores = np.sum(list(shares.values()), axis=0) if shares else np.zeros(len(urls))
        # Equal ones by URL, so that the order does not hang on how the index happens to lie on the disk.
        self._numbers = {url: number for number, url in enumerate(urls)}
        by_url = np.array(sorted(range(len(urls)), key=urls.__getitem__), np.intp)
        self.urls = [urls[number] for number in by_url[np.argsort(-self._scores[by_url], kind="stable")]]
        """Best first."""

    def score(self, url: str) -> float:
        """The score of a candidate."""
        return float(self._scores[self._numbers[url]])

    def parts(self, url: str) -> dict[str, float]:
        """What its score is made of."""
        number = self._numbers[url]
        return {kind: float(shares[number]) for kind, shares in self._shares.items() if shares[number]}


def rank(
    by: str, evidence: Mapping[str, Mapping[str, float]], popularity: Callable[[Sequence[str]], Floats]
) -> Ranking:
    """The order of all candidates that some evidence speaks for; how well known they are speaks for nobody alone."""
    weights = WEIGHTS[by]
    kinds = {kind: scores for kind, scores in evidence.items() if kind in weights and scores}
    urls = list(dict.fromkeys(url for scores in kinds.values() for url in scores))
    found = {kind: np.fromiter(map(scores.get, urls, repeat(0.0)), float, len(urls)) for kind, scores in kinds.items()}
    if len(weights) == 1:
        return Ranking(urls, found)
    if "popularity" in weights and urls:
        found["popularity"] = popularity(urls)
    return Ranking(urls, {kind: weights[kind] * _share(scores) for kind, scores in found.items()})


def _share(scores: Floats) -> Floats:
    """How much of the weight each has by its place among those with a score."""
    _, number, count = np.unique(-scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(count) - (count - 1) / 2
    return np.where(scores > 0, (K + 1) / (K + middle[number]), 0.0)
