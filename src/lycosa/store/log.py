"""The event log: what happened, in order, in one SQLite file that only grows.

Beside the events there are two small projections, written in the same transaction: the pages, so that listing them
needs no scan, and the tally, which counts events and notes where each file of the repository ends.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar, cast

from xxhash import xxh3_64_intdigest

from lycosa.core.events import Event, Judged, Leased, Rejudged, Visited
from lycosa.core.rejudging import changes
from lycosa.store import sqlite, store_errors
from lycosa.store.event_coding import KINDS, decode, encode, key_of, url_of
from lycosa.store.log_file import LogFile, sum_of
from lycosa.store.projections import OUTSIDE, WITHHELD, Tally, counted, page_of
from lycosa.store.rows import Counts, LogEntry, PageRow
from lycosa.system import os_errors
from lycosa.system.errors import Damaged

E = TypeVar("E", bound=Event)
_ADD_PAGE = (
    f"INSERT OR REPLACE INTO pages ({','.join(PageRow._fields)}) VALUES ({','.join('?' * len(PageRow._fields))})"
)
_PAGES = "SELECT seq, relevance FROM pages ORDER BY seq DESC LIMIT ?"
_VISITS = (
    "SELECT events.seq, relevance FROM events LEFT JOIN pages ON pages.seq = events.seq "
    f"WHERE kind = '{KINDS[Visited]}' ORDER BY events.seq DESC LIMIT ?"
)
_CHUNK = 500
"""Rows read at once."""


class Log(LogFile):
    """The events of one collection."""

    # -- writing ------------------------------------------------------------------------------------------------------

    def append(self, event: Event, at: float) -> int:
        """Add an event to the open transaction and return its number; it counts once `commit` returns."""
        return self.copy(event, encode(event), at)

    def copy(self, event: Event, body: bytes, at: float) -> int:
        """Append an event with its body from another log: it has the same mark in both logs."""
        url = url_of(event)
        seq = self._last + 1
        row = (seq, at, KINDS[type(event)], None if url is None else key_of(url), body)
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", (*row, sum_of(*row)))
            self._last = seq
            self._project(seq, at, event)
        except sqlite3.Error as error:
            self.rollback()
            raise store_errors.of_sqlite(self.path, error) from error
        return seq

    def commit(self) -> None:
        """Make everything appended so far permanent: a killed process loses none of it."""
        if not self._db.in_transaction:
            return
        try:
            rows = [(*key, self._tally[key]) for key in self._changed]
            self._db.executemany("INSERT OR REPLACE INTO tally VALUES (?, ?, ?)", rows)
            self._db.commit()
        except sqlite3.Error as error:
            self.rollback()
            raise store_errors.of_sqlite(self.path, error) from error
        self._changed.clear()

    def rollback(self) -> None:
        """Discard everything appended since the last commit."""
        self._db.rollback()
        self._last = self.last_seq()
        if self._changed:
            self._changed.clear()
            self._tally = self._stored_tally()

    def sync(self) -> None:
        """Commit, and return when it is on the disk: not even a power cut loses it."""
        self.commit()
        try:
            sqlite.sync(self.path)
        except OSError as error:
            raise os_errors.of_system(self.path, error) from error

    def cut(self, seq: int) -> int:
        """Drop all events after this one and rebuild the projections; return how many events were dropped."""
        self.rollback()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            dropped = self._db.execute("DELETE FROM events WHERE seq > ?", (seq,)).rowcount
            self._last = self.last_seq()
            if dropped:
                self._db.execute("DELETE FROM pages")
                self._db.execute("DELETE FROM tally")
                self._tally = {}
                for entry in self.read():
                    self._project(*entry)
            self.commit()
        except sqlite3.Error as error:
            self.rollback()
            raise store_errors.of_sqlite(self.path, error) from error
        return dropped

    def _project(self, seq: int, at: float, event: Event) -> None:
        match event:
            case Visited() if not event.visit.out_of_scope:
                self._db.execute(_ADD_PAGE, page_of(seq, at, event))
            case Judged():
                self._judge(event)
            case Rejudged(packed=packed):
                self._rejudge(packed)
        self._changed.update(counted(self._tally, event))

    def _rejudge(self, packed: bytes) -> None:
        # The crawl tells the relevance of everything it has visited, also of what is out of its scope.
        latest = self._rows(_VISITS if self._has_outside() else _PAGES, len(packed))[::-1]
        news = changes([relevance for _, relevance in latest], packed)
        rows = [(relevance, latest[place][0]) for place, relevance in news]
        self._db.executemany("UPDATE pages SET relevance = ? WHERE seq = ?", rows)

    def _has_outside(self) -> bool:
        return any(kind == OUTSIDE for kind, _ in self._tally)

    # -- reading ------------------------------------------------------------------------------------------------------

    def last_time(self) -> float:
        """When the last event happened, 0 in an empty log."""
        rows = self._rows("SELECT at FROM events ORDER BY seq DESC LIMIT 1")
        return cast(float, rows[0][0]) if rows else 0.0

    def read(self, after: int = 0, kinds: Collection[type[Event]] | None = None) -> Iterator[LogEntry[Event]]:
        """The events after a number, in order, up to the last one at the time when reading began."""
        end = self.last_seq()
        names = () if kinds is None else tuple(KINDS[kind] for kind in kinds)
        chosen = "" if kinds is None else f"AND kind IN ({','.join('?' * len(names))})"
        columns = f"SELECT {self._columns.event} FROM events"
        select = f"{columns} WHERE seq > ? AND seq <= ? {chosen} ORDER BY seq LIMIT {_CHUNK}"
        # In chunks, so that a slow reader never blocks the writer's write-ahead log.
        while rows := self._rows(select, after, end, *names):
            for row in rows:
                if kinds is None and row[0] != after + 1:
                    raise self._lost(after + 1)
                yield self._entry(*row)
                after = row[0]
        if kinds is None and after < end:
            raise self._lost(after + 1)

    def entry(self, seq: int) -> LogEntry[Event] | None:
        """The event with this number."""
        rows = self._rows(f"SELECT {self._columns.event} FROM events WHERE seq = ?", seq)
        return self._entry(*rows[0]) if rows else None

    def mark(self, seq: int) -> int:
        """A number that identifies an event; 0 if there is no such event."""
        rows = self._rows("SELECT at, body FROM events WHERE seq = ?", seq)
        return xxh3_64_intdigest(repr(rows[0]).encode()) if rows else 0

    def last(self, kind: type[E]) -> LogEntry[E] | None:
        """The latest event of a kind."""
        select = f"SELECT {self._columns.event} FROM events WHERE kind = ? {{}} ORDER BY seq DESC LIMIT 1"
        # Events without a URL are few and have their own index; the others are soon found when reading backwards.
        for where in ("AND key IS NULL", "AND key IS NOT NULL"):
            if rows := self._rows(select.format(where), KINDS[kind]):
                return cast(LogEntry[E], self._entry(*rows[0]))
        return None

    def outcomes_of(self, url: str) -> list[LogEntry[Event]]:
        """Every event about a URL, in order."""
        rows = self._rows(f"SELECT {self._columns.event} FROM events WHERE key = ? ORDER BY seq", key_of(url))
        return [entry for entry in (self._entry(*row) for row in rows) if url_of(entry.event) == url]

    def lease_of(self, url: str) -> LogEntry[Leased] | None:
        """The latest lease of a URL: why and when it was fetched."""
        return self._latest(url, Leased)

    def visit_of(self, url: str) -> LogEntry[Visited] | None:
        """The latest visit of a URL."""
        return self._latest(url, Visited)

    def _latest(self, url: str, kind: type[E]) -> LogEntry[E] | None:
        found = [entry for entry in self.outcomes_of(url) if isinstance(entry.event, kind)]
        return cast(LogEntry[E], found[-1]) if found else None

    def page(self, url: str) -> PageRow | None:
        """The page at a URL, if it was visited."""
        rows = self._rows(f"SELECT {self._columns.page} FROM pages WHERE url = ?", url)
        return PageRow(*rows[0]) if rows else None

    def pages(
        self, min_relevance: float | None = None, order: str = "relevance", limit: int | None = None
    ) -> Iterator[PageRow]:
        """The pages of the collection, best first (order "relevance") or in the order they were fetched ("time")."""
        by = {"relevance": f"{self._columns.best}, seq", "time": "seq"}[order]
        chosen, values = _above(min_relevance)
        # Only the numbers are read before iterating, for the same reason as in `read`.
        select = f"SELECT seq FROM pages {chosen} ORDER BY {by} LIMIT ?"
        found = self._rows(select, *values, -1 if limit is None else limit)
        for start in range(0, len(found), _CHUNK):
            yield from self.pages_at([seq for (seq,) in found[start : start + _CHUNK]])

    def pages_at(self, seqs: Sequence[int]) -> list[PageRow]:
        """The pages whose visits have these numbers, in that order."""
        by_seq: dict[int, PageRow] = {}
        for start in range(0, len(seqs), _CHUNK):
            chunk = seqs[start : start + _CHUNK]
            rows = self._rows(
                f"SELECT {self._columns.page} FROM pages WHERE seq IN ({','.join('?' * len(chunk))})", *chunk
            )
            by_seq.update((row[0], PageRow(*row)) for row in rows)
        # A page that was fetched again in the meantime has another number now; its old row is gone.
        return [by_seq[seq] for seq in seqs if seq in by_seq]

    def pages_after(self, seq: int, end: int) -> Iterator[PageRow]:
        """The pages that were fetched after an event, up to another one, in order."""
        select = f"SELECT {self._columns.page} FROM pages WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT {_CHUNK}"
        while rows := self._rows(select, seq, end):
            yield from (PageRow(*row) for row in rows)
            seq = rows[-1][0]

    def page_count(self, min_relevance: float | None = None) -> int:
        """How many pages `pages` lists."""
        chosen, values = _above(min_relevance)
        return cast(int, self._rows(f"SELECT count(*) FROM pages {chosen}", *values)[0][0])

    def counts(self) -> Counts:
        """How often each kind of event happened."""
        tally = self._current_tally()
        of = {kind: {name: count for (of, name), count in tally.items() if of == kind} for kind, _ in tally}
        visited, redirected = of.get("visited", {}), of.get("redirected", {})
        statuses: dict[int, int] = {}
        for name, count in [*visited.items(), *redirected.items()]:
            statuses[int(name)] = statuses.get(int(name), 0) + count
        return Counts(
            events=self.last_seq(),
            leases=sum(of.get("leased", {}).values()),
            visits=sum(visited.values()),
            redirects=sum(redirected.values()),
            misses=of.get("missed", {}),
            retries=of.get("retried", {}),
            withheld=of.get(WITHHELD, {}),
            statuses=statuses,
            pages_outside=of.get(OUTSIDE, {}),
            bytes=sum(of.get("bytes", {}).values()),
            rendering=of.get("rendering", {}),
            pages=self._one("SELECT count(*) FROM pages"),
            harvest=self._one("SELECT avg(relevance) FROM pages"),
            hosts=self._one("SELECT count(DISTINCT host) FROM pages"),
        )

    def ends(self) -> dict[str, int]:
        """For each file of the repository, where the last record that the log names ends."""
        return {name: count for (kind, name), count in self._current_tally().items() if kind == "end"}

    def _current_tally(self) -> Tally:
        return self._tally if self._write else self._stored_tally()

    def _entry(self, seq: int, at: float, kind: str, key: int | None, body: bytes, sum: int | None) -> LogEntry[Event]:
        try:
            if sum is not None and sum != sum_of(seq, at, kind, key, body):
                raise ValueError("its checksum is wrong")
            return LogEntry(seq, at, decode(body))
        except (ValueError, TypeError, struct.error) as error:
            raise store_errors.damaged(self.path, f"event {seq} of {self.path.name} is damaged ({error})") from None

    def _lost(self, seq: int) -> Damaged:
        return store_errors.damaged(self.path, f"event {seq} of {self.path.name} is missing")


def _above(min_relevance: float | None) -> tuple[str, tuple[float, ...]]:
    # Without a bound, or with none to speak of, also pages of which nothing is known.
    return ("WHERE relevance >= ?", (min_relevance,)) if min_relevance else ("", ())
