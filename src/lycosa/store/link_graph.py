"""The link graph: who links to whom, folded from the log into an SQLite file that can be deleted at any time.

Every URL has a number, in the order of first sight. The links of a page are the union over all its visits. They are
kept as packed arrays of numbers in both directions: one row per page for outgoing links, one row per target and batch
of the log for incoming links. A redirect is a link.

A damaged graph is rebuilt. If the folder cannot be written, a graph that is not up to date is rebuilt in memory.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lycosa.core.events import Event, Redirected, Visited
from lycosa.core.inlinks import Inlinks
from lycosa.core.nouns import LISTS
from lycosa.store import pagesums, sqlite, store_errors
from lycosa.store.database import Database, make
from lycosa.store.event_coding import key_of
from lycosa.store.log import Log
from lycosa.store.rows import LogEntry
from lycosa.system import os_errors
from lycosa.system.closable import Closable
from lycosa.system.errors import Code, Damaged, Refused

FILE = "graph.sqlite"

_VERSION = 2
_SCHEMA = f"""
PRAGMA user_version = {_VERSION};
CREATE TABLE seen (seq INTEGER, mark INTEGER);
CREATE TABLE urls (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, url TEXT NOT NULL);
CREATE INDEX urls_by_key ON urls (key);
CREATE TABLE outgoing (src INTEGER PRIMARY KEY, dsts BLOB NOT NULL);
CREATE TABLE incoming (dst INTEGER, batch INTEGER, srcs BLOB NOT NULL, PRIMARY KEY (dst, batch)) WITHOUT ROWID;
INSERT INTO seen VALUES (0, 0);
"""
_BATCH = 8000
"""Events that are folded in one transaction."""
_CHUNK = 20_000
"""Numbers in one query."""

_Ids = npt.NDArray[np.uint32]
_id = np.dtype("<u4")


class Graph(Closable, Inlinks):
    """The links between the URLs of one collection."""

    def __init__(self, folder: Path) -> None:
        """Open the graph of a collection, empty if it was never used; `catch_up` brings it up to date."""
        self.folder = folder
        self.path = folder / FILE
        self._frozen = not os.access(folder, os.W_OK)
        """Whether the folder cannot be written."""
        self._db = self._open()

    @classmethod
    def up_to_date(cls, folder: Path) -> Self:
        """The graph of a collection, as far as the crawl has seen the web."""
        graph = cls(folder)
        try:
            graph.catch_up()
        except BaseException:
            graph.close()
            raise
        return graph

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def catch_up(self) -> int:
        """Fold the events that were added to the log since the last call; return how many links are new."""
        log = Log(self.folder / "log.sqlite")
        added = 0
        try:
            if self._frozen and self._is_behind(log):
                self._db.close()
                self._db, self._frozen = _in_memory(), False
            while not self._frozen and (new := self._fold(log)) is not None:
                added += new
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            log.close()
        return added

    def out_links(self, url: str) -> list[str]:
        """The URLs a page links to, in the order they were seen."""
        number = self._number(url)
        rows = self._rows("SELECT dsts FROM outgoing WHERE src = ?", number)
        return self._urls(_unpack(rows[0][0])) if rows else []

    def in_links(self, url: str, limit: int | None = None) -> list[str]:
        """The pages that link to a URL, first seen first."""
        rows = self._rows("SELECT srcs FROM incoming WHERE dst = ? ORDER BY batch", self._number(url))
        found = [_unpack(srcs) for (srcs,) in rows]
        return self._urls(np.concatenate(found)[:limit]) if found else []

    def of(self, url: str, limit: int) -> list[str]:
        """The same without the URL itself, as a source of in-links."""
        return [page for page in self.in_links(url, limit + 1) if page != url][:limit]

    def arrays(self) -> tuple[list[str], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The whole graph as compressed sparse rows: indices[indptr[n]:indptr[n+1]] are the links of urls[n]."""
        urls = [url for (url,) in self._rows("SELECT url FROM urls ORDER BY id")]
        rows = self._rows("SELECT src, dsts FROM outgoing ORDER BY src")
        degrees = np.zeros(len(urls) + 1, np.int64)
        for src, dsts in rows:
            degrees[src] = len(dsts) // _id.itemsize  # numbers begin at 1, so this is already the entry after page src
        indices = np.frombuffer(b"".join(dsts for _, dsts in rows), _id).astype(np.int64) - 1
        return urls, np.cumsum(degrees), indices

    # -- folding ------------------------------------------------------------------------------------------------------

    def _is_behind(self, log: Log) -> bool:
        """Whether the log is not the one that was folded, or has new events."""
        seq, mark = self._rows("SELECT seq, mark FROM seen")[0]
        last = log.entry(seq)
        same = not seq or (last is not None and _mark(last) == mark)
        return not same or next(log.read(seq, kinds=(Visited, Redirected)), None) is not None

    def _fold(self, log: Log) -> int | None:
        """Fold one batch in one transaction; None if there is nothing left."""
        # Begin before reading how far the graph is, because another process may be folding too.
        self._db.execute("BEGIN IMMEDIATE")
        seq, mark = self._db.execute("SELECT seq, mark FROM seen").fetchone()
        last = log.entry(seq)
        if seq and (last is None or _mark(last) != mark):
            # The log was truncated and continued differently: the graph contains events that are no longer in it.
            for table in ("urls", "outgoing", "incoming"):
                self._db.execute(f"DELETE FROM {table}")
            seq = 0
        batch = list(islice(log.read(seq, kinds=(Visited, Redirected)), _BATCH))
        added = self._add(batch) if batch else 0
        now = (batch[-1].seq, _mark(batch[-1])) if batch else (seq, mark)
        self._db.execute("UPDATE seen SET seq = ?, mark = ?", now)
        self._db.commit()
        return added if batch else None

    def _add(self, batch: list[LogEntry[Event]]) -> int:
        pages = [_links_of(entry.event) for entry in batch]
        numbers = self._number_all(dict.fromkeys(url for page, links in pages for url in (page, *links)))
        known = self._known(numbers[page] for page, _ in pages)
        srcs: list[int] = []
        dsts: list[int] = []
        for page, links in pages:
            src = numbers[page]
            have = known.setdefault(src, {})
            new = [dst for dst in dict.fromkeys(numbers[link] for link in links) if dst not in have]
            have.update(dict.fromkeys(new))
            srcs += [src] * len(new)
            dsts += new
        rows = [(src, np.fromiter(have, _id, len(have)).tobytes()) for src, have in known.items()]
        self._db.executemany("INSERT OR REPLACE INTO outgoing VALUES (?, ?)", rows)
        if dsts:
            self._add_incoming(np.array(srcs, _id), np.array(dsts, _id), batch[-1].seq)
        return len(dsts)

    def _add_incoming(self, srcs: _Ids, dsts: _Ids, batch: int) -> None:
        order = np.argsort(dsts, kind="stable")
        targets, starts = np.unique(dsts[order], return_index=True)
        edges = [*(starts * _id.itemsize).tolist(), len(dsts) * _id.itemsize]
        packed = srcs[order].tobytes()
        rows = (
            (target, batch, packed[start:end])
            for target, (start, end) in zip(targets.tolist(), pairwise(edges), strict=True)
        )
        self._db.executemany("INSERT INTO incoming VALUES (?, ?, ?)", rows)

    def _number_all(self, urls: Iterable[str]) -> dict[str, int]:
        """The number of each URL; new URLs get one."""
        keys = {url: key_of(url) for url in urls}
        known: dict[str, int] = {}
        wanted = list(keys.values())
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            known.update(self._db.execute(f"SELECT url, id FROM urls WHERE key IN ({_marks(chunk)})", chunk).fetchall())
        following = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM urls").fetchone()[0]
        new = [
            (number, keys[url], url) for number, url in enumerate((url for url in keys if url not in known), following)
        ]
        self._db.executemany("INSERT INTO urls VALUES (?, ?, ?)", new)
        known.update((url, number) for number, _, url in new)
        return known

    def _known(self, pages: Iterable[int]) -> dict[int, dict[int, None]]:
        """The known links of these pages, in order."""
        known: dict[int, dict[int, None]] = {}
        wanted = list(pages)
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            rows = self._db.execute(f"SELECT src, dsts FROM outgoing WHERE src IN ({_marks(chunk)})", chunk)
            known.update((src, dict.fromkeys(_unpack(dsts).tolist())) for src, dsts in rows)
        return known

    # -- the file -----------------------------------------------------------------------------------------------------

    def _open(self) -> Database | sqlite3.Connection:
        if not (self.folder / "log.sqlite").is_file():
            raise store_errors.not_a_collection(self.folder)
        try:
            if self.path.exists() and (db := self._existing()):
                return db
            if self._frozen:
                self._frozen = False
                return _in_memory()
            make(self.path, _SCHEMA)
            return Database(self.path, write=True)
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        except OSError as error:
            raise os_errors.of_system(self.path, error) from error

    def _existing(self) -> Database | None:
        """The existing graph; a damaged one or one of another version is deleted, because the log has all its data."""
        try:
            db = Database(self.path, write=not self._frozen)
        except Damaged:
            pass
        else:
            version = db.execute("PRAGMA user_version").fetchone()
            if version == (_VERSION,) and pagesums.sums_beside(self.path).exists():
                return db
            db.close()
        if not self._frozen:
            sqlite.remove(self.path)
        return None

    def _number(self, url: str) -> int:
        rows = self._rows("SELECT id FROM urls WHERE key = ? AND url = ?", key_of(url), url)
        return int(rows[0][0]) if rows else 0

    def _urls(self, numbers: _Ids) -> list[str]:
        urls: dict[int, str] = {}
        wanted = numbers.tolist()
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            urls.update(self._rows(f"SELECT id, url FROM urls WHERE id IN ({_marks(chunk)})", *chunk))
        return [urls[number] for number in wanted]

    def _rows(self, select: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(select, values).fetchall()
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def _trouble(self, error: sqlite3.Error) -> Refused:
        refused = store_errors.of_sqlite(self.path, error)
        if isinstance(refused, Damaged):
            return Refused(refused.problem, f"delete {self.path}: it is rebuilt", code=Code.DAMAGED)
        return refused


def _in_memory() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(_SCHEMA)
    return db


def _mark(entry: LogEntry[Event]) -> int:
    """A number that identifies an event."""
    return key_of(repr(entry))


def _links_of(event: Event) -> tuple[str, Iterable[str]]:
    if isinstance(event, Redirected):
        return event.redirect.ticket.url, (event.redirect.to,)
    assert isinstance(event, Visited)
    # A list names every page of its host, which says nothing about them.
    return event.visit.url, () if event.visit.withheld in LISTS else event.visit.links


def _unpack(blob: bytes) -> _Ids:
    return np.frombuffer(blob, _id)


def _marks(values: list[int]) -> str:
    return ",".join("?" * len(values))
