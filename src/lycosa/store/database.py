"""An SQLite file whose pages are all checked before they are read, by checksums in a file beside it (`pagesums.py`)."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lycosa.store import pagesums, sqlite, store_errors, wal
from lycosa.system.errors import Refused

LARGE = 512 << 20
"""Files of more than this many bytes are checked completely by writers and by a check, but not by each reader."""
_LOOK = 1000
"""Changed rows after which the length of the write-ahead log is checked."""

_opening = threading.Lock()
_open: Counter[str] = Counter()
"""How often this process has each file open. Closing a file releases all locks that the process has on it, including
SQLite's: so this module reads a file directly only while SQLite has not opened it."""
_sound: dict[str, tuple[object, ...]] = {}
"""The stamps of checked files, as of their check."""


def make(path: Path, schema: str) -> None:
    """Create a file with these tables and its checksums, completely or not at all."""
    made = path.with_name(path.name + ".new")
    sqlite.draft(made, schema)
    pagesums.make(made, sqlite.PAGE, into=pagesums.sums_beside(path))
    made.rename(path)


class Database:
    """An open file; one writer at a time, and any number of readers."""

    def __init__(self, path: Path, *, write: bool = False, check: bool = True) -> None:
        """`check` is False for a caller that looks for damage, or knows of a writer that has checked."""
        self.path = path
        self.remark = ""
        """A remark about what a writer found on opening."""
        self._key = os.path.realpath(path)
        self._write = write
        self._looked = 0
        self._smooth = not self._pending()
        """Whether this writer has committed everything it began: then it knows what is in the write-ahead log."""
        with _opening:
            if check and not _open[self._key]:
                self._check()
            try:
                self._db = sqlite.writing(path, by_hand=True) if write else sqlite.reading(path)
                self._guard = sqlite.reading(path, any_thread=True) if write else None
                """SQLite moves pages when the last one closes, and not for a reader: as long as it is open the writer
                can be closed, or lost, where there is no room or no memory for the sums."""
            except sqlite3.Error as error:
                raise store_errors.of_sqlite(path, error) from error
            _open[self._key] += 1
        self._closed = False
        if self.remark:
            self._begin_anew()

    def _check(self) -> None:
        if not pagesums.sums_beside(self.path).exists():
            return
        stamp = pagesums.stamp(self.path)
        if _sound.get(self._key) == stamp or (not self._write and self.path.stat().st_size > LARGE):
            return
        self.remark = pagesums.verify(self.path, going_on=self._write)
        _sound[self._key] = stamp

    def _begin_anew(self) -> None:
        """Keep what the write-ahead log holds before the point at which it breaks off, and nothing after it."""
        try:
            with _alone(self.path):
                pagesums.update(self.path)
                busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if busy:
                raise store_errors.in_use(self.path)
        except BaseException:
            self.close()
            raise

    @property
    def in_transaction(self) -> bool:
        """Whether there is something to commit."""
        return self._db.in_transaction

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run a statement."""
        return self._db.execute(statement, values)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row."""
        self._db.executemany(statement, rows)

    def commit(self) -> None:
        """End the transaction; what is committed survives the process."""
        self._db.execute("COMMIT")
        if self._db.total_changes - self._looked >= _LOOK:
            self._looked = self._db.total_changes
            if len(wal.written(self.path, sqlite.PAGE)) >= sqlite.CHECKPOINT:
                self._checkpoint()

    def _checkpoint(self) -> None:
        # If there is no space for the checksums, committed data stays in the write-ahead log.
        with suppress(Refused, OSError), _alone(self.path):
            pagesums.update(self.path, trusting=self._smooth)
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def rollback(self) -> None:
        """Discard the open transaction."""
        self._smooth = False
        # After an error SQLite has sometimes already rolled back by itself.
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file; uncommitted data is lost."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._write:
                self._close_writer()
            else:
                self._db.close()
        finally:
            with _opening:
                _open[self._key] -= 1

    def _close_writer(self) -> None:
        assert self._guard
        try:
            if self._db.in_transaction:
                self.rollback()
            if pagesums.sums_beside(self.path).exists():
                with _alone(self.path):
                    if self._pending():
                        pagesums.update(self.path)
                    self._guard.close()
                    self._db.close()
            else:
                self._guard.close()
        except (OSError, Refused, MemoryError):
            pass  # Committed data stays in the write-ahead log.
        finally:
            self._db.close()
            self._guard.close()

    def _pending(self) -> int:
        try:
            return wal.wal_beside(self.path).stat().st_size
        except OSError:
            return 0


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lock out other writers of a file's checksums, by a lock on the checksum file itself."""
    sums = pagesums.sums_beside(path)
    while True:
        handle = os.open(sums, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # The previous holder of the lock may have replaced the checksum file.
            if os.fstat(handle).st_ino == sums.stat().st_ino:
                yield
                return
        finally:
            os.close(handle)
