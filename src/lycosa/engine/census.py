"""The census: how many relevant pages a crawl has found, and how many there may be in all.

The unseen relevant pages have two parts. First, links that were found but not followed yet: they are assumed to lead to
relevant pages as often as the recently followed links with the same number of relevant pages linking to them. Second,
pages to which no known page links, estimated from two halves of the crawl: a hash divides the pages into halves, a
relevant page is caught by a half if a page of that half links to it, and Chapman's formula says how many neither half
caught. docs/explanation/estimate.md has the figures.

The census is a fold over outcomes like everything else in the brain. Its memory is bounded: beyond a number of URLs it
follows a sample of them, chosen by a hash, and scales the result.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from lycosa.core.keys import key64
from lycosa.core.nouns import Estimate, Plain, Visit
from lycosa.engine.capture_recapture import Unseen, chapman, interval

_LIMIT = 1 << 17
"""URLs in the sample at most."""
_LINKERS = 3
"""Relevant pages linking to a URL are counted up to this number; more add no information (measured up to 8)."""
_HALF, _GONE, _LINKER, _COUNTED = 3, 16, 4, 12
"""Bits of a URL's state: which halves link to it, whether it no longer waits, how many relevant pages link to it."""
_RECENT, _RECENT_LEAST = 4, 50
"""Rates are from the last quarter of the pages, at least 50, because a strategy follows the better links first."""
_WEIGHT = 4.0
"""The weight, in pages, of the overall rate when the rate of one kind of link is estimated."""
_MODEL = 0.5
"""Relative model error that no sample shows, added so that the intervals hold (docs/explanation/estimate.md)."""
_PAGES, _FOUND = 100, 20
"""Pages and relevant pages needed before `share` is above 0, since it may stop a crawl."""
_TOP = 0.9
"""If nothing is known of relevant pages, those above this quantile, the best tenth, count as relevant."""


class _Followed(NamedTuple):
    """A followed link of the sample: what was known then, and how relevant the page is; -1 if there is none."""

    url: str
    linkers: int
    relevance: float
    seed: bool


