"""The history of each page: when it was fetched, how often it had changed, and whether it is still there.

A page is present if the last check fetched it; gone if its server said so (404, 410, moved permanently) at
`confirmations` checks in a row, the first and the last at least `apart` seconds apart; and unknown otherwise. A network
fault, a server error, an unavailable robots.txt: whatever says nothing about the page makes it unknown, never gone.

All of it is a fold over the events of any number of crawls. An event that is not later than what is known of its page
was taken in already, or comes too late to matter.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection as Some
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import astuple, replace

from lycosa.core.events import Event, Missed, Redirected, Visited, outcome_of
from lycosa.core.nouns import Miss, Outcome, Visit
from lycosa.store import sqlite, store_errors
from lycosa.store.collection import Collection
from lycosa.system import os_errors
from lycosa.system.errors import LARGEST, Code, Refused, check_range

PRESENT, GONE, UNKNOWN = "present", "gone", "unknown"
CONFIRMATIONS = 2
"""Checks in a row at which a page must be missing before it counts as gone."""
APART = 3600.0
"""Seconds that must lie between the first and the last of them: a site may be broken for a while."""

ABSENT = {"status 404", "status 410"}
"""Reasons of a miss which mean that there is no such page."""
_FOR_GOOD = {301, 308}
_VERSION = 1
_CHUNK = 500


class History(Struct, frozen=True):
    """What is known of a page over time."""

    url: str
    first: float
    """When it was first seen."""
    asked: float
    """When it was last requested, successfully or not."""
    seen: float
    """When it was last seen."""
    changed: float
    """When it was last seen with another body than before; initially, when it was first seen."""
    digest: str
    state: str = PRESENT
    why: str = ""
    """Why it is not present."""
    checks: int = 0
    """How often it was seen after the first time."""
    changes: int = 0
    """How many of these showed another body than the one before."""
    quiet: float = 0.0
    """Total seconds of the intervals between checks that showed no change."""
    stirred: float = 0.0
    """Total seconds of the intervals between checks that showed a change."""
    absences: int = 0
    """Checks in a row at which its server said that it is not there."""
    absent: float | None = None
    """When the first of these was."""
    faults: int = 0
    """Attempts in a row that said nothing about the page."""


def seen(history: History | None, url: str, at: float, digest: str) -> History:
    """The history after a check that found the page, whether its body was sent or confirmed as unchanged."""
    if history is None:
        return History(url, at, at, at, at, digest)
    since, change = at - history.seen, digest != history.digest
    return replace(
        history,
        asked=at,
        seen=at,
        changed=at if change else history.changed,
        digest=digest,
        state=PRESENT,
        why="",
        checks=history.checks + 1,
        changes=history.changes + change,
        quiet=history.quiet + (0.0 if change else since),
        stirred=history.stirred + (since if change else 0.0),
        absences=0,
        absent=None,
        faults=0,
    )


def absent(history: History, at: float, why: str, confirmations: int, apart: float) -> History:
    """The history after a check at which the server said that the page is not there."""
    count, first = history.absences + 1, at if history.absent is None else history.absent
    state = GONE if count >= confirmations and at - first >= apart else UNKNOWN
    return replace(history, asked=at, state=state, why=why, absences=count, absent=first)


def in_vain(history: History, at: float, why: str) -> History:
    """The history after a check that says nothing about the page. A page that is gone stays gone until it is seen."""
    state = GONE if history.state == GONE else UNKNOWN
    return replace(history, asked=at, state=state, why=why, faults=history.faults + 1)


_PUT = f"INSERT OR REPLACE INTO pages VALUES ({','.join('?' * len(History.__struct_fields__))})"
_SCHEMA = f"""
CREATE TABLE pages (
    url TEXT PRIMARY KEY, first REAL, asked REAL, seen REAL, changed REAL, digest TEXT, state TEXT, why TEXT,
    checks INTEGER, changes INTEGER, quiet REAL, stirred REAL, absences INTEGER, absent REAL, faults INTEGER
) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""


class Freshness:
    """The histories of a community's pages, in one SQLite file; close it, or use it in a `with` statement."""

    def __init__(self, file: Path, *, confirmations: int = CONFIRMATIONS, apart: float = APART) -> None:
        check_range("confirmations", confirmations, 1, LARGEST)
        self.file = file
        self.confirmations = confirmations
        self.apart = apart
        try:
            if not file.exists():
                sqlite.make(file, _SCHEMA)
            self._db = sqlite.writing(file)
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(file, error) from error
        except OSError as error:
            raise os_errors.of_system(file, error) from error
        try:
            (version,) = self._rows("PRAGMA user_version")[0]
            if version != _VERSION:
                raise Refused(f"{file} is of version {version}", "delete it; it is made again", code=Code.OTHER_VERSION)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def follow(self, folder: Path) -> int:
        """Take in a crawl's log; returns how many pages it says something new about. A second time changes nothing."""
        with Collection.open(folder) as collection:
            entries = collection.log.read(kinds=(Visited, Missed, Redirected))
            return self.learn((entry.at, entry.event) for entry in entries)

    def learn(self, events: Iterable[tuple[float, Event]]) -> int:
        """Take in events in their order; returns how many pages they say something new about."""
        known: dict[str, History | None] = {}
        changed: dict[str, History] = {}
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for at, event in events:
                outcome = outcome_of(event)
                if outcome is None:
                    continue
                url = outcome.ticket.url
                if url not in known:
                    known[url] = self.of((url,)).get(url)
                before = known[url]
                after = None if before and at <= before.asked else self._after(before, at, outcome)
                if after:
                    known[url] = changed[url] = after
            self._db.executemany(_PUT, map(astuple, changed.values()))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(self.file, error) from error
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        return len(changed)

    def missed(self, urls: Iterable[str], at: float, why: str) -> None:
        """Note pages that were to be checked but were not, for example because their host had been given up."""
        found = [in_vain(history, at, why) for history in self.of(list(urls)).values() if at > history.asked]
        try:
            self._db.executemany(_PUT, map(astuple, found))
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(self.file, error) from error

    def _after(self, history: History | None, at: float, outcome: Outcome) -> History | None:
        """The history of a page after an outcome; a page that was never seen has none."""
        if isinstance(outcome, Visit):
            return seen(history, outcome.url, at, outcome.digest)
        if history is None:
            return None
        if isinstance(outcome, Miss):
            is_absent, why = outcome.reason in ABSENT, outcome.reason
        else:
            is_absent = outcome.status in _FOR_GOOD
            why = f"moved to {outcome.to}" if is_absent else f"status {outcome.status}"
        return absent(history, at, why, self.confirmations, self.apart) if is_absent else in_vain(history, at, why)

    def of(self, urls: Some[str]) -> dict[str, History]:
        """The histories of these pages; pages that were never seen have none."""
        found: dict[str, History] = {}
        wanted = list(urls)
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            rows = self._rows(f"SELECT * FROM pages WHERE url IN ({','.join('?' * len(chunk))})", *chunk)
            found |= {row[0]: History(*row) for row in rows}
        return found

    def gone(self, urls: Some[str]) -> set[str]:
        """Those of these pages that are gone."""
        return {url for url, history in self.of(urls).items() if history.state == GONE}

    def _rows(self, select: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(select, values).fetchall()
        except sqlite3.Error as error:
            raise store_errors.of_sqlite(self.file, error) from error
