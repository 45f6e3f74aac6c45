"""The file of the event log: its tables, its version, and its checksums.

Every page of the file is checked when it is opened (database.py), every event again when it is read.
"""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path
from typing import Any, Self, cast

from xxhash import xxh3_64_intdigest

from lycosa.store import pagesums, sqlite, store_errors
from lycosa.store.database import Database, make
from lycosa.store.projections import Tally
from lycosa.system import locks, os_errors
from lycosa.system.errors import Code, Refused

LOCK = "lock"
"""The file beside the log that its writer locks."""
VERSION = 2
"""The version of the tables and their contents; a log with a higher one is not touched. 1: no checksums."""

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
    modified TEXT
);
CREATE TABLE tally (kind TEXT, name TEXT, count INTEGER NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
"""

_fixed = struct.Struct("<qdq16s")
_EVENT = "seq, at, kind, key, body, sum"


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
        if found == VERSION and self._check and not has_sums:
            pagesums.verify(self.path)
        self._event = _EVENT if found == VERSION else _EVENT.replace("sum", "NULL")
        if found < VERSION and self._write:
            self._migrate(has_sums)

    def _migrate(self, has_sums: bool) -> None:
        """Add checksums to an older log. Its events get none of their own; those of the file's pages cover them."""
        try:
            if not has_sums:
                self._db.close()
                pagesums.make(self.path, sqlite.PAGE)
                self._db = Database(self.path, write=True)
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ALTER TABLE events ADD COLUMN sum INTEGER")
            self._db.execute("UPDATE meta SET value = ? WHERE key = 'version'", (VERSION,))
            self._db.commit()
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(self.path, error) from error
        self._event = _EVENT

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
