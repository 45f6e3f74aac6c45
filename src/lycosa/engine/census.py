"""The census: how many relevant pages a crawl has found, and how many there may be in all.

The unseen relevant pages have two parts. First, links that were found but not followed yet: they are assumed to lead to
relevant pages as often as the recently followed links with the same number of relevant pages linking to them, or less
often if the strategy gave them lower scores (decline.py). Second,
pages to which no known page links, estimated from two halves of the crawl: a hash divides the pages into halves, a
relevant page is caught by a half if a page of that half links to it, and Chapman's formula says how many neither half
caught. docs/explanation/estimate.md has the figures.

The census is a fold over outcomes like everything else in the brain. Its memory is bounded: beyond a number of URLs it
follows a sample of them, chosen by a hash, and scales the result.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from lycosa.core.keys import key64
from lycosa.core.nouns import Estimate, Plain, Visit
from lycosa.core.page_model import Floats
from lycosa.engine.capture_recapture import Unseen, chapman, interval
from lycosa.engine.decline import decline

_LIMIT = 1 << 17
"""URLs in the sample at most."""
_LINKERS = 3
"""Relevant pages linking to a URL are counted up to this number; more add no information (measured up to 8)."""
_HALF, _GONE, _LINKER, _COUNTED = 3, 16, 4, 12
"""Bits of a URL's state: which halves link to it, whether it no longer waits, how many relevant pages link to it."""
_RECENT, _RECENT_LEAST = 4, 50
"""Rates are from the last quarter of the pages, at least 50, because a strategy follows the better links first."""
_PRIOR = 0.5
"""Relevant pages that are assumed to follow where none was among the links followed lately."""
_WEIGHT = 4.0
"""The weight, in pages, of the overall rate when the rate of one kind of link is estimated."""
_MODEL = 0.5
"""Relative model error that no sample shows, added so that the intervals hold (docs/explanation/estimate.md)."""
_BELIEF = 0.9
"""Relative error of the number of pages that are only likely on topic, since probabilities may be wrong together."""
_PASSED_OVER, _AT_LEAST = 70.0, 0.1
"""The longer a strategy has learned, the worse its waiting links are compared with their scores: after more than so
many pages they are worth (this / pages)^1.5 of what the scores say, but at least a tenth."""
_FLOOR, _FLOOR_SHARE = 0.05, 0.25
"""The quarter of pages that are least likely on topic are off topic: what they count, at most so much, is no evidence.

A hundredth for each of ten thousand links that wait would be a hundred relevant pages that nobody has seen."""
_EVIDENCE = 5
"""Relevant pages that must have been found before anything is estimated."""
_PAGES, _FOUND = 100, 20
"""Pages and relevant pages needed before `share` is above 0, since it may stop a crawl."""
RELEVANT = 0.5
"""The relevance from which a page counts as relevant, if the plan does not say otherwise: more likely than not."""


class _Followed(NamedTuple):
    """A followed link of the sample: what was known then, and the number of its page; -1 if there is none."""

    url: str
    linkers: int
    page: int
    seed: bool
    score: float | None
    """The score it was followed with, if that says how promising it was."""


