"""The crew: which hunts have a process, and which wait for one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from lycosa.app.jobs.hunt_process import HuntProcess
from lycosa.app.jobs.register import REST, RUN, Meant, Register
from lycosa.app.jobs.runner import RunnerOrder
from lycosa.store.listing import Listing
from lycosa.system.errors import Refused

_CLOSING = 10.0
"""Seconds that hunts have to end when all of them are to."""


class RunningHunt(NamedTuple):
    """A hunt's process, and the number of the last event before it."""

    child: HuntProcess
    after: int


class HuntProcesses:
    """At most so many processes at once; whoever is meant to run and has none waits in order.

    Everything in here is looked at and changed under `guard`. Invariant: no hunt has two processes, because one that is
    to be followed by another (`again`) has to be gone first.
    """

    def __init__(
        self, register: Register, folder: Callable[[str], Path], http: Mapping[str, Any], together: int
    ) -> None:
        """`folder` says where a named hunt is; `http` how the Web is asked."""
        self.guard = RLock()
        self.children: dict[str, RunningHunt] = {}
        self.waiting: list[str] = []
        self.again: set[str] = set()
        """Hunts whose process is to end and to be followed by another."""
        self.closing = False
        self._register, self._folder = register, folder
        # What the desk does not say of it stays as each hunt has it.
        self._http = {option: value for option, value in http.items() if value}
        self._together = together

    @property
    def others(self) -> bool:
        """Whether another desk sees to what is meant to run."""
        return self._register.others

    def ahead(self, name: str) -> int:
        """How many hunts come before one that waits."""
        with self.guard:
            return self.waiting.index(name) if name in self.waiting else 0

    def run(self, *names: str) -> None:
        """Have hunts run, each after its last process has ended, and as soon as there is room."""
        with self.guard:
            for name in names:
                if name in self.children:
                    self.again.add(name)
                    self.children[name].child.stop()
                elif name not in self.waiting:
                    self.waiting.append(name)
            self._fill()

    def rest(self, name: str) -> None:
        """Have a hunt come to rest."""
        with self.guard:
            self.again.discard(name)
            if name in self.waiting:
                self.waiting.remove(name)
            if name in self.children:
                self.children[name].child.stop()

    def close(self) -> None:
        """See every process end, by force where it takes too long."""
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
            return  # somebody has deleted it
        meant = self._register.get(folder) or Meant()
        order = RunnerOrder(str(folder), meant.plan, meant.budget, self._http)
        try:
            complaints, after = self._register.complaints(folder), last_event(folder)
            child = HuntProcess(order, complaints, lambda child: self._ended(name, folder, child))
            self.children[name] = RunningHunt(child, after)
        except (OSError, Refused) as error:
            why = error.problem if isinstance(error, Refused) else error.strerror
            meant.what, meant.problem = REST, f"no process can be started ({why})"
            self._register.note(folder, meant)

    def _ended(self, name: str, folder: Path, child: HuntProcess) -> None:
        """A process is gone: what that means for its hunt, and who is next."""
        with self.guard:
            self.children.pop(name, None)
            meant = self._register.get(folder) or Meant()
            if last_event(folder):
                meant.plan = None  # it is in the log now
            if name in self.again:
                self.again.discard(name)
                self.waiting.insert(0, name)
            elif child.told.finished:
                meant.what, meant.budget = REST, None
            elif child.told.problem and meant.what == RUN and not self.closing:
                meant.what, meant.problem, meant.fix = REST, child.told.problem, child.told.fix
            if folder.is_dir():
                self._register.note(folder, meant)
            self._fill()


def last_event(folder: Path) -> int:
    """The number of the last event in a log that may not be there yet."""
    try:
        log = Listing(folder)
    except Refused:
        return 0
    try:
        return log.last_seq()
    finally:
        log.close()
