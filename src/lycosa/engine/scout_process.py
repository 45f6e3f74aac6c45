"""A scout in a process of its own: `python -m lycosa.engine.scout_process SOCKET_FD MARK_FD`.

A separate process, because a fast HTML parser can hang inside C on a hostile page: the brain then kills and replaces
it. While a page is parsed, the hash of its URL is in the mark, memory shared with the brain, so that the brain knows
which ticket is to blame.
"""

from __future__ import annotations

import asyncio
import gc
import mmap
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lycosa.core.events import Asked, Missed, Redirected, Visited
from lycosa.core.keys import key64
from lycosa.core.nouns import LOST, Miss, Outcome, Page, Redirect, Ticket, Visit
from lycosa.core.shingles import shingles
from lycosa.engine.plan import Plan
from lycosa.engine.politeness.host_rules import Politeness
from lycosa.engine.politeness.other_hosts import OtherHosts
from lycosa.engine.revisiting_web import Lookup, remembering
from lycosa.engine.scope.index_pages import index_pages_everywhere, with_index_pages
from lycosa.engine.scope.page_scope import unwanted_by
from lycosa.engine.scout import Scout, ScoutOrder
from lycosa.engine.scout_messages import MARK, Beat, ScoutChannel, ScoutTrouble, Setup, Task, ToScout
from lycosa.engine.spool import SpoolWriter
from lycosa.store.repository import Writer
from lycosa.system.descriptors import raise_limit
from lycosa.system.errors import Refused
from lycosa.system.shortage import MEMORY, Shortage, memory_is_short, short_of
from lycosa.system.signals import leave_to_parent
from lycosa.web.http import Http
from lycosa.web.parse import parse
from lycosa.web.readers.reading import allow_memory
from lycosa.web.rendering.rendering_web import RenderingWeb

_LINGER = 0.003
"""Seconds that an outcome may wait to be sent with others, while other tasks are under way."""
_DOCUMENT_MEMORY = 1 << 30
"""Bytes of memory that reading one document may take."""


