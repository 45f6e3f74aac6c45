"""Stamps: find out whether files have changed without reading them."""

from __future__ import annotations

import time
from pathlib import Path

_YOUNG = 0.1
"""Seconds in which a file may change again with the same time stamp, because file system clocks are coarse."""

Stamp = tuple[tuple[int, int, int, bool], ...]


FileIdentity = tuple[int, int, int]


def identity(file: Path) -> FileIdentity | None:
    """A value that changes when a file is replaced, grows or is written to; None if there is none."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def stamp(*files: Path) -> Stamp:
    """A value that changes when the files do, and once more after they are _YOUNG, so that no change is missed."""
    return tuple(map(_of, files))


def log_stamp(folder: Path) -> Stamp:
    """A value that changes when the log of a collection does."""
    return stamp(folder / "log.sqlite", folder / "log.sqlite-wal")


def _of(file: Path) -> tuple[int, int, int, bool]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0, 0, False
    return found.st_ino, found.st_mtime_ns, found.st_size, abs(time.time() - found.st_mtime) < _YOUNG
