"""What runs in the worker processes of an experiment: crawls, each in a copy of the process that ends with it.

A worker opens the world, without its topics, and puts the fence up. Nothing that a strategy remembers, in its class or
in its module, reaches another crawl, so results depend neither on the order of crawls nor on the number of processes.
"""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import sys
import traceback
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.core.errors import Refused
from lycosa.core.interfaces import Web
from lycosa.core.strategy import Strategy
from lycosa.core.workers import die_with
from lycosa.lab.fence import Cheated, Fence
from lycosa.lab.nouns import Track
from lycosa.lab.trial import Job, kind_of, run_trial, web_for
from lycosa.lab.world import World, open_world
from lycosa.web.shelf import IN_MEMORY, LIMIT

T = TypeVar("T")


class Trouble(Struct, frozen=True):
    """Why there is no track: the makings of a Refused, which would not survive the way between processes."""

    problem: str
    fix: str


class Crawler:
    """Turns jobs into tracks, one at a time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.fence = Fence()
        self.fence.up()
        self._kinds: dict[str, type[Strategy]] = {}
        self._webs: dict[tuple[bool, bool], Web] = {}

    def __call__(self, job: Job) -> Track | Trouble:
        """The track of a job, or what went wrong."""
        try:
            kind = self._imported(job)
            web = self._web(kind)
            return _in_a_copy(lambda: self._crawl(job, kind, web))
        except _Lost as lost:
            return Trouble(
                f"the process that crawled with {job.label} {lost}",
                "finished crawls are kept, so run it again; with fewer processes if memory was short",
            )
        except BaseException as error:
            return self._trouble(job, error)

    def _imported(self, job: Job) -> type[Strategy]:
        if job.strategy not in self._kinds:
            self._kinds[job.strategy] = self.fence.imported(job.label, lambda: kind_of(job.strategy))
        return self._kinds[job.strategy]

    def _web(self, kind: type[Strategy]) -> Web:
        """The web for a strategy; what all of its crawls will read is read once, before any copy is made."""
        needs = kind.context, kind.sense is not Strategy.sense
        if needs not in self._webs:
            self._webs[needs] = web_for(self.world, kind)
            if len(self.world.corpus) <= IN_MEMORY:
                asyncio.run(_read_all(self._webs[needs], self.world))
            gc.collect()
            gc.freeze()
        return self._webs[needs]

    def _crawl(self, job: Job, kind: type[Strategy], web: Web) -> Track | Trouble:
        # The copy ends with the crawl, so tidying up is hardly ever worth it.
        gc.set_threshold(50_000, 50, 100)
        try:
            track = run_trial(self.world, job, self.fence.around(kind, job.label), web)
        except BaseException as error:
            return self._trouble(job, error)
        return self._trouble(job, self.fence.caught) if self.fence.caught else track

    def _trouble(self, job: Job, error: BaseException) -> Trouble:
        error, self.fence.caught = self.fence.caught or error, None
        if isinstance(error, Cheated):
            return Trouble(str(error), "a strategy decides by keywords, start pages, visits and brief.rng alone")
        if isinstance(error, Refused):
            return Trouble(error.problem, error.fix)
        place = traceback.extract_tb(error.__traceback__)[-1:]
        where = f" at {place[0].filename}:{place[0].lineno}" if place else ""
        return Trouble(f"strategy {job.label} failed ({type(error).__name__}: {error}{where})", "mend it and run again")


async def _read_all(web: Web, world: World) -> None:
    for url in world.corpus.urls:
        await web.get(url, LIMIT)


class _Lost(Exception):
    """The copy ended without an answer."""


def _in_a_copy(function: Callable[[], T]) -> T:
    """What a function returns in a copy of this process; the copy and all that it did are gone afterwards."""
    reading, writing = os.pipe()
    parent = os.getpid()
    copy = os.fork()
    if copy == 0:
        _answer(function, writing, parent)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    if code or not data:
        raise _Lost(f"was killed by signal {-code}" if code < 0 else f"ended with code {code}")
    found: T = pickle.loads(data)
    return found


def _answer(function: Callable[[], object], writing: int, parent: int) -> None:
    try:
        # A strategy that never returns would otherwise outlive everybody who waits for it.
        die_with(parent)
        data = pickle.dumps(function())
        with os.fdopen(writing, "wb") as answer:
            answer.write(data)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


_crawler: Crawler


def open_in_worker(world: str) -> None:
    """What a worker does first."""
    global _crawler
    # A strategy that prints must not spoil what is printed for programs.
    os.dup2(2, 1)
    # Sums in the same order on any machine, and no fight for cores that crawl already.
    threadpool_limits(1)
    _crawler = Crawler(open_world(world))


def crawl(job: Job) -> Track | Trouble:
    """What a worker then does again and again."""
    return _crawler(job)
