"""A segment and which of its pages are alive: who links to whom, and who has votes for what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.index.numbers import Flags, Keys, Numbers, Rows
from lycosa.index.segment import Segment

_MOST = 1 << 17
"""Most places of a term that count in one segment; a more frequent term hardly distinguishes documents."""
_HEAVY = 1 << 11
"""The votes for terms with more places than this are counted once and then cached."""
_REMEMBERED = 256
_TARGET = np.uint64(32)
_ONE = np.uint32(1)


class Votes(NamedTuple):
    """The keys of documents that have votes for a term, sorted, and how many each has."""

    documents: Keys
    counts: NDArray[np.int64]


NOBODY = Votes(np.zeros(0, np.uint64), np.zeros(0, np.int64))


class SegmentView:
    """A segment and which of its pages are alive."""

    def __init__(self, segment: Segment, dead: Iterable[int] = (), name: str = "") -> None:
        self.segment = segment
        self.name = name
        self.dead = frozenset(dead)
        self.alive: Flags = np.ones(len(segment.pages), np.bool_)
        self.alive[list(self.dead)] = False
        self._links: Flags | None = np.repeat(self.alive, np.diff(segment.page_links)) if self.dead else None
        self._known: dict[int, Numbers] = {}
        self._heavy: dict[tuple[tuple[int, ...], bool], Votes] = {}

    def __len__(self) -> int:
        return len(self.segment.pages) - len(self.dead)

    def without(self, urls: Keys) -> SegmentView:
        """The same segment with further pages dead."""
        known = self.segment.url_keys
        ranks = np.minimum(np.searchsorted(known, urls), len(known) - 1)
        lost = np.zeros(len(known), np.bool_)
        lost[ranks[known[ranks] == urls]] = True
        gone = np.flatnonzero(lost[self.segment.pages] & self.alive).tolist()
        return SegmentView(self.segment, self.dead.union(gone), self.name) if gone else self

    def links_to(self, url: str) -> Rows:
        """The rows of the links to a URL, except its own."""
        number = self.segment.number(url)
        if number is None:
            return np.zeros(0, np.int64)
        rows = self._counting(np.flatnonzero(self.segment.targets == number))
        others: Rows = rows[self.segment.pages[self.segment.page_of(rows)] != number]
        return others

    def links(self) -> tuple[Rows, Rows]:
        """The numbers of the URLs at both ends of each link of living pages."""
        rows = self._counting(np.arange(len(self.segment.targets)))
        tails = self.segment.pages[self.segment.pages_of_links()[rows]].astype(np.int64)
        heads = self.segment.targets[rows].astype(np.int64)
        others = tails != heads
        return tails[others], heads[others]

    def votes(self, term: tuple[int, ...], anchors: bool) -> Votes:
        """The documents that have votes for a term or phrase."""
        known = self._heavy.get((term, anchors))
        if known is not None:
            return known
        first = self._phrase(term, anchors)
        found = self._count(first, first + np.uint32(len(term) - 1)) if len(first) else NOBODY
        if len(first) > _HEAVY:
            if len(self._heavy) >= _REMEMBERED:
                self._heavy.clear()
            self._heavy[term, anchors] = found
        return found

    def _count(self, first: Numbers, last: Numbers) -> Votes:
        """The votes for the terms between these places; a page has at most one vote for a document."""
        segment = self.segment
        # The near links are those that end after the last word and begin no later than the first: at most two.
        low = np.searchsorted(segment.ends, last, "right")
        high = np.searchsorted(segment.begins, first, "right")
        links = self._counting(np.concatenate((low[high > low], high[high > low + 1] - 1)))
        votes = segment.targets[links].astype(np.uint64) << _TARGET | segment.page_of(links).astype(np.uint64)
        votes.sort()
        targets = votes[_changes(votes)] >> _TARGET
        starts = np.flatnonzero(_changes(targets))
        return Votes(segment.url_keys[targets[starts].astype(np.int64)], np.diff(starts, append=len(targets)))

    def _phrase(self, term: tuple[int, ...], anchors: bool) -> Numbers:
        """The places at which a phrase begins."""
        found = self._places(term[0], anchors)
        for step, key in enumerate(term[1:], 1):
            places = self._places(key, anchors)
            if not len(found) or not len(places):
                return found[:0]
            wanted = found + np.uint32(step)
            at = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
            found = found[places[at] == wanted]
        return found

    def _places(self, key: int, anchors: bool) -> Numbers:
        places = self._known.get(key)
        if places is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            places = self._known[key] = self.segment.places(key)[:_MOST]
        return (places[places & _ONE == 1] if anchors else places) >> _ONE

    def _counting(self, links: Rows) -> Rows:
        return links if self._links is None else links[self._links[links]]


def _changes(values: NDArray[Any]) -> Flags:
    """Where a sorted array contains a value for the first time."""
    flags = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=flags[1:])
    return flags
