"""The histories of a community's pages (`page_history`), in an SQLite file.

All of it is a fold over the events of any number of crawls. An event that is not later than what is known of its page
was taken in already, or comes too late to matter.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from collections.abc import Collection as Some
from pathlib import Path
from typing import Any, Self

from msgspec.structs import astuple

from lycosa.community.announced_changes import announced_changes
from lycosa.community.page_history import ABSENT, GONE, History, absent, in_vain, seen, told
from lycosa.core.events import Event, Missed, Redirected, Visited, outcome_of
from lycosa.core.nouns import Miss, Outcome, Visit
from lycosa.store import sqlite, store_errors
from lycosa.store.collection import Collection
from lycosa.system import os_errors
from lycosa.system.errors import LARGEST, Code, Refused, check_range

CONFIRMATIONS = 2
"""Checks in a row at which a page must be missing before it counts as gone."""
APART = 3600.0
"""Seconds that must lie between the first and the last of them: a site may be broken for a while."""

_FOR_GOOD = {301, 308}
_VERSION = 2
_CHUNK = 500

Announced = Callable[[Visit, float], Iterable[tuple[str, float]]]
"""The pages that a list names, with the times at which they changed."""

_PUT = f"INSERT OR REPLACE INTO pages VALUES ({','.join('?' * len(History.__struct_fields__))})"
_SCHEMA = f"""
CREATE TABLE pages (
    url TEXT PRIMARY KEY, first REAL, asked REAL, seen REAL, changed REAL, digest TEXT, state TEXT, why TEXT,
    checks INTEGER, changes INTEGER, quiet REAL, stirred REAL, absences INTEGER, absent REAL, faults INTEGER,
    sketch BLOB, dated INTEGER, blurred BLOB, told REAL, heeded INTEGER, confirmed INTEGER, size INTEGER, browser REAL
) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""
# Version 1 counted any byte as a change. Whether the text had changed is not known, so such pages are learned anew.
_FROM_1 = (
    *(
        f"ALTER TABLE pages ADD COLUMN {column}"
        for column in (
            "sketch BLOB NOT NULL DEFAULT x''",
            "dated INTEGER NOT NULL DEFAULT 0",
            "blurred BLOB NOT NULL DEFAULT x''",
            "told REAL",
            "heeded INTEGER NOT NULL DEFAULT 0",
            "confirmed INTEGER NOT NULL DEFAULT 0",
            "size INTEGER NOT NULL DEFAULT 0",
            "browser REAL NOT NULL DEFAULT 0",
        )
    ),
    "UPDATE pages SET checks = 0, changes = 0, quiet = 0, stirred = 0 WHERE changes",
    f"PRAGMA user_version = {_VERSION}",
)


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
            self._bring_up_to_date()
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

    def _bring_up_to_date(self) -> None:
        """Refuse a file of a version that is not known, and change one of the first version into the present one."""
        (version,) = self._rows("PRAGMA user_version")[0]
        if version == _VERSION:
            return
        self._rows("BEGIN IMMEDIATE")
        # Another process may have done it in the meantime.
        (version,) = self._rows("PRAGMA user_version")[0]
        if version not in (1, _VERSION):
            raise Refused(
                f"{self.file} is of version {version}", "delete it; it is made again", code=Code.OTHER_VERSION
            )
        for statement in _FROM_1 if version == 1 else ():
            self._rows(statement)
        self._rows("COMMIT")

    def follow(self, folder: Path) -> int:
        """Take in a crawl's log; returns how many pages it says something new about. A second time changes nothing."""
        with Collection.open(folder) as collection:
            entries = collection.log.read(kinds=(Visited, Missed, Redirected))
            repository = collection.repository
            return self.learn(
                ((entry.at, entry.event) for entry in entries),
                lambda visit, at: announced_changes(repository, visit, at),
            )

    def learn(self, events: Iterable[tuple[float, Event]], announced: Announced = lambda visit, at: ()) -> int:
        """Take in events in their order; returns how many pages they say something new about.

        `announced` reads the lists among the pages.
        """
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
                if isinstance(outcome, Visit):
                    heard = dict(announced(outcome, at))
                    known |= self.of([each for each in heard if each not in known])
                    for each, time in heard.items():
                        if (page := known.get(each)) and (news := told(page, time)) is not page:
                            known[each] = changed[each] = news
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
            return seen(history, at, outcome)
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
