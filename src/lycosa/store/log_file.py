"""The file of the event log: its tables, its version, and its checksums.

Every page of the file is checked when it is opened (database.py), every event again when it is read.
"""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

from xxhash import xxh3_64_intdigest

from lycosa.core.events import Event, Judged
from lycosa.store import pagesums, sqlite, store_errors
from lycosa.store.database import Database, make
from lycosa.store.event_coding import decode
from lycosa.store.projections import Tally
from lycosa.store.rows import PageRow
from lycosa.system import locks, os_errors
from lycosa.system.errors import Code, Refused

LOCK = "lock"
"""The file beside the log that its writer locks."""
VERSION = 3
"""The version of the tables and their contents; a log with a higher one is not touched.

1: no checksums. 2: the relevance of a page is the judge's score.
"""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE events (
    seq INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, key INTEGER, body BLOB NOT NULL, sum INTEGER
);
CREATE INDEX events_by_url ON events (key) WHERE key IS NOT NULL;
CREATE INDEX events_by_kind ON events (kind) WHERE key IS NULL;
CREATE TABLE pages (
    seq INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host TEXT, relevance REAL, title TEXT, status INTEGER, mime TEXT,
    language TEXT, digest TEXT, size INTEGER, at REAL, file TEXT, offset INTEGER, length INTEGER, etag TEXT,
    modified TEXT, score REAL
);
CREATE TABLE tally (kind TEXT, name TEXT, count INTEGER NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
"""

_fixed = struct.Struct("<qdq16s")


class Columns(NamedTuple):
    """What is selected from the tables of a version."""

    event: str
    page: str
    best: str
    """The order of pages by relevance: those of which nothing is known come last, by the judge's score."""


def columns_of(version: int) -> Columns:
    """What is selected from the tables of a version, so that rows are as in this one."""
    sum_, score = "sum" if version > 1 else "NULL", "score" if version > 2 else "relevance"
    page = ", ".join(PageRow._fields[:-1])
    best = f"relevance IS NULL, relevance DESC, {score} DESC"
    return Columns(f"seq, at, kind, key, body, {sum_}", f"{page}, {score}", best)


class LogFile:
    """An open log; a single writer, and any number of readers."""

    def __init__(self, path: Path, *, write: bool = False, check: bool = True) -> None:
        """Open an existing log, for reading unless `write`; `check` is False to look for damage."""
        self.path = path
        if not path.is_file():
            raise store_errors.not_a_collection(path.parent)
        self._write = write
        # The process that holds the lock has checked the file, and is changing it.
        self._check = check and (write or not locks.is_held(path.with_name(LOCK)))
        self._db = Database(path, write=write, check=self._check)
        self.remark = self._db.remark
        """A remark about what a writer found on opening: that the last transactions are lost, for example."""
        try:
            self._settle_version()
            self._tally = self._stored_tally()
            self._last = self.last_seq()
        except BaseException:
            self._db.close()
            raise
        self._changed: set[tuple[str, str]] = set()

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new, empty log, open for writing."""
        try:
            make(path, f"{_SCHEMA} INSERT INTO meta VALUES ('version', {VERSION});")
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(path, error) from error
        except OSError as error:
            raise os_errors.of_system(path, error) from error
        return cls(path, write=True)

    def _settle_version(self) -> None:
        """Refuse what is not a log of Lycosa, and bring an older one up to date if it is open for writing."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'meta'"):
            raise store_errors.not_a_collection(self.path.parent)
        found = self._one("SELECT max(value) FROM meta WHERE key = 'version'")
        if not isinstance(found, int):
            raise store_errors.damaged(self.path, f"{self.path.name} does not say its version")
        if found > VERSION:
            problem = f"{self.path} was written by a newer Lycosa (log version {found})"
            raise Refused(problem, "upgrade Lycosa", code=Code.OTHER_VERSION)
        has_sums = pagesums.sums_beside(self.path).exists()
        if found > 1 and self._check and not has_sums:
            pagesums.verify(self.path)
        if found < VERSION and self._write:
            self._migrate(found, has_sums)
            found = VERSION
        self._columns = columns_of(found)

    def _migrate(self, found: int, has_sums: bool) -> None:
        """Bring an older log up to date.

        Events without checksums get none of their own; those of the file's pages cover them.
        """
        try:
            if not has_sums:
                self._db.close()
                pagesums.make(self.path, sqlite.PAGE)
                self._db = Database(self.path, write=True)
            self._db.execute("BEGIN IMMEDIATE")
            if found < 2:
                self._db.execute("ALTER TABLE events ADD COLUMN sum INTEGER")
            self._db.execute("ALTER TABLE pages ADD COLUMN score REAL")
            self._db.execute("UPDATE pages SET score = relevance")
            for (body,) in self._db.execute("SELECT body FROM events WHERE kind = 'judged' ORDER BY seq").fetchall():
                self._judge(decode(body))
            self._db.execute("UPDATE meta SET value = ? WHERE key = 'version'", (VERSION,))
            self._db.commit()
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(self.path, error) from error

    def _judge(self, event: Event) -> None:
        """A person's word is a page's relevance; once it is withdrawn, nothing is known until the crawl says it."""
        assert isinstance(event, Judged)
        known = None if event.relevant is None else float(event.relevant)
        self._db.execute("UPDATE pages SET relevance = ? WHERE url = ?", (known, event.url))

    def close(self) -> None:
        """Close the file; uncommitted events are lost."""
        self._db.close()

    def last_seq(self) -> int:
        """The number of the last event, 0 in an empty log."""
        return cast(int, self._one("SELECT coalesce(max(seq), 0) FROM events"))

    def _stored_tally(self) -> Tally:
        return {(kind, name): count for kind, name, count in self._rows("SELECT kind, name, count FROM tally")}

    def _rows(self, select: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(select, values).fetchall()
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(self.path, error) from error

    def _one(self, select: str) -> Any:
        return self._rows(select)[0][0]


def sum_of(seq: int, at: float, kind: str, key: int | None, body: bytes) -> int:
    """The checksum of an event's row, signed because SQLite's integers are."""
    found = xxh3_64_intdigest(_fixed.pack(seq, at, key or 0, kind.encode()) + body)
    return found - (1 << 64) if found >> 63 else found
