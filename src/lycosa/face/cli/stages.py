"""Shows the progress of work in several stages: one bar after the other in a terminal, otherwise occasional lines."""

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
    """A progress display: call it with what is being done, how much is done, and the total (0 = unknown)."""

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
        """From now on, also write the progress to a file in a folder, so that other processes can show it."""
        self._notes = Notes(folder, command)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bars.stop()
        if self._notes:
            self._notes.close()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show the progress of a stage."""
        if self._notes:
            self._notes(what, done, total)
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=None)
        self._bars.update(self._tasks[what], completed=done, total=total or None)
        if not self.console.is_terminal and time.monotonic() - self._told > _PLAIN_EVERY:
            self._told = time.monotonic()
            self.console.print(f"{what}: {done:,} of {total:,}" if total else what)

    def counting(self, what: str) -> Callable[[int, int], None]:
        """A callback for one stage that takes only the two numbers."""
        return lambda done, total: self(what, done, total)
