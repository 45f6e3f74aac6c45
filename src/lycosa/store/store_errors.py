"""What can go wrong with the files of a collection, in one line, and what to do about it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from lycosa.system.descriptors import can_open
from lycosa.system.errors import Code, Damaged, Refused
from lycosa.system.os_errors import disk_full
from lycosa.system.shortage import DESCRIPTORS, shortage


def not_a_collection(folder: Path, fix: str = "name the folder of a collection") -> Refused:
    """The refusal for a folder without a log."""
    return Refused(f"{folder} is not a collection", fix, code=Code.NOT_A_COLLECTION, field="folder")


def damaged(path: Path, problem: str) -> Damaged:
    """The refusal for a damaged file of a collection."""
    return Damaged(f"{path.parent}: {problem}", "repair the collection")


def in_use(path: Path) -> Refused:
    """The refusal for a file that another process has locked."""
    return Refused(f"{path} is in use by another process", "wait until that is done and try again", code=Code.IN_USE)


def of_sqlite(path: Path, error: sqlite3.Error) -> Refused:
    """The refusal for an SQLite error."""
    # The low byte of an extended code is its primary code; errors of Python's module itself have none.
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return disk_full(path)
        case sqlite3.SQLITE_IOERR:
            problem, fix = f"cannot read or write {path} ({error})", "check the disk and free space, then go on"
            return Refused(problem, fix, code=Code.UNREADABLE)
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return damaged(path, f"{path.name} is damaged ({error})")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return in_use(path)
        case sqlite3.SQLITE_CANTOPEN if not can_open(1):
            return shortage(DESCRIPTORS)
        case _:
            fix = "check that the folder can be read and written"
            return Refused(f"cannot use {path} ({error})", fix, code=Code.UNREADABLE)