class Census:
    """Counts pages and links as they come; `latest` is estimated again from time to time."""

    def __init__(
        self,
        relevant: float | None = None,
        waiting: Callable[[], Floats] = lambda: np.zeros(0),
        log_odds: bool = False,
    ) -> None:
        self._strict = relevant is not None
        """Whether pages count whole from a threshold on; otherwise each counts as much as it is likely on topic."""
        self.threshold = RELEVANT if relevant is None else relevant
        """The relevance from which a page counts as relevant."""
        self._scores = waiting
        """Asked for the scores of all links that wait."""
        self._log_odds = log_odds
        """Whether scores are log-odds of a relevant page."""
        self.latest: Estimate | None = None
        self.lessons = 0
        """How many lessons of the page model the relevances below follow."""
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

    @property
    def share(self) -> float:
        """The share of all relevant pages that was found at least; 0 while it is too early to say."""
        # The smaller of two in a row: relevant pages come in bursts, and between two bursts nothing seems to be left.
        return min(self._shares)

    def visited(self, visit: Visit, relevance: float, links: Collection[str], score: float | None = None) -> None:
        """Count a page and those of its links that may be followed; `score` is that of the link that led to it."""
        url, page = visit.url, len(self._relevance)
        self._relevance.append(relevance)
        self._end(url, page, visit.ticket.via is None, score)
        self._link(url, links, relevance >= self.threshold)
        if len(self._states) > _LIMIT:
            self._thin()

    def look(self) -> Estimate | None:
        """A new estimate, if one is due."""
        if len(self._relevance) < self._due:
            return None
        self._due = len(self._relevance) + max(25, len(self._relevance) // 10)
        self.latest, share = self._estimate() or (None, 0.0)
        enough = self.latest and len(self._relevance) >= _PAGES and self.latest.found >= _FOUND
        self._shares = [self._shares[1], share if enough else 0.0]
        return self.latest

    def judged_again(self, relevance: Floats, lessons: int) -> None:
        """The latest pages, in the order of their visits, are as relevant as this after a lesson."""
        self.lessons = lessons
        first = len(self._relevance) - len(relevance)
        self._relevance[first:] = array("d", np.nan_to_num(relevance).tobytes())

    def judged(self) -> None:
        """A person has said something: the next estimate is due."""
        self._due = 0 if self.latest else self._due

    def missed(self, url: str, score: float | None = None) -> None:
        """A link brought no page."""
        self._end(url, -1, score=score)

    def dropped(self, url: str) -> None:
        """A link will not be followed."""
        if self._follows(url):
            self._gone(url)

    def moved(self, url: str, to: str) -> None:
        """A link was redirected: the pages that link to it link to the target."""
        state = self._end(url, -1)
        if state and to not in self._states and self._follows(to):
            self._states[to] = state
            self._queued[state // _LINKER] += 1

    def _follows(self, url: str) -> bool:
        return not self._mask or not key64(url) & self._mask

    def _end(self, url: str, page: int, seed: bool = False, score: float | None = None) -> int:
        """Record the outcome of a link, if it is in the sample; returns the state bits of who links to it."""
        if not self._follows(url):
            return 0
        state = self._gone(url)
        self._ended.append(_Followed(url, state // _LINKER, page, seed, score))
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

    def estimate(self) -> Estimate | None:
        """How many relevant pages there may be; None while it is too early to say."""
        found = self._estimate()
        return found and found[0]

    def _estimate(self) -> tuple[Estimate, float] | None:
        """The estimate, and the share that was found at least."""
        counts = self._counts(np.array(self._relevance))
        found = float(counts.sum())
        followed = [link for link in self._ended if not link.seed]
        recent = followed[-max(_RECENT_LEAST, len(followed) // _RECENT) :]
        if not recent or len(counts) < _RECENT_LEAST or found < _EVIDENCE:
            return None
        floor = min(_FLOOR, float(np.quantile(counts, _FLOOR_SHARE)))
        waiting, apart = self._waiting(recent, self._decline(followed, len(recent), floor), floor), self._apart()
        scale = (self._mask + 1) * self._left(len(counts))
        unseen = scale * (waiting.number + apart.number)
        variance = scale**2 * (waiting.variance + apart.variance) + (_MODEL * unseen) ** 2
        # What was found is as uncertain as the probabilities, but the share that was found is not.
        share = found / interval(found, Unseen(unseen, variance))[1]
        # Pages that are only likely on topic may be none, however many of them were found.
        likely = counts[(counts > 0) & (counts < 1)]
        unsure = float(likely.sum())
        spread = variance + float((likely * (1 - likely)).sum()) + (_BELIEF * unsure) ** 2
        low, high = interval(found - unsure, Unseen(unsure + unseen, spread))
        threshold = self.threshold if self._strict else None
        return Estimate(round(found), found + unseen, low, high, threshold), share

    def _left(self, pages: int) -> float:
        """What is left of the worth of waiting links after so many pages, besides what their scores say."""
        return max(_AT_LEAST, min(1.0, _PASSED_OVER / pages) ** 1.5) if self._log_odds else 1.0

    def _counts(self, relevance: Floats) -> Floats:
        """What each of these pages counts."""
        return np.where(relevance >= self.threshold, 1.0, 0.0) if self._strict else relevance

    def _counted(self, link: _Followed, floor: float = 0.0) -> float:
        """What the page behind a followed link counts above a floor."""
        if link.page < 0:
            return 0.0
        relevance = self._relevance[link.page]
        return float(relevance >= self.threshold) if self._strict else max(0.0, relevance - floor)

    def _decline(self, followed: list[_Followed], recent: int, floor: float) -> float:
        """How much less the links that wait are worth than those that were followed lately."""
        scores, outcomes = np.array([(link.score, self._counted(link, floor)) for link in followed], np.float64).T
        return decline(scores, outcomes, recent, self._scores(), self._log_odds)

    def _waiting(self, recent: list[_Followed], less: float, floor: float) -> Unseen:
        """Relevant pages behind the links that were not followed yet."""
        hits = sum(self._counted(link, floor) for link in recent)
        rate = (hits + _PRIOR) / (len(recent) + 1)
        count = variance = 0.0
        # Links of a kind not followed lately are no better than links that more relevant pages link to.
        for linkers in range(_LINKERS, -1, -1):
            queued = self._queued[linkers]
            alike = [self._counted(link, floor) for link in recent if link.linkers == linkers]
            rate = (sum(alike) + _WEIGHT * rate) / (len(alike) + _WEIGHT)
            worth = rate * less
            spread = worth * (1 - worth)
            count += queued * worth
            variance += queued**2 * spread / (len(alike) + _WEIGHT + 1) + queued * spread
        return Unseen(count, variance)

    def _apart(self) -> Unseen:
        """Relevant pages to which neither half of the pages links."""
        caught = [0.0] * (_HALF + 1)
        for link in self._ended:
            caught[self._states[link.url] & _HALF] += self._counted(link)
        _, first, second, both = caught
        return chapman(first + both, second + both, both)

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "latest": None if self.latest is None else list(self.latest),
            "lessons": self.lessons,
            "states": self._states,
            "ended": [list(link) for link in self._ended],
            "relevance": self._relevance.tobytes(),
            "mask": self._mask,
            "due": self._due,
            "shares": self._shares,
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.latest = None if state["latest"] is None else Estimate(*state["latest"])
        self._shares, self.lessons = state["shares"], state["lessons"]
        self._states = state["states"]
        self._ended = [_Followed(*link) for link in state["ended"]]
        self._relevance = array("d")
        self._relevance.frombytes(state["relevance"])
        self._mask, self._due = state["mask"], state["due"]
        self._queued = [0] * (_LINKERS + 1)
        for known in self._states.values():
            if not known & _GONE:
                self._queued[known // _LINKER] += 1
