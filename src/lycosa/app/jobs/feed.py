"""The feed: what has happened in a hunt since the last read, taken only from its log."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from msgspec import to_builtins

from lycosa.app.estimates import described, too_early
from lycosa.app.hunts import budget_answer
from lycosa.app.jobs.hunt_state import AT_WORK, HuntState
from lycosa.app.option_docs import SAID
from lycosa.app.rendering_costs import rendering_answer
from lycosa.core.events import Estimated, Leased, Rejudged
from lycosa.core.nouns import PERSON, Judgement
from lycosa.store.judgements import Inbox
from lycosa.store.known_pages import KnownPages
from lycosa.store.listing import Ending, Listing
from lycosa.store.rows import Counts, PageRow
from lycosa.system.errors import Refused
from lycosa.system.file_stamps import log_stamp

MOST = 200
"""Pages in one batch at most."""
_TITLE = 500
"""Characters of a title that are sent, at most."""
_SHARE = 20
"""Counting all pages may take one part in so many of the time, at most."""


@dataclass(frozen=True)
class Fetched:
    """A page as it is listed."""

    __pydantic_config__: ClassVar = SAID
    seq: int
    """The number of the event that brought it."""
    url: str
    host: str
    title: str
    relevance: float | None
    """How likely it is on topic, from 0 to 1; None while nothing is known."""
    known: str
    """`example` or `judged` if the relevance is certain, else empty."""
    judge_score: float
    """What the judge said when it was fetched, whatever the crawl has learned since."""
    at: float
    """When it was fetched, in seconds since 1970."""
    via: str | None
    """The page on which the link to it was found; None for a seed."""
    judged: bool | None
    """The judgement of it, if there is one."""
    judged_by: str = ""
    """Who judged it: `person`, or a judge who reads, such as `llm:MODEL`."""
    withheld: str = ""
    """Why the page is kept out of searches and exports, such as `noindex`; empty if it is not."""


@dataclass(frozen=True)
class Listed:
    """One part of a list of pages."""

    __pydantic_config__: ClassVar = SAID
    total: int
    """How many there are in all."""
    pages: list[Fetched]


@dataclass(frozen=True)
class Sums:
    """The counts of a whole hunt."""

    __pydantic_config__: ClassVar = SAID
    pages: int = 0
    harvest: float | None = None
    """The mean relevance of its pages, which is the share of them expected to be on topic; None if not known yet."""
    queued: int = 0
    """Links that wait to be fetched."""
    bytes: int = 0
    hosts: int = 0
    misses: int = 0
    """Links that brought no page and are not tried again."""
    judged: int = 0
    """Pages that were judged."""


@dataclass(frozen=True)
class FeedItem:
    """A judgement of a page."""

    url: str
    relevant: bool | None
    """None if the judgement was withdrawn."""
    origin: str = PERSON
    """Who judged it: `person`, or a judge who reads, such as `llm:MODEL`."""


@dataclass(frozen=True)
class Batch:
    """What has happened in a hunt since an event."""

    __pydantic_config__: ClassVar = SAID
    seq: int
    """The number of the last event included; the next batch starts after it."""
    pages: list[Fetched]
    """The pages fetched, in order."""
    more: bool
    """Whether further pages are available already."""
    counts: Sums
    estimate: dict[str, Any] | None
    """How many relevant pages there may be: found, total, low, high, threshold; None while it is too early to tell."""
    too_early: str
    """Why it is too early to tell how many relevant pages there may be; empty if there is an estimate."""
    rejudged: int
    """The number of the last event after which pages have another relevance: if it changes, ask for them again."""
    rendering: dict[str, Any]
    """What reading pages from a browser has cost: pages, requests, seconds, slower, shells, advice."""
    judged: list[FeedItem]
    """Judgements since the last batch."""
    state: str
    problem: str
    fix: str
    ahead: int
    budget: dict[str, Any]
    """The budget: pages, bytes, seconds, until; None means no limit."""


class FeedPosition(NamedTuple):
    """How far a reader has followed a hunt."""

    seq: int = 0
    """The number of the last event."""
    heard: int = 0
    """Bytes of the inbox read so far: which judgements are known."""


class Sign(NamedTuple):
    """A value that changes whenever there may be something new in a hunt."""

    what: object
    at_work: bool
    """Whether a change is to be expected at any moment."""


class Feed:
    """Batches of one hunt, for any number of readers; it holds no file open, so each read may be in another thread."""

    def __init__(self, folder: Path, state_of: Callable[[Ending], HuntState]) -> None:
        """`state_of` returns the state of the hunt, which its log alone does not tell."""
        self.folder = folder
        self._state_of = state_of
        self._ending = Ending()
        self._counts: Counts | None = None
        self._counted, self._cost, self._behind = 0.0, 0.0, False
        self._inbox = Inbox(folder)
        self._said: tuple[int, dict[str, Judgement]] = 0, {}

    def sign(self) -> Sign:
        """The current sign, found without reading the log."""
        now, due = self._state_of(self._ending), self._behind and self._may_count()
        return Sign((log_stamp(self.folder), self._inbox.size(), now, due), now.state in AT_WORK)

    def place(self, after: int = 0) -> FeedPosition:
        """The position after an event, with all judgements up to now known."""
        return FeedPosition(after, self._inbox.size())

    def read(self, after: FeedPosition | int = 0, limit: int = MOST) -> tuple[Batch, FeedPosition]:
        """The batch after a position or an event, and the position after it; empty if the hunt has not begun."""
        place = self.place(after) if isinstance(after, int) else after
        try:
            log = Listing(self.folder)
        except Refused:
            return Batch(place.seq, [], False, Sums(), None, too_early(0), 0, {}, [], **self._stands(Ending())), place
        try:
            return self._read(log, place, limit)
        finally:
            log.close()

    def _read(self, log: Listing, place: FeedPosition, limit: int) -> tuple[Batch, FeedPosition]:
        last, ending = log.last_seq(), log.ending()
        rows, known = log.since(place.seq, limit + 1), KnownPages(log, self._judged())
        found, more = [_listed(log, row, known) for row in rows[:limit]], len(rows) > limit
        estimated, counts = log.last(Estimated), self._count(log, ended=ending.stopped is not None)
        heard = self._inbox.read(place.heard)
        self._ending = ending
        batch = Batch(
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
                len(known.judged),
            ),
            estimate=to_builtins(described(estimated.event.estimate)) if estimated else None,
            too_early="" if estimated else too_early(counts["pages"]),
            rejudged=again.seq if (again := log.last(Rejudged)) else 0,
            rendering=to_builtins(rendering_answer(counts["rendering"], counts["pages"])),
            judged=[FeedItem(*each.judgement) for each in heard],
            **self._stands(ending),
        )
        return batch, FeedPosition(batch.seq, heard[-1].end if heard else place.heard)

    def _stands(self, ending: Ending) -> dict[str, Any]:
        now = self._state_of(ending)
        return {**vars(now), "budget": to_builtins(budget_answer(now.budget))}

    def _count(self, log: Listing, *, ended: bool) -> Counts:
        """The counts; while the hunt runs, the previous ones if counting again now would take too much time."""
        known, last = self._counts, log.last_seq()
        if known is None or (known["events"] != last and (ended or self._may_count())):
            began = time.monotonic()
            known = self._counts = log.counts()
            self._counted = time.monotonic()
            self._cost = self._counted - began
        self._behind = known["events"] != last
        return known

    def _may_count(self) -> bool:
        return time.monotonic() - self._counted > _SHARE * self._cost

    def _judged(self) -> dict[str, Judgement]:
        if (size := self._inbox.size()) != self._said[0]:
            self._said = size, self._inbox.in_force()
        return self._said[1]

    def some(self, judged: bool | None = None, **options: Any) -> Listed:
        """Pages by relevance or time, optionally only those judged or not judged; options as in `Listing.some`."""
        try:
            log = Listing(self.folder)
        except Refused:
            return Listed(0, [])
        try:
            said = self._judged()
            if judged is not None:
                options["among" if judged else "besides"] = said
            known = KnownPages(log, said)
            rows, total = log.some(said=known.certain, **options)
            return Listed(total, [_listed(log, row, known) for row in rows])
        finally:
            log.close()


def _listed(log: Listing, row: PageRow, known: KnownPages) -> Fetched:
    visit, said = log.visit(row.seq), known.said.get(row.url)
    via, withheld = (visit.ticket.via, visit.withheld) if visit else (None, "")
    word = (said.relevant, said.origin) if said else (None, "")
    shown = known.of(row)
    return Fetched(row.seq, row.url, row.host, row.title[:_TITLE], *shown, row.score, row.at, via, *word, withheld)


def _queued(log: Listing, ending: Ending) -> int:
    if ending.stopped:
        return ending.stopped.queued
    leased = log.last(Leased)
    return leased.event.queued if leased else 0
