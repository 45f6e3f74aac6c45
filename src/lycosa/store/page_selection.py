"""The pages of a collection that are exported, best first, each with as much data as the format needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cached_property
from typing import TypeVar

from msgspec import Struct

from lycosa.core.events import Event, Judged, Visited
from lycosa.core.nouns import Judgement, Page, Raw, Where
from lycosa.store.collection import Collection
from lycosa.store.judgements import in_force
from lycosa.store.known_pages import KnownPages
from lycosa.store.rows import LogEntry, PageRow
from lycosa.system.errors import Damaged
from lycosa.system.progress import Progress

T = TypeVar("T")
Parse = Callable[[str, bytes, str], Page]
"""A page from its URL, its body and its content type."""

COLUMNS: dict[str, type] = {
    "url": str,
    "title": str,
    "relevance": float,
    "known": str,
    "judge_score": float,
    "fetched": str,
    "language": str,
    "status": int,
    "mime": str,
    "size": int,
    "digest": str,
    "via": str,
    "score": float,
    "judged": str,
    "judged_by": str,
}
"""The columns about a page in every table.

`relevance` is the probability of being on topic, `known` whether that is certain (`example` or `judged`), `judge_score`
what the judge said when the page was fetched, `score` what the strategy said of the link that was followed.
"""


class Conditions(Struct, frozen=True):
    """Conditions on pages, as the list of pages has them; empty ones let every page pass."""

    min_relevance: float | None = None
    host: str = ""
    """A host; its subdomains pass too."""
    text: str = ""
    """Words that the title or the URL contains, in any case."""
    judged: bool | None = None
    """Whether a person has judged it."""

    def admit(self, row: PageRow, judged: bool) -> bool:
        """Whether a page passes all but the relevance, which the log selects by."""
        if self.judged not in (None, judged):
            return False
        if self.host and row.host != self.host and not row.host.endswith(f".{self.host}"):
            return False
        whole = f"{row.title} {row.url}".lower()
        return all(word in whole for word in self.text.lower().split())


_ALL = Conditions()


class PageSelection:
    """The selected pages; counts how many were returned and how many had to be skipped."""

    def __init__(
        self, collection: Collection, parse: Parse, conditions: Conditions = _ALL, progress: Progress | None = None
    ) -> None:
        self._collection = collection
        self._parse = parse
        self._conditions = conditions
        self._progress = progress
        self.done = 0
        self.skipped = 0
        """Pages whose record is missing or damaged."""

    def about(self) -> Iterator[dict[str, object]]:
        """The log's data about each page."""
        for row in self._rows():
            yield self._about(row)

    def texts(self) -> Iterator[dict[str, object]]:
        """The log's data and the text of each page; the text is empty if the page was never archived."""
        for row in self._rows():
            raw = self._found(self._collection.repository.read, row) if row.where else None
            if raw or row.where is None:
                yield {**self._about(row), "text": self.text(row, raw) if raw else ""}

    def responses(self) -> Iterator[tuple[PageRow, Raw]]:
        """Each archived page with its response."""
        for row in self._rows():
            if raw := self._found(self._collection.repository.read, row):
                yield row, raw

    def members(self) -> Iterator[tuple[PageRow, bytes]]:
        """Each archived page with its WARC record as it was written."""
        for row in self._rows():
            if member := self._found(self._collection.repository.member, row):
                yield row, member

    def text(self, row: PageRow, raw: Raw) -> str:
        """The text of a page, parsed from its response."""
        return self._parse(row.url, raw.body, raw.content_type or row.mime).text

    @cached_property
    def _known(self) -> KnownPages:
        return known_pages(self._collection)

    def _rows(self) -> Iterator[PageRow]:
        log = self._collection.log
        least = self._conditions.min_relevance
        total = self._known.count(log, least)
        for row in self._known.best_first(log, least):
            if not self._conditions.admit(row, row.url in self._known.said) or _withheld(log.entry(row.seq)):
                continue
            self.done += 1
            yield row
            if self._progress:
                self._progress(self.done + self.skipped, total)

    def _found(self, read: Callable[[Where], T], row: PageRow) -> T | None:
        try:
            if row.where:
                return read(row.where)
        except Damaged:
            pass
        self.done -= 1
        self.skipped += 1
        return None

    def _about(self, row: PageRow) -> dict[str, object]:
        entry = self._collection.log.entry(row.seq)
        ticket = entry.event.visit.ticket if entry and isinstance(entry.event, Visited) else None
        known = {name: getattr(row, name) for name in COLUMNS if name in PageRow._fields}
        found: dict[str, object] = {"via": ticket.via if ticket else None, "score": ticket.score if ticket else None}
        if judgement := self._known.said.get(row.url):
            found |= {"judged": "yes" if judgement.relevant else "no", "judged_by": judgement.origin}
        shown = self._known.of(row)
        found |= {"relevance": shown.relevance, "known": shown.known or None, "judge_score": row.score}
        values = {**known, **found, "fetched": fetched(row)}
        return {name: values.get(name) for name in COLUMNS}


def known_pages(collection: Collection) -> KnownPages:
    """What is known of pages, with the judgements that the crawl has read, and those that wait in the inbox."""
    events = [entry.event for entry in collection.log.read(kinds=(Judged,))]
    said = [Judgement(event.url, event.relevant, event.origin) for event in events if isinstance(event, Judged)]
    said += [heard.judgement for heard in collection.inbox.read()]
    return KnownPages(collection.log, in_force(said))


def _withheld(entry: LogEntry[Event] | None) -> bool:
    return entry is not None and isinstance(entry.event, Visited) and bool(entry.event.visit.withheld)


def fetched(row: PageRow) -> str:
    """When a page was fetched, as ISO 8601."""
    return datetime.fromtimestamp(row.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
