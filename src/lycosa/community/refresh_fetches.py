"""The fetches of a refresh: what any of its crawls fetched, as one collection in the work folder.

Its log has the first visit of every page, and every redirect and miss; its WARC files are links to those of the crawls.
So a refresh fetches no page twice: a crawl takes what another one has fetched. The working index follows this log.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from lycosa.core.events import Began, Missed, Redirected, Visited, outcome_of
from lycosa.core.nouns import LOST, RESTING, Miss, Outcome, Plain, Redirect, Ticket, Visit, Where
from lycosa.store.collection import Collection
from lycosa.store.repository import FOLDER

_NOT_ASKED = ("host given up", "host full", "too many redirects")
"""Reasons of misses that say something about the crawl and nothing about the page."""


class RefreshFetches:
    """One collection of what many crawls have fetched; it has one writer, and scouts read it meanwhile."""

    def __init__(self, folder: Path, plan: dict[str, Plain]) -> None:
        """`plan` says how its pages are read; it is that of any of the crawls."""
        self.folder = folder
        there = (folder / "log.sqlite").exists()
        self.collection = Collection.open(folder, write=True) if there else Collection.create(folder)
        self._log = self.collection.log
        if not self._log.last_seq():
            self._log.append(Began(plan), 0.0)
            self._log.commit()
        self._pages = {row.url for row in self._log.pages(order="time")}
        self._others: dict[str, Redirect | Miss] = {}
        for entry in self._log.read(kinds=(Redirected, Missed)):
            if isinstance(outcome := outcome_of(entry.event), Redirect | Miss):
                self._others[outcome.ticket.url] = outcome
        self._linked: set[str] = set()
        self._fetched: Counter[str] | None = None

    def __len__(self) -> int:
        return len(self._pages)

    def __contains__(self, url: str) -> bool:
        return url in self._pages

    def close(self) -> None:
        """Close the collection."""
        self.collection.close()

    def known(self, ticket: Ticket) -> Outcome | bool:
        """For the host queue: True if the page is here, the outcome of a redirect or lasting miss, else False."""
        if ticket.url in self._pages:
            return True
        other = self._others.get(ticket.url)
        if other is None or (isinstance(other, Miss) and (other.again or other.reason in _NOT_ASKED)):
            return False
        return replace(other, ticket=ticket)

    def misses(self) -> Iterator[Miss]:
        """The last miss of every URL that no crawl could fetch."""
        return (other for url, other in self._others.items() if isinstance(other, Miss) and url not in self._pages)

    def redirects(self) -> Iterator[Redirect]:
        """The redirects of all crawls."""
        return (other for other in self._others.values() if isinstance(other, Redirect))

    def place(self, url: str) -> tuple[Path, Where] | None:
        """The file and position of a page's WARC record."""
        row = self._log.page(url)
        return (self.folder, row.where) if row and row.where else None

    def fetched_by(self, crawl: Path) -> int:
        """How many pages a crawl was the first to fetch."""
        if self._fetched is None:
            files = (row.file for row in self._log.pages(order="time") if row.file)
            self._fetched = Counter(file.partition(".")[0] for file in files)
        return self._fetched[crawl.name]

    def note(self, outcome: Outcome, at: float, crawl: Path) -> None:
        """Add an outcome of a crawl, once the crawl's own log has it; it is durable when `commit` returns."""
        self._fetched = None
        match outcome:
            case Visit() if outcome.url not in self._pages and outcome.where:
                self._pages.add(outcome.url)
                where = outcome.where._replace(file=self._linked_to(crawl, outcome.where.file))
                self._log.append(Visited(replace(outcome, where=where, sense=None, terms=None)), at)
            case Redirect() if self._is_news(outcome):
                self._others[outcome.ticket.url] = moved = replace(outcome, where=None)
                self._log.append(Redirected(moved), at)
            case Miss() if not outcome.ours and outcome.reason not in (LOST, RESTING) and self._is_news(outcome):
                self._others[outcome.ticket.url] = outcome
                self._log.append(Missed(outcome), at)

    def take_in(self, crawl: Path) -> None:
        """Add all outcomes of a crawl."""
        with Collection.open(crawl) as source:
            for row in source.log.pages(order="time"):
                if row.url not in self._pages and row.where and (entry := source.log.entry(row.seq)):
                    assert isinstance(entry.event, Visited)
                    self.note(entry.event.visit, entry.at, crawl)
            for entry in source.log.read(kinds=(Redirected, Missed)):
                if outcome := outcome_of(entry.event):
                    self.note(outcome, entry.at, crawl)
        self.commit()

    def commit(self) -> None:
        """Make what was added durable and visible to readers."""
        self._log.commit()

    def _is_news(self, outcome: Redirect | Miss) -> bool:
        if outcome.ticket.url in self._pages:
            return False
        before = self._others.get(outcome.ticket.url)
        # An answer says more than a network fault.
        return before is None or (isinstance(before, Miss) and before.again and before != outcome)

    def _linked_to(self, crawl: Path, file: str) -> str:
        """The name that a crawl's WARC file has here."""
        name = f"{crawl.name}.{file}"
        if name not in self._linked:
            self._linked.add(name)
            # A relative link, so that the folder can be moved; readers follow it, and nothing ever writes through it.
            target = Path(os.path.relpath(crawl / FOLDER / file, self.folder / FOLDER))
            with suppress(FileExistsError):
                (self.folder / FOLDER / name).symlink_to(target)
        return name
