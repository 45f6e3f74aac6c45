"""Stamps: whether files have changed, told without reading them."""

from __future__ import annotations

import time
from pathlib import Path

_YOUNG = 0.1
"""Seconds in which a file may change again without its time being another one: clocks of file systems are coarse."""

Stamp = tuple[tuple[int, int, int, bool], ...]


def stamp(*files: Path) -> Stamp:
    """What changes with files; once more when they come to rest, so that no change is missed."""
    return tuple(map(_of, files))


def log_stamp(folder: Path) -> Stamp:
    """What changes with the log of a collection."""
    return stamp(folder / "log.sqlite", folder / "log.sqlite-wal")


def _of(file: Path) -> tuple[int, int, int, bool]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0, 0, False
    return found.st_ino, found.st_mtime_ns, found.st_size, abs(time.time() - found.st_mtime) < _YOUNG
