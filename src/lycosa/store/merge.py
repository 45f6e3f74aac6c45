"""Merging: selected pages of several collections become a new one, each with its record and the path that led to it.

For each page these are copied: its WARC record byte for byte, its latest `Visited` event with the relevance that the
page has by now, and its `Leased` event with those of the pages on the path to it, selected or not, so that `why` still
shows the whole path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from lycosa.core.events import Began, Leased, Redirected, Stopped, Visited
from lycosa.core.nouns import Plain, Where
from lycosa.store.collection import Collection
from lycosa.store.log import Log
from lycosa.store.repository import Repository, Writer
from lycosa.system.errors import Damaged

MERGED = "merged"
"""The reason for stopping that a merged collection records."""
_BATCH = 1000
"""Pages between two reports of progress."""

Elsewhere = Callable[[str], tuple[Path, Where] | None]
"""Where the record of a page is: the folder of a collection, and the place in its repository."""


class Share(Struct, frozen=True):
    """What a collection contributes to a merge."""

    folder: Path
    urls: Sequence[str]
    """The pages that are taken from it, in the order of the new collection."""
    seeds: str = ""
    """What `why` says about start pages that are taken from it, besides their score."""
    elsewhere: Elsewhere = lambda url: None
    """Finds the records of pages that the collection itself has no copy of."""


class Merged(Struct):
    """The result of a merge."""

    pages: int
    lost: list[str]
    """Pages whose record is missing or damaged; they are left out."""


def merge(
    shares: Iterable[Share],
    into: Collection,
    plan: dict[str, Plain],
    at: float,
    progress: Callable[[int], object] = lambda pages: None,
) -> Merged:
    """Fill a new collection; a URL that several shares name is taken from the first that has it.

    Nothing is committed before the end: what a killed process leaves behind is an empty collection, not half of one.
    """
    merger = _Merger(into)
    into.log.append(Began(plan), at)
    try:
        for share in shares:
            with Collection.open(share.folder) as source:
                for url in share.urls:
                    merger.take(url, source, share)
                    if merger.pages % _BATCH == 0:
                        progress(merger.pages)
        into.log.append(Stopped(MERGED, True), at)
        into.repository.sync()
        into.log.sync()
    finally:
        merger.writer.close()
    progress(merger.pages)
    return Merged(merger.pages, [url for url in merger.lost if url not in merger.taken])


class _Merger:
    """Copies one page after the other."""

    def __init__(self, into: Collection) -> None:
        self.log = into.log
        self.writer = Writer(into.folder, "merged")
        self.taken: set[str] = set()
        self.lost: list[str] = []
        self._led: set[str] = set()
        """URLs whose path is recorded: the first recorded path stays, so every path begins at a seed."""

    @property
    def pages(self) -> int:
        """How many pages have been copied so far."""
        return len(self.taken)

    def take(self, url: str, source: Collection, share: Share) -> None:
        """Copy a page, unless it is already in the new collection."""
        if url in self.taken:
            return
        visited = source.log.visit_of(url)
        place = visited and self._copied(visited.event.visit.where, url, source.repository, share.elsewhere, visited.at)
        if not visited or not place:
            self.lost.append(url)
            return
        self._lead_to(url, source.log, share.seeds)
        row = source.log.page(url)
        visit = replace(visited.event.visit, where=place, sense=None, terms=None)
        self.log.append(Visited(visit, relevance=row.relevance if row else visited.event.shown), visited.at)
        self.taken.add(url)

    def _copied(
        self, where: Where | None, url: str, repository: Repository, elsewhere: Elsewhere, at: float
    ) -> Where | None:
        if where is None:
            if (found := elsewhere(url)) is None:
                return None
            repository, where = Repository(found[0]), found[1]
        try:
            return self.writer.keep(repository.member(where), at)
        except Damaged:
            return None

    def _lead_to(self, url: str, log: Log, seeds: str) -> None:
        """Record the path from a seed to a URL, as far as it is not recorded yet."""
        way = []
        hop: str | None = url
        while hop is not None and hop not in self._led:
            self._led.add(hop)
            events = log.outcomes_of(hop)
            lease = next((entry for entry in reversed(events) if isinstance(entry.event, Leased)), None)
            if lease is None:
                break
            turned = next((entry for entry in reversed(events) if isinstance(entry.event, Redirected)), None)
            way.append((lease, turned))
            hop = lease.event.ticket.via  # type: ignore[union-attr]
        for lease, turned in reversed(way):
            assert isinstance(lease.event, Leased)
            event = lease.event
            if seeds and event.ticket.via is None:
                event = replace(event, parts={**event.parts, seeds: event.ticket.score})
            self.log.append(event, lease.at)
            if turned and isinstance(turned.event, Redirected):
                self.log.append(Redirected(replace(turned.event.redirect, where=None)), turned.at)
