"""The lock of a collection: one crawler at a time, however the last one ended."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from lycosa.system import os_errors
from lycosa.system.atomic_file import is_at
from lycosa.system.errors import Code, Refused

_PATIENCE = 0.3
"""Seconds to wait for the lock, because `is_held` itself holds it for a moment."""


class Lock:
    """Held from construction until `release`; the system releases it when the process dies."""

    def __init__(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            raise os_errors.of_system(path, error) from error
        try:
            deadline = time.monotonic() + _PATIENCE
            while not (ours := acquire(self._fd, fcntl.LOCK_EX)) and time.monotonic() < deadline:
                time.sleep(0.01)
            if not ours:
                holder = os.pread(self._fd, 20, 0).decode(errors="replace").strip() or "unknown"
                problem = f"{path.parent} is in use by process {holder}"
                raise Refused(problem, "stop that crawl, or wait for its end", code=Code.IN_USE)
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:
            self.release()
            raise os_errors.of_system(path, error) from error
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Release the lock."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def is_held(path: Path) -> bool:
    """Whether a process holds the lock."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not acquire(fd, fcntl.LOCK_SH)
    finally:
        os.close(fd)


def acquire(fd: int, how: int) -> bool:
    """Lock an open file, shared or exclusive, without waiting; returns whether it worked."""
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def hold_folder(folder: Path, how: int) -> int | None:
    """Lock a folder for reading (shared) or deleting (exclusive); None if it is gone or locked by others."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        free = acquire(held, how)
    except OSError:
        # The file system has no locks, so readers cannot be noticed.
        free = True
    if free and is_at(held, folder):
        return held
    os.close(held)
    return None
