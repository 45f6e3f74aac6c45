"""The distiller of the focused crawler: hubs and authorities, weighted by relevance, without links within a site.

Pant et al. 2004 (section 3.3) only say that a modified version of Kleinberg's algorithm finds topical hubs during the
crawl. The form used here is that of Chakrabarti, van den Berg & Dom 1999 as we remember it, because we could read only
the abstracts of the originals. A link u -> v between two sites has two weights,

    E_F(u, v) = R(v)    a hub does not make an irrelevant page an authority
    E_B(u, v) = R(u)    an authority does not make an irrelevant page a hub

and the scores

    a(v) = Σ h(u) E_F(u, v)  for those v with R(v) > rho        h(u) = Σ a(v) E_B(u, v)

are computed in turn until they no longer change; a and h are each normalised to sum to 1. Links within a site are
nepotism and do not count.

Our choices: only visited pages can be authorities, because the relevance of others is unknown; a page with almost no
relevance can be neither hub nor authority, so its links are not kept; and if there are too many links, the oldest are
forgotten.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain
from lycosa.core.urls import host_of, site_of

LEAST = 1e-3
"""The relevance below which a page's links are not kept: their weights would not be worth the memory."""
_ROUNDS = 50
_CHANGE = 1e-6
_UNVISITED = -1.0


class Hub(NamedTuple):
    """A page that links to many relevant pages of other sites."""

    url: str
    relevance: float
    score: float
    """h, as a share of all hub scores."""
    unvisited: list[str]
    """Its links to other sites that have not been followed yet, as far as is known."""


class Distiller:
    """A link graph that grows with the crawl, as arrays: eight bytes per link, and each URL once."""

    def __init__(self, rho: float = 0.5, apart: str = "site", memory: int = 500_000) -> None:
        """`apart` is what the two ends of a link must not share, site or host; `memory` is how many links are kept."""
        self.rho = rho
        self.apart = apart
        self.memory = memory
        self._numbers: dict[str, int] = {}
        self._urls: list[str] = []
        self._relevance = array("d")
        self._tails = array("i")
        self._heads = array("i")

    def __len__(self) -> int:
        return len(self._tails)

    def add(self, url: str, relevance: float, links: Sequence[str]) -> None:
        """Add a visited page."""
        if relevance < LEAST:
            if url in self._numbers:
                self._relevance[self._numbers[url]] = relevance
            return
        tail = self._number(url)
        self._relevance[tail] = relevance
        own = self._place(url)
        heads = [self._number(link) for link in dict.fromkeys(links) if self._place(link) != own]
        self._tails.extend([tail] * len(heads))
        self._heads.extend(heads)
        if len(self._tails) > self.memory:
            self._forget(len(self._tails) - self.memory * 3 // 4)

    def distill(self) -> tuple[dict[str, float], dict[str, float]]:
        """Hub scores and authority scores by URL; those of 0 are left out."""
        hubs, authorities = self._iterate()
        return self._named(hubs), self._named(authorities)

    def top(self, count: int) -> list[Hub]:
        """The best hubs, best first; among equals the first found comes first."""
        hubs, _ = self._iterate()
        tails, heads, relevance = self._arrays()
        best = np.argsort(-hubs, kind="stable")[:count]
        found = []
        for number in best[hubs[best] > 0].tolist():
            open_ends = heads[(tails == number) & (relevance[heads] < 0)].tolist()
            unvisited = [self._urls[head] for head in open_ends]
            found.append(Hub(self._urls[number], self._relevance[number], float(hubs[number]), unvisited))
        return found

    def save(self) -> Plain:
        """The graph as plain data."""
        arrays = (self._relevance, self._tails, self._heads)
        return [self._urls, *[numbers.tobytes() for numbers in arrays]]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._urls = list(state[0])
        self._numbers = {url: number for number, url in enumerate(self._urls)}
        self._relevance, self._tails, self._heads = array("d", state[1]), array("i", state[2]), array("i", state[3])

    def _number(self, url: str) -> int:
        number = self._numbers.setdefault(url, len(self._urls))
        if number == len(self._urls):
            self._urls.append(url)
            self._relevance.append(_UNVISITED)
        return number

    def _place(self, url: str) -> str:
        return host_of(url) if self.apart == "host" else site_of(host_of(url))

    def _arrays(self) -> tuple[NDArray[np.intc], NDArray[np.intc], NDArray[np.float64]]:
        # Copies: an array cannot grow while another object has a view of its memory.
        return np.array(self._tails, np.intc), np.array(self._heads, np.intc), np.array(self._relevance)

    def _iterate(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        tails, heads, relevance = self._arrays()
        count = len(relevance)
        counted = relevance[heads] > self.rho
        tails, heads = tails[counted], heads[counted]
        hubs, authorities = np.zeros(count), np.zeros(count)
        hubs[tails] = 1.0
        forward, backward = relevance[heads], relevance[tails]
        for _ in range(_ROUNDS if len(tails) else 0):
            before = hubs
            authorities = _gathered(heads, hubs[tails] * forward, count)
            hubs = _gathered(tails, authorities[heads] * backward, count)
            if np.abs(hubs - before).sum() < _CHANGE:
                break
        return hubs, authorities

    def _named(self, scores: NDArray[np.float64]) -> dict[str, float]:
        return {self._urls[number]: float(scores[number]) for number in np.flatnonzero(scores).tolist()}

    def _forget(self, links: int) -> None:
        """Forget the oldest links, and the pages that no other link mentions."""
        tails, heads, relevance = self._arrays()
        tails, heads = tails[links:], heads[links:]
        kept, places = np.unique(np.concatenate([tails, heads]), return_inverse=True)
        self._urls = [self._urls[number] for number in kept.tolist()]
        self._numbers = {url: number for number, url in enumerate(self._urls)}
        self._relevance = array("d", relevance[kept].tolist())
        self._tails = array("i", places[: len(tails)].tolist())
        self._heads = array("i", places[len(tails) :].tolist())


def _gathered(ends: NDArray[np.intc], weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The weight that each page receives over its links, as a share of the total."""
    scores: NDArray[np.float64] = np.bincount(ends, weights, count).astype(np.float64)
    return scores / (scores.sum() or 1.0)
