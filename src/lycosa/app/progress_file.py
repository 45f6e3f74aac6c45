"""What is under way in a folder, noted in a file there, so that whoever looks from outside sees how far it is."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NamedTuple

from lycosa.system.errors import Refused
from lycosa.system.locks import Lock, is_held
from lycosa.system.safe_paths import open_inside

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
        self._folder, self._command, self._began = folder, command, time.time()
        self._held: Lock | None = None
        self._noted = 0.0
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Note where the work is, now and then, as soon as the work itself has made the folder."""
        now = time.monotonic()
        if (stage == self._stage and now - self._noted < _EVERY) or not self._folder.is_dir():
            return
        self._noted, self._stage = now, stage
        file = self._folder / FILE
        try:
            self._held = self._held or Lock(self._folder / _LOCK)
            beside = file.with_suffix(".new")
            beside.write_text(json.dumps(Progress(stage, done, total, self._command, self._began)._asdict()), "utf-8")
            beside.replace(file)
        except (OSError, Refused):
            pass  # the work itself will say so, if it needs the disk; or somebody else is at work here and notes it

    def close(self) -> None:
        """Nothing is under way any more."""
        if self._held:
            (self._folder / FILE).unlink(missing_ok=True)
            self._held.release()
            (self._folder / _LOCK).unlink(missing_ok=True)
            self._held = None


def progress_in(folder: Path) -> Progress | None:
    """How far the work in a folder is, if somebody is at work there."""
    if not is_held(folder / _LOCK):
        return None
    try:
        with open_inside(folder, FILE) as noted:
            return Progress(**json.loads(noted.read()))
    except (OSError, ValueError, TypeError):
        return Progress("beginning", 0, 0, "", 0.0)
