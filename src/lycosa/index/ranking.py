"""The order of results: one sum whose parts can be shown.

    score(d) =  WEIGHTS[content]    * (content of d / content of the best) ** SHARP
              + WEIGHTS[title]      * (how well the title of d matches the query) ** SHARP_TITLE
              + WEIGHTS[votes]      * share of d in the votes for the query's words
              + WEIGHTS[reference]  * (K + 1) / (K + rank of d by reference)
              + WEIGHTS[popularity] * PageRank of d / (PageRank of d + mean PageRank)
              + WEIGHTS[front]      * whether d is the front page of a site
              + WEIGHTS[relevance]  * relevance of d to the topic of the crawl

The content score shows how much better one page is than another, so it counts in proportion to the best score. A title
that is the query decides; one that is half of it hardly counts, hence the power. The share in the votes is measured
against the documents with most votes for each word, so it is small if others only use some of the query's words for a
document, even if nobody has more votes. The rank by reference (reciprocal rank fusion; Cormack, Clarke & Büttcher
2009, as later accounts describe it, with their K) adds something for being referred to at all; equal scores share the
mean of their ranks. If references do not count, the anchors that point to a page count in that way as part of its
content. Popularity, front pages and relevance never bring a page into the results.

If only one kind of evidence counts, its own scores are the scores, because there is nothing to combine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from urllib.parse import urlsplit

from lycosa.index.numbers import Floats

K = 60
SHARP, SHARP_TITLE = 1.5, 6
WEIGHTS = {
    "content": {"content": 1.0, "title": 1.0, "anchors": 0.1},
    "reference": {"reference": 1.0},
    "hybrid": {
        "content": 1.0,
        "title": 1.0,
        "votes": 0.35,
        "reference": 0.1,
        "popularity": 0.05,
        "front": 0.05,
        "relevance": 0.05,
    },
}
"""The weight of each kind of evidence, by `Question.by`; docs/explanation/ranking.md says how they were found."""

Shares = Mapping[str, float]
Known = Mapping[str, Callable[[Sequence[str]], Floats]]
"""What is known of any page, whatever is asked: functions from URLs to numbers, by kind."""


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


def rank(by: str, evidence: Mapping[str, Shares], known: Known) -> Ranking:
    """The order of all candidates for which there is any evidence; what is not `known` does not count."""
    weights = WEIGHTS[by]
    if len(weights) < 2:
        return Ranking({kind: evidence.get(kind, {}) for kind in weights})
    shares = {kind: _SHAPES[kind](evidence.get(kind, {}), weights[kind]) for kind in weights if kind in _SHAPES}
    urls = list(dict.fromkeys(chain.from_iterable(shares.values())))
    shares |= {kind: _of_pages(kind, urls, known, weights[kind]) for kind in weights if kind not in _SHAPES}
    return Ranking(shares)


def _of_pages(kind: str, urls: Sequence[str], known: Known, weight: float) -> Shares:
    """The share of each by what it is, whatever is asked."""
    if kind == "front":
        return {url: weight for url in urls if _is_front(url)}
    values = known[kind](urls) if kind in known else None
    if values is None or not values.any():
        return {}
    if kind == "popularity":
        values = values / (1 + values)
    return dict(zip(urls, (weight * values).tolist(), strict=True))


def _is_front(url: str) -> bool:
    """Whether it is the front page of a site: nothing but a host."""
    return url.count("/") < 4 and urlsplit(url).path in ("", "/") and "?" not in url


def _proportions(scores: Shares, weight: float) -> Shares:
    """The share of each by its score relative to the best."""
    best = max(scores.values(), default=0.0) or 1.0
    return {url: weight * (score / best) ** SHARP for url, score in scores.items()}


def _by_title(matches: Shares, weight: float) -> Shares:
    """The share of each by how well its title matches."""
    return {url: weight * match**SHARP_TITLE for url, match in matches.items()}


def _by_votes(shares: Shares, weight: float) -> Shares:
    """The share of each in the votes."""
    return {url: weight * share for url, share in shares.items()}


def _by_place(scores: Shares, weight: float) -> Shares:
    """The share of each by its rank."""
    places: dict[float, tuple[int, int]] = {}
    for place, score in enumerate(sorted(scores.values(), reverse=True), 1):
        # For equal scores the first and the last rank are kept, to compute their mean.
        first, _ = places.get(score, (place, place))
        places[score] = (first, place)
    given = {score: weight * (K + 1) / (K + (first + last) / 2) for score, (first, last) in places.items()}
    return {url: given[score] for url, score in scores.items()}


_SHAPES: dict[str, Callable[[Shares, float], Shares]] = {
    "content": _proportions,
    "title": _by_title,
    "votes": _by_votes,
    "reference": _by_place,
    "anchors": _by_place,
}
"""How evidence of each kind becomes shares of its weight."""
