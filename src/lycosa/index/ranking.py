"""The order of results: one sum whose parts can be shown.

    score(d) =  WEIGHTS[content]    * (content of d / content of the best) ** SHARP
              + WEIGHTS[reference]  * (K + 1) / (K + rank of d by reference)
              + WEIGHTS[popularity] * PageRank of d / (PageRank of d + mean PageRank)

The content score shows how much better one page is than another: a page with all of the query's words in its title is
far ahead of pages that only mention them, and must stay there. So content counts in proportion to the best score,
raised to a power. The reference score means little beyond its order: the height of the best one depends more on the
words of the query, or on a menu that is on every page of a site, than on the page. So only the order by reference
counts (reciprocal rank fusion; Cormack, Clarke & Büttcher 2009, as later accounts describe it, with their K): the first
has the whole weight, the sixtieth half of it, a page that nobody refers to none; equal scores share the mean of their
ranks. If references do not count, the anchors that point to a page count in the same way as part of its content;
otherwise their words are among the votes. Popularity alone never brings a page into the results.

If only one kind of evidence counts, its own scores are the scores, because there is nothing to combine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from lycosa.index.numbers import Floats

K = 60
SHARP = 3
WEIGHTS = {
    "content": {"content": 1.0, "anchors": 0.1},
    "reference": {"reference": 1.0},
    "hybrid": {"content": 1.0, "reference": 0.2, "popularity": 0.05},
}
"""The weight of each kind of evidence, by `Question.by`; docs/explanation/ranking.md says how they were found."""


Shares = Mapping[str, float]


class Ranking:
    """Candidates in their order, and the parts of their scores."""

    def __init__(self, shares: Mapping[str, Shares]) -> None:
        """`shares` holds, for each kind of evidence, what it adds to the score of each candidate."""
        self._shares = shares
        self._scores: dict[str, float] = {}
        for given in shares.values():
            for url, share in given.items():
                self._scores[url] = self._scores.get(url, 0.0) + share
        # Equal scores are ordered by URL, so that the order does not depend on the layout of the index on the disk.
        self.urls = sorted(sorted(self._scores), key=self._scores.__getitem__, reverse=True)
        """Best first."""

    def score(self, url: str) -> float:
        """The score of a candidate."""
        return self._scores[url]

    def parts(self, url: str) -> dict[str, float]:
        """The parts of a candidate's score."""
        return {kind: given[url] for kind, given in self._shares.items() if given.get(url)}


def rank(by: str, evidence: Mapping[str, Shares], popularity: Callable[[Sequence[str]], Floats]) -> Ranking:
    """The order of all candidates for which there is any evidence."""
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
    """The share of each by its score relative to the best."""
    best = max(scores.values(), default=0.0) or 1.0
    return {url: weight * (score / best) ** SHARP for url, score in scores.items()}


def _by_place(scores: Shares, weight: float) -> Shares:
    """The share of each by its rank."""
    places: dict[float, tuple[int, int]] = {}
    for place, score in enumerate(sorted(scores.values(), reverse=True), 1):
        # For equal scores the first and the last rank are kept, to compute their mean.
        first, _ = places.get(score, (place, place))
        places[score] = (first, place)
    given = {score: weight * (K + 1) / (K + (first + last) / 2) for score, (first, last) in places.items()}
    return {url: given[score] for url, score in scores.items()}
