"""The processes of hunts: which hunts have one, and which wait for one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from lycosa.app.jobs.hunt_process import HuntProcess
from lycosa.app.jobs.register import REST, RUN, Intent, Register
from lycosa.app.jobs.runner import RunnerOrder
from lycosa.store.listing import Listing
from lycosa.system.errors import Refused

_CLOSING = 10.0
"""Seconds that hunts have to end when all of them are closed."""


class RunningHunt(NamedTuple):
    """A hunt's process, and the number of the last event before it started."""

    child: HuntProcess
    after: int


class HuntProcesses:
    """At most `together` processes at once; further hunts that are meant to run wait in a queue.

    Everything in here is read and changed under `guard`. Invariant: no hunt has two processes, because a process that
    is to be followed by another (`again`) must end first.
    """

    def __init__(
        self, register: Register, folder: Callable[[str], Path], http: Mapping[str, Any], together: int
    ) -> None:
        """`folder` finds the folder of a hunt by name; `http` are the HTTP options."""
        self.guard = RLock()
        self.children: dict[str, RunningHunt] = {}
        self.waiting: list[str] = []
        self.again: set[str] = set()
        """Hunts whose process is to end and be followed by another."""
        self.closing = False
        self._register, self._folder = register, folder
        # HTTP options that the server does not set stay as each hunt has them.
        self._http = {option: value for option, value in http.items() if value}
        self._together = together

    @property
    def others(self) -> bool:
        """Whether another process runs the hunts of this home."""
        return self._register.others

    def ahead(self, name: str) -> int:
        """How many hunts are before one in the queue."""
        with self.guard:
            return self.waiting.index(name) if name in self.waiting else 0

    def run(self, *names: str) -> None:
        """Run hunts, each after its previous process has ended and as soon as there is room."""
        with self.guard:
            for name in names:
                if name in self.children:
                    self.again.add(name)
                    self.children[name].child.stop()
                elif name not in self.waiting:
                    self.waiting.append(name)
            self._fill()

    def rest(self, name: str) -> None:
        """Stop a hunt, or take it out of the queue."""
        with self.guard:
            self.again.discard(name)
            if name in self.waiting:
                self.waiting.remove(name)
            if name in self.children:
                self.children[name].child.stop()

    def close(self) -> None:
        """Stop every process, and kill those that take too long."""
        with self.guard:
            self.closing = True
            self.waiting.clear()
            self.again.clear()
            leaving = [member.child for member in self.children.values()]
            for child in leaving:
                child.stop()
        until = time.monotonic() + _CLOSING
        for child in leaving:
            child.join(until)

    def _fill(self) -> None:
        while self.waiting and len(self.children) < self._together and not self.closing:
            self._launch(self.waiting.pop(0))

    def _launch(self, name: str) -> None:
        try:
            folder = self._folder(name)
        except Refused:
            return  # it was deleted
        intent = self._register.get(folder) or Intent()
        order = RunnerOrder(str(folder), intent.plan, intent.budget, self._http)
        try:
            complaints, after = self._register.complaints(folder), last_event(folder)
            child = HuntProcess(order, complaints, lambda child: self._ended(name, folder, child))
            self.children[name] = RunningHunt(child, after)
        except (OSError, Refused) as error:
            why = error.problem if isinstance(error, Refused) else error.strerror
            intent.what, intent.problem = REST, f"no process can be started ({why})"
            self._register.note(folder, intent)

    def _ended(self, name: str, folder: Path, child: HuntProcess) -> None:
        """A process has ended: update the register entry of its hunt, and start the next one."""
        with self.guard:
            self.children.pop(name, None)
            intent = self._register.get(folder) or Intent()
            if last_event(folder):
                intent.plan = None  # it is in the log now
            if name in self.again:
                self.again.discard(name)
                self.waiting.insert(0, name)
            elif child.told.finished:
                intent.what, intent.budget = REST, None
            elif child.told.problem and intent.what == RUN and not self.closing:
                intent.what, intent.problem, intent.fix = REST, child.told.problem, child.told.fix
            if folder.is_dir():
                self._register.note(folder, intent)
            self._fill()


def last_event(folder: Path) -> int:
    """The number of the last event in a log; 0 if there is no log yet."""
    try:
        log = Listing(folder)
    except Refused:
        return 0
    try:
        return log.last_seq()
    finally:
        log.close()