class ScoutProcess:
    """Turns tasks into outcomes until the brain closes the socket."""

    def __init__(self, mark: mmap.mmap) -> None:
        self.mark = mark
        self.gone = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self.wire: ScoutChannel[ToScout] = ScoutChannel(
            ToScout, self.heard, self.gone.set, lambda: _LINGER if len(self.tasks) > 1 else 0.0
        )
        self.scout: Scout | None = None
        self.web: Http | None = None
        self.other_hosts: OtherHosts | None = None
        self.archive: Writer | None = None
        self.spool: SpoolWriter | None = None

    def heard(self, message: ToScout) -> None:
        """Handle a message: the setup comes first, then tasks."""
        if isinstance(message, Setup):
            try:
                self.set_up(message)
            except Refused as refused:
                self.wire.send(ScoutTrouble(refused.problem, refused.fix, refused.code, refused.field))
        else:
            task = asyncio.create_task(self.fetch(message))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def set_up(self, setup: Setup) -> None:
        """Make the web, the judge, the archive and the spool of the plan."""
        plan, strategy, scope = setup.plan, setup.plan.make_strategy(), setup.plan.make_scope()
        self.web = Http(
            replace(
                plan.http,
                delay=plan.rules.delay,
                index_pages=index_pages_everywhere(plan),
                page_body=plan.body,
            ),
            context=strategy.context,
            paths=strategy.tag_paths,
            on_pause=lambda host, pause: self.wire.send(Asked(host, pause), at_once=True),
            parse=self.marked_parse,
            delay_of=Politeness(plan.rules, scope.sites).delay if scope.sites.has("delay") else None,
            variables=setup.variables,
            unwanted=unwanted_by(scope),
        )
        allow_memory(_DOCUMENT_MEMORY)
        self.archive = Writer(Path(setup.folder), setup.name)
        self.spool = SpoolWriter(Path(setup.folder), setup.name) if setup.spool else None
        shingles("")  # imports what it needs now, and not while a page is marked
        # The objects made so far stay, so the garbage collector need not scan them again and again.
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        web = with_index_pages(remembering(self.rendering(self.web, plan), plan.sources), plan)
        judge = plan.make_judge()
        kept = self.archive, self.spool
        self.scout = Scout(
            web, plan.topic, strategy, judge, setup.priors, *kept, scope=scope, has_key=plan.http.has_key
        )

    def rendering(self, web: Http, plan: Plan) -> Lookup:
        """The web, whose pages are rendered if the plan says so."""
        if not plan.render.wanted:
            return web
        self.other_hosts = OtherHosts(plan.http.network, plan.rules.delay)
        return RenderingWeb(web, plan.render, self.other_hosts.turn, plan.make_scope().never)

    def marked_parse(self, url: str, *rest: Any, **options: Any) -> Page:
        """Parse with the mark set; it stays until the page is judged and sensed, which happens without an await."""
        MARK.pack_into(self.mark, 0, key64(url))
        return parse(url, *rest, indexed=True, **options)

    async def fetch(self, task: Task) -> None:
        """Carry out a task and send its outcome."""
        assert self.scout and self.web
        if task.alive:
            self.web.knows(task.alive)
        try:
            outcome = await self.scout(ScoutOrder(task.ticket, task.limit, task.listed))
            # Without memory, bodies are incomplete and parsers fail in unexpected ways.
            short = isinstance(outcome, Miss) and memory_is_short()
            self.report(Miss(task.ticket, MEMORY, again=True, ours=True) if short else outcome)
        except Shortage as short:
            self.report(Miss(task.ticket, short.reason, again=True, ours=True))
        except Refused as refused:
            self.wire.send(ScoutTrouble(refused.problem, refused.fix, refused.code, refused.field))
        except Exception as error:
            self.report(self._failed(task.ticket, error))
        finally:
            MARK.pack_into(self.mark, 0, 0)

    def _failed(self, ticket: Ticket, error: Exception) -> Miss:
        """The miss for an error, which may be the fault of the page or of this machine."""
        if memory_is_short():
            return Miss(ticket, MEMORY, again=True, ours=True)
        if isinstance(error, MemoryError):
            # There is enough memory for other pages: it may be this page's fault, so its retries are limited.
            return Miss(ticket, LOST, again=True)
        if reason := short_of(error):
            return Miss(ticket, reason, again=True, ours=True)
        # An error that a strange page provokes costs only that page; scouts.log has the details.
        traceback.print_exception(error)
        return Miss(ticket, f"scout failed: {type(error).__name__}")

    def report(self, outcome: Outcome) -> None:
        """Send an outcome to the brain."""
        match outcome:
            case Visit():
                self.wire.send(Visited(outcome))
            case Redirect():
                self.wire.send(Redirected(outcome))
            case Miss():
                # If every other page would fail in the same way, it is better to stop and be resumed.
                if self.web and (trouble := self.web.options.trouble(outcome.reason)):
                    raise trouble
                self.wire.send(Missed(outcome))

    async def beat(self) -> None:
        """Tell the brain every second that the event loop still runs."""
        while True:
            await asyncio.sleep(1.0)
            self.wire.send(Beat(dict(self.web.stats) if self.web else {}))

    async def run(self, link: socket.socket) -> None:
        """Serve until the brain is gone."""
        await asyncio.get_running_loop().create_connection(lambda: self.wire, sock=link)
        beat = asyncio.create_task(self.beat())
        await self.gone.wait()
        beat.cancel()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(beat, *self.tasks, return_exceptions=True)
        if self.scout:
            await self.scout.web.close()
        if self.other_hosts:
            self.other_hosts.close()
        if self.archive:
            self.archive.close()
        if self.spool:
            self.spool.close()


def main() -> None:
    """Run a scout; one that hangs must not outlive a brain that was killed."""
    raise_limit()
    leave_to_parent()
    link = socket.socket(fileno=int(sys.argv[1]))
    with mmap.mmap(int(sys.argv[2]), MARK.size) as mark:
        asyncio.run(ScoutProcess(mark).run(link))


if __name__ == "__main__":
    main()
