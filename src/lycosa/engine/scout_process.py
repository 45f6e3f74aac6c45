"""A scout in a process of its own: `python -m lycosa.engine.scout_process SOCKET_FD MARK_FD`.

A process, because a fast HTML parser can hang inside C on a hostile page: the brain then kills and replaces it. While
a page is parsed its URL's hash stands in the mark, a page of memory shared with the brain, so that the brain knows
which ticket was to blame.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import mmap
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lycosa.core.keys import key64
from lycosa.core.nouns import LOST, Miss, Outcome, Page, Redirect, Ticket, Visit
from lycosa.core.shingles import shingles
from lycosa.engine.revisiting_web import remembering
from lycosa.engine.scout import Scout, ScoutOrder
from lycosa.engine.scout_messages import (
    MARK,
    Asks,
    Beat,
    Brought,
    Failed,
    ScoutChannel,
    ScoutTrouble,
    Setup,
    Task,
    ToScout,
    Turned,
)
from lycosa.engine.spool import SpoolWriter
from lycosa.store.repository import Writer
from lycosa.system.descriptors import raise_limit
from lycosa.system.errors import Refused
from lycosa.system.shortage import MEMORY, Shortage, memory_is_short, short_of
from lycosa.web.http import Http
from lycosa.web.parse import parse

_DIE_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG: a scout that hangs would otherwise outlive a brain that was killed."""
_LINGER = 0.003
"""Seconds an outcome may wait for others, while there are some to wait for."""


class ScoutProcess:
    """Turns tasks into outcomes until the brain hangs up."""

    def __init__(self, mark: mmap.mmap) -> None:
        self.mark = mark
        self.gone = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self.wire: ScoutChannel[ToScout] = ScoutChannel(
            ToScout, self.heard, self.gone.set, lambda: _LINGER if len(self.tasks) > 1 else 0.0
        )
        self.scout: Scout | None = None
        self.web: Http | None = None
        self.archive: Writer | None = None
        self.spool: SpoolWriter | None = None

    def heard(self, message: ToScout) -> None:
        """The setup comes first, then tasks."""
        if isinstance(message, Setup):
            try:
                self.set_up(message)
            except Refused as refused:
                self.wire.send(ScoutTrouble(refused.problem, refused.fix))
        else:
            task = asyncio.create_task(self.fetch(message))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def set_up(self, setup: Setup) -> None:
        """Make the web, the judge and the archive of the plan."""
        plan, strategy = setup.plan, setup.plan.make_strategy()
        self.web = Http(
            replace(plan.http, delay=plan.rules.delay),
            context=strategy.context,
            on_pause=lambda host, pause: self.wire.send(Asks(host, pause), at_once=True),
            parse=self.marked_parse,
        )
        self.archive = Writer(Path(setup.folder), setup.name)
        self.spool = SpoolWriter(Path(setup.folder), setup.name) if setup.spool else None
        shingles("")  # loads what it needs, now and not while a page is marked
        # What is there now stays; the collector need not look at it again and again.
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        web = remembering(self.web, plan.sources)
        self.scout = Scout(web, plan.topic, strategy, plan.make_judge(), setup.priors, self.archive, self.spool)

    def marked_parse(self, url: str, *rest: Any, **options: Any) -> Page:
        """Parse with the mark set; it stands until the page is judged and sensed, which happens without a pause."""
        MARK.pack_into(self.mark, 0, key64(url))
        return parse(url, *rest, indexed=True, **options)

    async def fetch(self, task: Task) -> None:
        """One task, one answer."""
        assert self.scout and self.web
        if task.alive:
            self.web.knows(task.alive)
        try:
            outcome = await self.scout(ScoutOrder(task.ticket, task.limit))
            # Bodies are incomplete and parsers fail in ways of their own where there is no memory left.
            short = isinstance(outcome, Miss) and memory_is_short()
            self.report(Miss(task.ticket, MEMORY, again=True, ours=True) if short else outcome)
        except Shortage as short:
            self.report(Miss(task.ticket, short.reason, again=True, ours=True))
        except Refused as refused:
            self.wire.send(ScoutTrouble(refused.problem, refused.fix))
        except Exception as error:
            self.report(self._failed(task.ticket, error))
        finally:
            MARK.pack_into(self.mark, 0, 0)

    def _failed(self, ticket: Ticket, error: Exception) -> Miss:
        """Whose fault it was that a page could not be had or read."""
        if memory_is_short():
            return Miss(ticket, MEMORY, again=True, ours=True)
        if isinstance(error, MemoryError):
            # There is enough for others: it may be the page's fault, so it is not tried again for ever.
            return Miss(ticket, LOST, again=True)
        if reason := short_of(error):
            return Miss(ticket, reason, again=True, ours=True)
        # Whatever a strange page provokes costs that page and nothing else; scouts.log has the details.
        traceback.print_exception(error)
        return Miss(ticket, f"scout failed: {type(error).__name__}")

    def report(self, outcome: Outcome) -> None:
        """Send an outcome home."""
        match outcome:
            case Visit():
                self.wire.send(Brought(outcome))
            case Redirect():
                self.wire.send(Turned(outcome))
            case Miss():
                # Where every other page would fail the same way, better to stop and be resumed.
                if self.web and (trouble := self.web.options.trouble(outcome.reason)):
                    raise trouble
                self.wire.send(Failed(outcome))

    async def beat(self) -> None:
        """Say every second that the loop still turns."""
        while True:
            await asyncio.sleep(1.0)
            self.wire.send(Beat(dict(self.web.stats) if self.web else {}))

    async def run(self, link: socket.socket) -> None:
        """Serve until the brain is gone."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self.wire, sock=link)
        beat = asyncio.create_task(self.beat())
        await self.gone.wait()
        beat.cancel()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(beat, *self.tasks, return_exceptions=True)
        if self.scout:
            await self.scout.web.close()
        if self.archive:
            self.archive.close()
        if self.spool:
            self.spool.close()


async def _serve(link: socket.socket, mark: mmap.mmap) -> None:
    await ScoutProcess(mark).run(link)


def main() -> None:
    """Signals reach the whole process group, but only the brain decides what they mean; without it no scout lives."""
    raise_limit()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    link = socket.socket(fileno=int(sys.argv[1]))
    with mmap.mmap(int(sys.argv[2]), MARK.size) as mark:
        asyncio.run(_serve(link, mark))


if __name__ == "__main__":
    main()
