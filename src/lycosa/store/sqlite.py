"""How the SQLite files of a collection are opened: one writer with a write-ahead log, and any number of readers."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from lycosa.store.wal import wal_beside
from lycosa.system import atomic_file

PAGE = 8192
"""Bytes of an SQLite page: a visit's event fits into one page, which saves a third of the file against 4096 bytes."""
CHECKPOINT = 2000
"""Pages (16 MB) in the write-ahead log before SQLite moves them into the file."""
BESIDE = ("-wal", "-shm", "-journal", "", "-sums", "-sums.new")
"""Suffixes of the files that belong to one; the checksums are last, because without them the file counts as damaged."""
_PATIENCE = 10.0
"""Seconds to wait for another process's transaction."""


def make(path: Path, schema: str) -> None:
    """Create a file with these tables, completely or not at all."""
    made = path.with_name(path.name + ".new")
    draft(made, schema)
    made.rename(path)


def draft(path: Path, schema: str) -> None:
    """Create a file with these tables, replacing what a killed process may have left there."""
    remove(path)
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute(f"PRAGMA page_size = {PAGE}")
        # Set this now, because it is the one change that never goes through the write-ahead log.
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(f"BEGIN; {schema} COMMIT;")
    finally:
        db.close()


def remove(path: Path) -> None:
    """Remove a file with everything SQLite keeps beside it."""
    for beside in BESIDE:
        path.with_name(path.name + beside).unlink(missing_ok=True)


def writing(path: Path, *, by_hand: bool = False) -> sqlite3.Connection:
    """Open a file for writing: committed data survives the process, and a power cut leaves no partial transaction.

    With `by_hand`, nothing is moved from the write-ahead log into the file until the caller asks for it.
    """
    # The caller ensures that there is one writer at a time; which thread it is does not matter.
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=_PATIENCE,
        check_same_thread=False,
    )
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute(f"PRAGMA wal_autocheckpoint = {0 if by_hand else CHECKPOINT}")
        db.execute(f"PRAGMA journal_size_limit = {8 * CHECKPOINT * PAGE}")
        db.execute("PRAGMA cache_size = -65536")
    except BaseException:
        db.close()
        raise
    return db


def reading(path: Path, *, any_thread: bool = False) -> sqlite3.Connection:
    """Open a file for reading, also beside a writer or in a folder that cannot be written."""
    wal = wal_beside(path)
    ways = ["mode=ro"]
    # A reader shares a memory file with the writer. If there is none and none can be made, there is no writer either:
    # without a write-ahead log the file is complete, and with one it is read without sharing anything.
    ways.append("mode=ro&vfs=unix-none" if wal.is_file() and wal.stat().st_size else "mode=ro&immutable=1")
    for way in ways:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?{way}",
            uri=True,
            isolation_level=None,
            timeout=_PATIENCE,
            check_same_thread=not any_thread,
        )
        try:
            if "unix-none" in way:
                db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            db.close()
            alone = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if way == ways[-1] or not alone:
                raise
        except BaseException:
            db.close()
            raise
        else:
            return db
    raise AssertionError("the last way either opens the file or raises")


def sync(path: Path) -> None:
    """Sync everything that is committed to the disk."""
    # SQLite itself syncs what it moves from its write-ahead log into the file.
    with suppress(FileNotFoundError):
        atomic_file.sync(wal_beside(path))
