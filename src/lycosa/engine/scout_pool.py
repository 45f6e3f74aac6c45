"""The scout processes of a crawl: started, fed, watched, killed when they hang, replaced when they die."""

from __future__ import annotations

import asyncio
import mmap
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import ExitStack
from pathlib import Path

from lycosa.core.events import Asked, Missed, Redirected, Visited
from lycosa.core.keys import key64
from lycosa.core.nouns import LOST, Miss, Outcome
from lycosa.core.priors import Priors
from lycosa.core.urls import host_of, site_of
from lycosa.engine.plan import Plan
from lycosa.engine.politeness.host_queue import HostQueue
from lycosa.engine.scout import ScoutOrder
from lycosa.engine.scout_messages import MARK, Beat, ScoutChannel, ScoutTrouble, Setup, Task, ToBrain
from lycosa.system.descriptors import free
from lycosa.system.errors import Code, Refused
from lycosa.system.shortage import short_to_start, shortage
from lycosa.system.signals import interrupts_blocked

_FRUITLESS = 5
"""Deaths in a row without an outcome after which the crawl fails, because it is not the pages' fault."""
_AGAIN = 1.0
"""Seconds between two attempts to start a process."""


def processes_of(plan: Plan) -> int:
    """The number of scout processes for a plan."""
    # Each takes two descriptors in this process, and more for a moment while it starts. A browser needs a core itself.
    cores = (os.cpu_count() or 2) // (2 if plan.render.wanted else 1)
    sensible = max(1, min(cores - 1, free() // 4))
    return min(plan.workers, plan.processes or sensible)


class ScoutHandle:
    """One scout process as the brain sees it."""

    def __init__(self, pool: ScoutPool, index: int) -> None:
        self.pool = pool
        self.index = index
        self.orders: dict[str, ScoutOrder] = {}
        self.stats: dict[str, int] = {}
        self.incarnation = 0
        self.fruitless = 0
        self.hung = False
        """Whether it was killed because it sent nothing any more."""
        self.process: subprocess.Popen[bytes] | None = None
        self.wire: ScoutChannel[ToBrain] | None = None
        self._mark_file = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
        self._mark_file.truncate(MARK.size)
        self._mark = mmap.mmap(self._mark_file.fileno(), MARK.size)

    async def start(self) -> None:
        """Start a process and send it the plan, and the orders that came while there was none."""
        self.incarnation += 1
        self.hung = False
        MARK.pack_into(self._mark, 0, 0)
        with ExitStack() as unless_started:
            ours, theirs = socket.socketpair()
            unless_started.callback(ours.close)
            variables = self.pool.plan.http.variables(os.environ)
            with theirs, (self.pool.folder / "scouts.log").open("ab") as complaints, interrupts_blocked():
                fds = (theirs.fileno(), self._mark_file.fileno())
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "lycosa.engine.scout_process", *map(str, fds)],
                    pass_fds=fds,
                    stdin=subprocess.DEVNULL,
                    stdout=complaints,
                    stderr=complaints,
                    # Scouts are told the secrets of hosts; no list of processes shows what they are told.
                    env={name: value for name, value in os.environ.items() if name not in variables},
                )
            unless_started.pop_all()
        self.last_heard = time.monotonic()
        wire: ScoutChannel[ToBrain] = ScoutChannel(ToBrain, self._heard, self._lost)
        await asyncio.get_running_loop().create_connection(lambda: wire, sock=ours)
        name = f"{self.pool.run}-{self.index:02d}-{self.incarnation:03d}"
        wire.send(Setup(self.pool.plan, str(self.pool.folder), name, self.pool.priors, self.pool.spool, variables))
        for order in self.orders.values():
            wire.send(Task(*order, self.pool.alive))
        self.wire = wire

    def send(self, order: ScoutOrder) -> None:
        """Send an order; it is kept until its outcome has arrived."""
        self.orders[order.ticket.url] = order
        if self.wire:
            self.wire.send(Task(*order, self.pool.alive))

    def _heard(self, message: ToBrain) -> None:
        self.last_heard = time.monotonic()
        match message:
            case Beat(stats=stats):
                self.stats = stats
            case Asked(host=host, pause=pause):
                if self.pool.host_queue:
                    self.pool.host_queue.asked(host, pause)
                self.pool.inbox.append(message)
            case ScoutTrouble():
                self.pool.failure = Refused(message.problem, message.fix, code=message.code, field=message.field)
            case Visited(visit=outcome) | Redirected(redirect=outcome) | Missed(miss=outcome):
                self.fruitless = 0
                del self.orders[outcome.ticket.url]
                self.pool.inbox.append(outcome)
        self.pool.news.set()

    def _lost(self) -> None:
        self.wire = None
        if self.pool.closing:
            return
        self._end(patience=0.0)
        self.pool.deaths += 1
        # A process without orders could not have answered.
        self.fruitless += bool(self.orders)
        self._give_back()
        self.pool.revive(self)

    def _give_back(self) -> None:
        """A page that hung the process is a miss, and so is one parsed at two deaths; the others are tried again."""
        (marked,) = MARK.unpack_from(self._mark, 0)
        for url, order in self.orders.items():
            reason = LOST
            if marked and key64(url) == marked:
                # A process that was killed, perhaps by the system for lack of memory, does not yet convict this page.
                reason = "parser hung" if self.hung else "parser crashed" if url in self.pool.suspects else LOST
                self.pool.suspects.add(url)
            self.pool.inbox.append(Miss(order.ticket, reason, again=reason == LOST))
        self.orders.clear()
        self.pool.news.set()

    def check(self, patience: float) -> None:
        """Kill a process that has sent nothing for `patience` seconds; it is replaced when its socket closes."""
        if self.process and time.monotonic() - self.last_heard > patience:
            self.hung = True
            self.process.kill()

    def hang_up(self) -> None:
        """Let the process end by itself."""
        if self.wire:
            self.wire.close()

    def close(self) -> None:
        """Wait for the process to end, killing it after 5 seconds."""
        self._end(patience=5.0)
        self._mark.close()
        self._mark_file.close()

    def _end(self, patience: float) -> None:
        if self.process:
            try:
                self.process.wait(timeout=patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None


class ScoutPool:
    """All scouts of a crawl; a site always belongs to the same one, with its robots.txt and its connections.

    Invariant: an order that was sent is answered exactly once in `inbox`, whatever happens to the process it went to.
    """

    def __init__(
        self, plan: Plan, folder: Path, processes: int, run: str, priors: Priors | None = None, *, spool: bool = False
    ) -> None:
        """With `spool`, the scouts keep parsed pages for the index."""
        self.plan = plan
        self.priors = priors.for_scouts() if priors else Priors()
        self.folder = folder
        self.run = run
        self.spool = spool
        self.inbox: list[Outcome | Asked] = []
        self.news = asyncio.Event()
        self.deaths = 0
        self.suspects: set[str] = set()
        """Pages that were being parsed when a process died."""
        self.alive = ""
        """A URL that answered lately."""
        self.shortage = ""
        """What is lacking to start a scout process again; empty if nothing."""
        self.closing = False
        self.failure: Exception | None = None
        self.host_queue: HostQueue | None = None
        """The queue for orders, if other crawls in this process may ask the same hosts."""
        self.scouts = [ScoutHandle(self, index) for index in range(processes)]
        self._chores: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start every process, and watch over them."""
        try:
            for scout in self.scouts:
                await scout.start()
        except OSError as error:
            raise _cannot_start(error) from error
        self._chore(self._watch())

    def send(self, order: ScoutOrder) -> None:
        """Have an order carried out, as soon as the host queue passes it on."""
        if self.host_queue:
            self.host_queue.enter(order, self)
        else:
            self.hand(order)

    def answer(self, outcome: Outcome) -> None:
        """Take an outcome as if a scout had brought it."""
        self.inbox.append(outcome)
        self.news.set()

    def hand(self, order: ScoutOrder) -> None:
        """Hand an order to the scout that owns its site."""
        owner = key64(site_of(host_of(order.ticket.url))) % len(self.scouts)
        self.scouts[owner].send(order)

    def revive(self, scout: ScoutHandle) -> None:
        """Replace a dead process, or fail after _FRUITLESS deaths in a row."""
        if scout.fruitless >= _FRUITLESS:
            self.failure = Refused(
                "scout processes keep dying", f"see {self.folder / 'scouts.log'} for why", code=Code.PROCESS_DIED
            )
            self.news.set()
        else:
            self._chore(self._start_again(scout))

    async def _start_again(self, scout: ScoutHandle) -> None:
        """Start a process in the place of one that died, as soon as the system allows."""
        while True:
            try:
                await scout.start()
            except OSError as error:
                if not (reason := short_to_start(error)):
                    raise
                # The driver decides how long this may last.
                self.shortage = reason
                self.news.set()
                await asyncio.sleep(_AGAIN)
            else:
                self.shortage = ""
                return

    @property
    def stats(self) -> Counter[str]:
        """Network statistics, summed over all scouts."""
        return sum((Counter(scout.stats) for scout in self.scouts), Counter())

    async def _watch(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(1.0)
            # If this process itself was suspended, in a terminal for example, the scouts' silence means nothing.
            if time.monotonic() - before < 3.0:
                for scout in self.scouts:
                    scout.check(self.plan.patience)

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._chores.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.failure = _cannot_start(error)
            self.news.set()

    async def close(self) -> None:
        """End every process."""
        self.closing = True
        for task in list(self._chores):
            task.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        for scout in self.scouts:
            scout.hang_up()
        await asyncio.sleep(0)
        for scout in self.scouts:
            scout.close()


def _cannot_start(error: BaseException) -> Refused:
    if isinstance(error, OSError) and (reason := short_to_start(error)):
        return shortage(reason)
    return Refused(f"a scout process cannot be started ({error})", "see what the system lacks", code=Code.PROCESS_DIED)
