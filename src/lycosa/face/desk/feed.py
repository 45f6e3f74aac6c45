"""The feed: what has happened in a hunt since the last look, read from its log and from nowhere else."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from msgspec import to_builtins

from lycosa.core.errors import Refused
from lycosa.core.events import Estimated, Leased
from lycosa.face.describing import SAID
from lycosa.face.desk.standing import Standing
from lycosa.face.estimating import described
from lycosa.store.judgements import Inbox
from lycosa.store.listing import Ending, Listing
from lycosa.store.rows import Counts, PageRow

MOST = 200
"""Pages in one batch at most."""
_TITLE = 500
"""Characters of a title that are told."""
_SHARE = 20
"""Counting all pages may take one part in so many of the time."""


@dataclass(frozen=True)
class Fetched:
    """A page as it is listed."""

    __pydantic_config__: ClassVar = SAID
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
    judged: bool | None
    """What a person said of it, if anything."""


@dataclass(frozen=True)
class Listed:
    """Some of the pages that were asked for."""

    __pydantic_config__: ClassVar = SAID
    total: int
    """How many there are in all."""
    pages: list[Fetched]


@dataclass(frozen=True)
class Sums:
    """What a whole hunt has come to."""

    __pydantic_config__: ClassVar = SAID
    pages: int = 0
    harvest: float = 0.0
    """The mean relevance of its pages."""
    queued: int = 0
    """Links that wait to be followed."""
    bytes: int = 0
    hosts: int = 0
    misses: int = 0
    """Links that brought no page and are not asked for again."""
    judged: int = 0
    """Pages that people have judged."""


@dataclass(frozen=True)
class Said:
    """What a person said of a page."""

    url: str
    relevant: bool


@dataclass(frozen=True)
class Batch:
    """What has happened in a hunt since an event."""

    __pydantic_config__: ClassVar = SAID
    seq: int
    """Ask for what comes after this event the next time."""
    pages: list[Fetched]
    """The pages that came, in order."""
    more: bool
    """Whether further pages are there already."""
    counts: Sums
    estimate: dict[str, Any] | None
    """How many relevant pages there may be: found, total, low, high, threshold."""
    judged: list[Said]
    """What people have said since the last look."""
    state: str
    problem: str
    fix: str
    ahead: int
    budget: dict[str, Any]
    """What may be spent: pages, bytes, seconds, share; None is without limit."""


class Feed:
    """Batches of one hunt; it holds nothing open between two looks, so each may be in another thread."""

    def __init__(self, folder: Path, standing: Callable[[Ending], Standing]) -> None:
        """`standing` says how the hunt stands, for its log does not know all of that."""
        self.folder = folder
        self._standing = standing
        self._counts: Counts | None = None
        self._counted, self._cost = 0.0, 0.0
        self._inbox = Inbox(folder)
        self._heard = self._inbox.size()
        self._said: tuple[int, dict[str, bool]] = 0, {}

    def read(self, after: int = 0, limit: int = MOST) -> Batch:
        """What came after an event; also of a hunt that has not begun."""
        try:
            log = Listing(self.folder)
        except Refused:
            return Batch(after, [], False, Sums(), None, [], **self._stands(Ending()))
        try:
            return self._read(log, after, limit)
        finally:
            log.close()

    def _read(self, log: Listing, after: int, limit: int) -> Batch:
        last, ending = log.last_seq(), log.ending()
        rows, judged = log.since(after, limit + 1), self._judged()
        found, more = [_listed(log, row, judged) for row in rows[:limit]], len(rows) > limit
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
                len(judged),
            ),
            estimate=described(estimated.event.estimate) if estimated else None,
            judged=self._news(),
            **self._stands(ending),
        )

    def _stands(self, ending: Ending) -> dict[str, Any]:
        now = self._standing(ending)
        return {**vars(now), "budget": to_builtins(now.budget)}

    def _count(self, log: Listing) -> Counts:
        """The counts; those of a moment ago where it would take too long to count again."""
        now, known = time.monotonic(), self._counts
        if known is None or (known["events"] != log.last_seq() and now - self._counted > _SHARE * self._cost):
            known = self._counts = log.counts()
            self._counted = time.monotonic()
            self._cost = self._counted - now
        return known

    def _judged(self) -> dict[str, bool]:
        if (size := self._inbox.size()) != self._said[0]:
            self._said = size, self._inbox.all()
        return self._said[1]

    def _news(self) -> list[Said]:
        heard = self._inbox.read(self._heard)
        self._heard = heard[-1].end if heard else self._heard
        return [Said(*each.judgement) for each in heard]

    def some(self, judged: bool | None = None, **wishes: Any) -> Listed:
        """Pages by relevance or time, only those that somebody judged or nobody did; wishes as in `Listing.some`."""
        try:
            log = Listing(self.folder)
        except Refused:
            return Listed(0, [])
        try:
            said = self._judged()
            if judged is not None:
                wishes["among" if judged else "besides"] = said
            rows, total = log.some(**wishes)
            return Listed(total, [_listed(log, row, said) for row in rows])
        finally:
            log.close()


def _listed(log: Listing, row: PageRow, judged: Mapping[str, bool]) -> Fetched:
    via = log.via(row.seq)
    return Fetched(row.seq, row.url, row.host, row.title[:_TITLE], row.relevance, row.at, via, judged.get(row.url))


def _queued(log: Listing, ending: Ending) -> int:
    if ending.stopped:
        return ending.stopped.queued
    leased = log.last(Leased)
    return leased.event.queued if leased else 0
