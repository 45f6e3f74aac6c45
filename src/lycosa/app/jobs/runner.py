"""The process of one hunt: it reads what to do from standard input, and ends when that input ends.

The first line is the order, as JSON. Any further line, or the end of the input because the server has died, means stop.
Requests under way have a few seconds to end, then the state is saved and the collection closed. Problems are written to
standard output, one JSON object a line.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lycosa.app import hunts
from lycosa.app.requests.hunt import ResumeRequest
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, load_plan
from lycosa.store.collection import Collection
from lycosa.system.descriptors import raise_limit
from lycosa.system.errors import Code, Refused
from lycosa.system.locks import is_held

GRACE = 3.0
"""Seconds that requests under way have to end when the hunt is to stop."""
LAST = 15.0
"""Seconds after which the process exits in any case; the log survives that like any crash."""
_LOCKED = 20.0
"""Seconds to wait for the lock of the collection: the hunt process of a server that died is about to end."""


class RunnerOrder(Struct):
    """What a runner is to do: continue the hunt in a folder, or begin the plan there."""

    folder: str
    plan: dict[str, Any] | None = None
    budget: Budget | None = None
    http: dict[str, Any] = {}
    """HTTP options that override those of the hunt's plan."""


class RunnerMessage(Struct, omit_defaults=True):
    """The last line from the runner: the hunt has finished, or it has a problem; if neither, it was only stopped."""

    finished: bool = False
    problem: str = ""
    fix: str = ""


class Runner:
    """Runs one hunt, and stops it when told to."""

    def __init__(self, order: RunnerOrder) -> None:
        self.order = order
        self._lock = Path(order.folder) / "lock"
        self.stopping = threading.Event()
        self._hunt: Hunt | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    def listen(self, told: TextIO) -> None:
        """Wait for a line or the end of the input, then stop."""
        told.readline()
        self.stop()

    def stop(self) -> None:
        """Stop: cleanly first, after GRACE seconds by cancelling, after LAST seconds by exiting."""
        if self.stopping.is_set():
            return
        self.stopping.set()
        threading.Thread(target=self._insist, daemon=True).start()
        self._call(lambda hunt, _: hunt.stop())

    def _insist(self) -> None:
        time.sleep(GRACE)
        self._call(lambda _, task: task.cancel())
        time.sleep(LAST - GRACE)
        os._exit(3)

    def _call(self, what: Any) -> None:
        hunt, task, loop = self._hunt, self._task, self._loop
        if hunt and task and loop:
            # The loop may have ended already.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(what, hunt, task)

    def run(self) -> RunnerMessage:
        """Hunt to the end, or until told to stop."""
        self._await_lock()
        # A process that still holds the lock hunts there instead of us.
        if self.stopping.is_set() or is_held(self._lock):
            return RunnerMessage()
        with self._open() as hunt:
            with suppress(asyncio.CancelledError):
                asyncio.run(self._hunting(hunt))
            stopped = hunt.crawl.stopped
        return RunnerMessage(finished=bool(stopped and stopped.finished))

    async def _hunting(self, hunt: Hunt) -> None:
        self._hunt, self._loop, self._task = hunt, asyncio.get_running_loop(), asyncio.current_task()
        if self.stopping.is_set():
            hunt.stop()
        async for _ in hunt.outcomes():
            # If the collection was deleted, the hunt would fetch pages in vain, and no command could stop it.
            if not self._lock.exists():
                raise Refused("the folder of this hunt was deleted", "begin another one", code=Code.NOT_FOUND)

    def _await_lock(self) -> None:
        deadline = time.monotonic() + _LOCKED
        while is_held(self._lock) and time.monotonic() < deadline and not self.stopping.is_set():
            time.sleep(0.05)

    def _open(self) -> Hunt:
        """The hunt, resumed from its log, or begun from its plan if it has no log."""
        order, folder = self.order, Path(self.order.folder)
        plan = None
        with suppress(Refused), Collection.open(folder) as collection:
            plan = plan_of(collection)
        begun = plan is not None
        if plan is None and order.plan is not None:
            plan = load_plan(order.plan)
        budget = order.budget or (plan.budget if plan else Budget())
        changes: dict[str, Any] = {}
        if plan and order.http:
            changes["http"] = plan.http.changed(order.http)
        if plan and not begun:
            return Hunt.begin(replace(plan, budget=budget, **changes), folder)
        request = ResumeRequest(
            folder, pages=budget.pages, bytes=budget.bytes, seconds=budget.seconds, until=budget.share
        )
        return hunts.continued(request, **changes)


def tell(told: RunnerMessage) -> None:
    """Send a message to the parent process, if it still listens."""
    with suppress(OSError):
        sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
        sys.stdout.flush()


def main() -> None:
    """Read the order, hunt, and send how it ended."""
    raise_limit()
    runner = Runner(msgspec.json.decode(sys.stdin.readline(), type=RunnerOrder))
    threading.Thread(target=runner.listen, args=(sys.stdin,), daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: runner.stop())
    try:
        told = runner.run()
    except Refused as error:
        told = RunnerMessage(problem=error.problem, fix=error.fix)
    tell(told)
    sys.stdout.flush()
    # Exit at once: the listener thread still waits for a line on standard input that will not come.
    os._exit(0)
