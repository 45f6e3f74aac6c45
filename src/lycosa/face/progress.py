"""What is under way in a folder, noted in a file there, so that whoever looks from outside sees how far it is."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NamedTuple

from lycosa.core.errors import Refused
from lycosa.store.lock import Lock, is_held

FILE, _LOCK = "progress.json", "progress.lock"
_EVERY = 0.5


class Progress(NamedTuple):
    """How far something is: what it does now, and how much of it is done of how much; 0 where nobody knows."""

    stage: str
    done: int
    total: int
    command: str
    began: float


class Notes:
    """Notes of one who works in a folder, there as long as he lives."""

    def __init__(self, folder: Path, command: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file, self._command, self._began = folder / FILE, command, time.time()
        self._noted = 0.0
        self._stage = ""
        try:
            self._held: Lock | None = Lock(folder / _LOCK)
        except Refused:
            self._held = None  # somebody else is at work here as well, and his notes are as good

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Note where the work is, now and then."""
        now = time.monotonic()
        if self._held is None or (stage == self._stage and now - self._noted < _EVERY):
            return
        self._noted, self._stage = now, stage
        beside = self._file.with_suffix(".new")
        try:
            beside.write_text(json.dumps(Progress(stage, done, total, self._command, self._began)._asdict()), "utf-8")
            beside.replace(self._file)
        except OSError:
            pass  # the work itself will say so, if it needs the disk

    def close(self) -> None:
        """Nothing is under way any more."""
        if self._held:
            self._file.unlink(missing_ok=True)
            self._held.release()
            (self._file.parent / _LOCK).unlink(missing_ok=True)
            self._held = None


def progress_in(folder: Path) -> Progress | None:
    """How far the work in a folder is, if somebody is at work there."""
    if not is_held(folder / _LOCK):
        return None
    try:
        return Progress(**json.loads((folder / FILE).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return Progress("beginning", 0, 0, "", 0.0)