class Census:
    """Counts pages and links as they come; `latest` is estimated again from time to time."""

    def __init__(self, examples: Iterable[str] = (), relevant: float | None = None) -> None:
        self.latest: Estimate | None = None
        self._fixed = relevant
        self._examples = set(examples)
        self._like: dict[str, float] = {}
        """Relevance of the examples that were visited."""
        self._judged: dict[str, tuple[float, bool]] = {}
        """The pages that a person judged: relevance by the judge, and whether the person called it relevant."""
        self._states: dict[str, int] = {}
        self._queued = [0] * (_LINKERS + 1)
        """Links not followed yet, by how many relevant pages link to them."""
        self._ended: list[_Followed] = []
        self._relevance = array("d")
        self._mask = 0
        """A URL is in the sample if these bits of its key are zero."""
        self._due = _RECENT_LEAST
        self._shares = [0.0, 0.0]
        """The share found at least, by the last two estimates."""
        self.threshold = self._split()
        """The relevance from which a page counts as relevant."""

    @property
    def share(self) -> float:
        """The share of all relevant pages that was found at least; 0 while it is too early to say."""
        # The smaller of two in a row: relevant pages come in bursts, and between two bursts nothing seems to be left.
        return min(self._shares)

    def visited(self, visit: Visit, links: Collection[str]) -> Estimate | None:
        """Count a page and those of its links that may be followed; returns the estimate if a new one was made."""
        url, relevance = visit.url, visit.relevance
        self._relevance.append(relevance)
        if url in self._examples:
            self._like[url] = relevance
            self.threshold = self._split()
        self._end(url, relevance, visit.ticket.via is None)
        self._link(url, links, relevance >= self.threshold)
        if len(self._states) > _LIMIT:
            self._thin()
        if len(self._relevance) < self._due:
            return None
        self._due = len(self._relevance) + max(25, len(self._relevance) // 10)
        self.threshold = self._split()
        self.latest = self.estimate()
        self._shares = [self._shares[1], self._share_now()]
        return self.latest

    def _share_now(self) -> float:
        latest = self.latest
        if latest is None or len(self._relevance) < _PAGES or latest.found < _FOUND:
            return 0.0
        return latest.found / latest.high

    def missed(self, url: str) -> None:
        """A link brought no page."""
        self._end(url, -1.0)

    def dropped(self, url: str) -> None:
        """A link will not be followed."""
        if self._follows(url):
            self._gone(url)

    def moved(self, url: str, to: str) -> None:
        """A link was redirected: the pages that link to it link to the target."""
        if url in self._examples:
            self._examples.add(to)
        state = self._end(url, -1.0)
        if state and to not in self._states and self._follows(to):
            self._states[to] = state
            self._queued[state // _LINKER] += 1

    def judged(self, url: str, relevance: float, relevant: bool | None) -> None:
        """A person's judgement of a page; None withdraws it."""
        if relevant is None:
            self._judged.pop(url, None)
        else:
            self._judged[url] = (relevance, relevant)
        self.threshold = self._split()
        self._due = 0 if self.latest else self._due

    def _follows(self, url: str) -> bool:
        return not self._mask or not key64(url) & self._mask

    def _end(self, url: str, relevance: float, seed: bool = False) -> int:
        """Record the outcome of a link, if it is in the sample; returns the state bits of who links to it."""
        if not self._follows(url):
            return 0
        state = self._gone(url)
        self._ended.append(_Followed(url, state // _LINKER, relevance, seed))
        return state

    def _gone(self, url: str) -> int:
        """Record that a URL no longer waits; returns the state bits of who links to it."""
        state = self._states.get(url, 0)
        if state and not state & _GONE:
            self._queued[state // _LINKER] -= 1
        self._states[url] = state | _GONE
        return state & ~_GONE

    def _link(self, page: str, links: Collection[str], relevant: bool) -> None:
        states, queued, mask = self._states, self._queued, self._mask
        half = 1 + (key64(page) & 1)
        step = _LINKER if relevant else 0
        # In page order: the order of a set differs between processes, and the state must be the same in all.
        new = dict.fromkeys(links, half + step)
        new.pop(page, None)
        known = new.keys() & states.keys()
        for url in known:
            del new[url]
            state = states[url]
            if step and state & _COUNTED < _COUNTED:
                states[url] = (state | half) + step
                if not state & _GONE:
                    queued[state // _LINKER] -= 1
                    queued[state // _LINKER + 1] += 1
            elif not state & half:
                states[url] = state | half
        if mask:
            new = {url: state for url, state in new.items() if not key64(url) & mask}
        states.update(new)
        queued[relevant] += len(new)

    def _thin(self) -> None:
        """Keep every second URL of the sample."""
        self._mask = 2 * self._mask + 1
        self._states = {url: state for url, state in self._states.items() if self._follows(url)}
        self._ended = [link for link in self._ended if self._follows(link.url)]
        self._queued = [0] * (_LINKERS + 1)
        for state in self._states.values():
            if not state & _GONE:
                self._queued[state // _LINKER] += 1

    def _split(self) -> float:
        """The threshold of relevance: from judgements, else half the relevance of the examples, else the best tenth.

        Half, because the pages of a topic range widely below its examples, and few other pages score that high.
        """
        if self._fixed is not None:
            return self._fixed
        likes = [relevance for relevance in self._like.values() if relevance > 0]
        likes += [relevance for relevance, relevant in self._judged.values() if relevant]
        others = [relevance for relevance, relevant in self._judged.values() if not relevant]
        if not likes:
            ordered = sorted(self._relevance)
            top = ordered[int(_TOP * len(ordered))] if ordered else 0.0
            return max(top, 1e-9)
        half = max(median(likes) / 2, 1e-9)
        if not others:
            return half
        # Of the thresholds that separate the two best, take the one nearest to what the examples alone would give.
        values = sorted({*likes, *others, half})
        middles = [(low + high) / 2 for low, high in pairwise(values)]
        return max((half, *middles), key=lambda at: (_parted(likes, others, at), -abs(at - half)))

    def estimate(self) -> Estimate | None:
        """How many relevant pages there may be; None while it is too early to say."""
        threshold = self.threshold
        found = sum(relevance >= threshold for relevance in self._relevance)
        found += sum(yes - (relevance >= threshold) for relevance, yes in self._judged.values())
        followed = [link for link in self._ended if not link.seed]
        recent = followed[-max(_RECENT_LEAST, len(followed) // _RECENT) :]
        if not recent or len(self._relevance) < _RECENT_LEAST:
            return None
        scale = self._mask + 1
        waiting = self._waiting(recent, threshold)
        apart = self._apart(threshold)
        unseen = Unseen(
            scale * (waiting.number + apart.number),
            scale**2 * (waiting.variance + apart.variance + (_MODEL * (waiting.number + apart.number)) ** 2),
        )
        low, high = interval(found, unseen)
        return Estimate(found, found + unseen.number, low, high, threshold)

    def _waiting(self, recent: list[_Followed], threshold: float) -> Unseen:
        """Relevant pages behind the links that were not followed yet."""
        hits = sum(link.relevance >= threshold for link in recent)
        rate = (hits + 0.5) / (len(recent) + 1)
        count = variance = 0.0
        # Links of a kind not followed lately are no better than links that more relevant pages link to.
        for linkers in range(_LINKERS, -1, -1):
            queued = self._queued[linkers]
            alike = [link.relevance >= threshold for link in recent if link.linkers == linkers]
            rate = (sum(alike) + _WEIGHT * rate) / (len(alike) + _WEIGHT)
            spread = rate * (1 - rate)
            count += queued * rate
            variance += queued**2 * spread / (len(alike) + _WEIGHT + 1) + queued * spread
        return Unseen(count, variance)

    def _apart(self, threshold: float) -> Unseen:
        """Relevant pages to which neither half of the pages links."""
        halves = [self._states[link.url] & _HALF for link in self._ended if link.relevance >= threshold]
        both = halves.count(3)
        return chapman(halves.count(1) + both, halves.count(2) + both, both)

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "latest": None if self.latest is None else list(self.latest),
            "examples": sorted(self._examples),
            "like": self._like,
            "judged": {url: list(word) for url, word in self._judged.items()},
            "states": self._states,
            "ended": [list(link) for link in self._ended],
            "relevance": self._relevance.tobytes(),
            "mask": self._mask,
            "due": self._due,
            "shares": self._shares,
            "threshold": self.threshold,
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.latest = None if state["latest"] is None else Estimate(*state["latest"])
        self._shares = state["shares"]
        self._examples, self._like = set(state["examples"]), state["like"]
        self._judged = {url: (relevance, yes) for url, (relevance, yes) in state["judged"].items()}
        self._states = state["states"]
        self._ended = [_Followed(*link) for link in state["ended"]]
        self._relevance = array("d")
        self._relevance.frombytes(state["relevance"])
        self._mask, self._due, self.threshold = state["mask"], state["due"], state["threshold"]
        self._queued = [0] * (_LINKERS + 1)
        for known in self._states.values():
            if not known & _GONE:
                self._queued[known // _LINKER] += 1


def _parted(likes: list[float], others: list[float], at: float) -> float:
    """How well a threshold separates the two groups, each with the same weight; 2 is perfect."""
    return sum(like >= at for like in likes) / len(likes) + sum(other < at for other in others) / len(others)
