"""The order of results: one sum whose parts can be shown.

    score(d) =  (content of d / content of the best) ** SHARP
              + sum over the other kinds of evidence e of  WEIGHTS[e] * (K + 1) / (K + rank of d by e)

What a page says has a score that tells how much better one is than another: a page with all of the question's words in
its title is far ahead of those that only mention them, and shall stay there. So content counts in proportion to the
best, sharpened. The anchors that point at a page, what others say around their links and how well known it is have
scores that tell little beyond their order: how high the best of them is says more about the words of the question, or
about a menu that is on every page of a site, than about the page. So each of these only says in which order it would
put the candidates (reciprocal rank fusion; Cormack, Clarke & Büttcher 2009, as later accounts give it, with their K):
the first has its whole weight, the sixtieth half of it, one that nothing is known about none. Equals share the middle
of their places.

Where only one kind of evidence counts its own scores are the scores: nothing is to be compared then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat

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
    return Ranking(
        urls,
        {
            kind: weights[kind] * (_proportion(scores) if kind == "content" else _share(scores))
            for kind, scores in found.items()
        },
    )


def _proportion(scores: Floats) -> Floats:
    best = scores.max()
    return (scores / best) ** SHARP if best > 0 else scores


def _share(scores: Floats) -> Floats:
    """How much of the weight each has by its place among those with a score."""
    _, number, count = np.unique(-scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(count) - (count - 1) / 2
    return np.where(scores > 0, (K + 1) / (K + middle[number]), 0.0)
