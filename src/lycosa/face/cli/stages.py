"""The progress of work with several stages: one bar after the other in a terminal, now and then a line elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from lycosa.app.progress_file import Notes
from lycosa.face.cli.terminal import Terminal

_PLAIN_EVERY = 10.0


class Stages:
    """Call it with what is being done, how much of it is done, and of how much (0: nobody knows)."""

    def __init__(self) -> None:
        self.console = Terminal(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._told = time.monotonic()
        self._notes: Notes | None = None

    def note_in(self, folder: Path, command: str) -> None:
        """From now on, note it in a folder as well, for those who look from outside."""
        self._notes = Notes(folder, command)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bars.stop()
        if self._notes:
            self._notes.close()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show it."""
        if self._notes:
            self._notes(what, done, total)
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=None)
        self._bars.update(self._tasks[what], completed=done, total=total or None)
        if not self.console.is_terminal and time.monotonic() - self._told > _PLAIN_EVERY:
            self._told = time.monotonic()
            self.console.print(f"{what}: {done:,} of {total:,}" if total else what)

    def counting(self, what: str) -> Callable[[int, int], None]:
        """A stage as something to be told two numbers."""
        return lambda done, total: self(what, done, total)
