"""The progress of work in a folder, written to a file there, so that other processes can show it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NamedTuple

from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Refused
from lycosa.system.locks import Lock, is_held
from lycosa.system.safe_paths import open_inside

FILE, _LOCK = "progress.json", "progress.lock"
_EVERY = 0.5


class Progress(NamedTuple):
    """How far the work is: the current stage, and how much of how much is done; `total` is 0 if unknown."""

    stage: str
    done: int
    total: int
    command: str
    began: float


class Notes:
    """Writes the progress of a process that works in a folder; it holds a lock, so a dead process shows none."""

    def __init__(self, folder: Path, command: str) -> None:
        self._folder, self._command, self._began = folder, command, time.time()
        self._held: Lock | None = None
        self._noted = 0.0
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Write the progress, at most every _EVERY seconds within a stage, once the work itself has made the folder."""
        now = time.monotonic()
        if (stage == self._stage and now - self._noted < _EVERY) or not self._folder.is_dir():
            return
        self._noted, self._stage = now, stage
        file = self._folder / FILE
        try:
            self._held = self._held or Lock(self._folder / _LOCK)
            progress = Progress(stage, done, total, self._command, self._began)
            write_whole(file, json.dumps(progress._asdict()).encode(), one_writer=True, lasting=False)
        except (OSError, Refused):
            pass  # the work itself reports a full disk if it needs the disk; or another process works and writes here

    def close(self) -> None:
        """Remove the files: the work has ended."""
        if self._held:
            (self._folder / FILE).unlink(missing_ok=True)
            self._held.release()
            (self._folder / _LOCK).unlink(missing_ok=True)
            self._held = None


def progress_in(folder: Path) -> Progress | None:
    """The progress of the work in a folder; None if no process works there."""
    if not is_held(folder / _LOCK):
        return None
    try:
        with open_inside(folder, FILE) as noted:
            return Progress(**json.loads(noted.read()))
    except (OSError, ValueError, TypeError):
        return Progress("beginning", 0, 0, "", 0.0)
