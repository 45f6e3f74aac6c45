"""The lock of a collection: one crawler at a time, whatever way the last one ended."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from lycosa.core.errors import Refused
from lycosa.store import trouble


class Lock:
    """Held from its making until `release`; the system lets go of it when the process dies."""

    def __init__(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise trouble.of_system(path, error) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        except BlockingIOError:
            holder = os.pread(self._fd, 20, 0).decode(errors="replace").strip() or "unknown"
            self.release()
            raise Refused(
                f"{path.parent} is in use by process {holder}", "stop that crawl, or wait for its end"
            ) from None
        except OSError as error:
            self.release()
            raise trouble.of_system(path, error) from error

    def release(self) -> None:
        """Let the next one in."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
