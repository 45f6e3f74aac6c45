"""The feed: what has happened in a hunt since the last look, read from its log and from nowhere else."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lycosa.core.errors import Refused
from lycosa.core.events import Estimated, Leased
from lycosa.face.estimating import described
from lycosa.store.judgements import Inbox
from lycosa.store.listing import Ending, Listing
from lycosa.store.rows import Counts, PageRow

MOST = 200
"""Pages in one batch at most."""
_SHARE = 20
"""Counting all pages may take one part in so many of the time."""


class Standing(NamedTuple):
    """How a hunt stands, and what is the matter with it, if anything is."""

    state: str
    problem: str = ""


@dataclass(frozen=True)
class Found:
    """A page as it is listed."""

    seq: int
    """The number of the event with which it came."""
    url: str
    host: str
    title: str
    relevance: float
    at: float
    """When it came, in seconds since 1970."""
    via: str | None
    """The page on which the link to it was found; None for a seed."""


@dataclass(frozen=True)
class Sums:
    """What a whole hunt has come to."""

    pages: int = 0
    harvest: float = 0.0
    """The mean relevance of its pages."""
    queued: int = 0
    """Links that wait to be followed."""
    bytes: int = 0
    hosts: int = 0
    misses: int = 0
    """Links that brought no page and are not asked for again."""


@dataclass(frozen=True)
class Batch:
    """What has happened in a hunt since an event."""

    seq: int
    """Ask for what comes after this event the next time."""
    pages: list[Found]
    """The pages that came, in order."""
    more: bool
    """Whether further pages are there already."""
    counts: Sums
    estimate: dict[str, Any] | None
    """How many relevant pages there may be: found, total, low, high, threshold."""
    judged: int
    """Pages that people have judged."""
    state: str
    problem: str


class Feed:
    """Batches of one hunt; it holds nothing open between two looks, so each may be in another thread."""

    def __init__(self, folder: Path, standing: Callable[[Ending], Standing] | None = None) -> None:
        """`standing` says how the hunt stands to whoever knows more of it than its log does."""
        self.folder = folder
        self._standing = standing or _from_log
        self._counts: Counts | None = None
        self._counted, self._cost = 0.0, 0.0

    def read(self, after: int = 0, limit: int = MOST) -> Batch:
        """What came after an event; also of a hunt that has not begun."""
        try:
            log = Listing(self.folder)
        except Refused:
            return Batch(after, [], False, Sums(), None, 0, *self._standing(Ending(0, None)))
        try:
            return self._read(log, after, limit)
        finally:
            log.close()

    def _read(self, log: Listing, after: int, limit: int) -> Batch:
        last, ending = log.last_seq(), log.ending()
        rows = log.since(after, limit + 1)
        found, more = [_listed(log, row) for row in rows[:limit]], len(rows) > limit
        estimated, counts = log.last(Estimated), self._count(log)
        return Batch(
            seq=found[-1].seq if more else max(last, found[-1].seq if found else 0),
            pages=found,
            more=more,
            counts=Sums(
                counts["pages"],
                counts["harvest"],
                _queued(log, ending),
                counts["bytes"],
                counts["hosts"],
                sum(counts["misses"].values()),
            ),
            estimate=described(estimated.event.estimate) if estimated else None,
            judged=len(Inbox(self.folder).all()),
            **self._standing(ending)._asdict(),
        )

    def _count(self, log: Listing) -> Counts:
        """The counts; those of a moment ago where it would take too long to count again."""
        now = time.monotonic()
        if self._counts is None or now - self._counted > _SHARE * self._cost:
            self._counts, self._counted = log.counts(), now
            self._cost = time.monotonic() - now
        return self._counts


def _listed(log: Listing, row: PageRow) -> Found:
    return Found(row.seq, row.url, row.host, row.title, row.relevance, row.at, log.via(row.seq))


def _queued(log: Listing, ending: Ending) -> int:
    if ending.stopped:
        return ending.stopped.queued
    leased = log.last(Leased)
    return leased.event.queued if leased else 0


def _from_log(ending: Ending) -> Standing:
    if ending.stopped is None:
        return Standing("running" if ending.began else "starting")
    return Standing("finished" if ending.stopped.finished else "stopped")
