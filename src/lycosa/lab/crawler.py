"""What runs in the worker processes of an experiment: crawls, each in a copy of the process that ends with it.

A worker opens the world, without its topics, and starts the sandbox. Nothing that a strategy stores in its class or its
module reaches another crawl, so results depend neither on the order of crawls nor on the number of processes.
"""

from __future__ import annotations

import asyncio
import gc
import os
import traceback
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.core.interfaces import Web
from lycosa.core.strategy import Strategy
from lycosa.lab.comparison import Track
from lycosa.lab.entrants import kind_of, module_of
from lycosa.lab.forked_call import CallTrouble, Lost, in_a_copy
from lycosa.lab.sandbox import FAIR, Cheated, Sandbox
from lycosa.lab.trial import Needs, Trial, needs_of, run_trial
from lycosa.lab.world import World
from lycosa.system.errors import Refused
from lycosa.web.parsed_pages import IN_MEMORY, LIMIT
from lycosa.web.source import BedTopic


class TopiclessWorld(World):
    """A world without its topics, which no crawl may see."""

    @cached_property
    def topics(self) -> list[BedTopic]:
        """Always raises: crawls may not see topics."""
        raise LookupError("a crawl is told keywords and start pages, and no topics")


class Crawler:
    """Turns jobs into tracks, one at a time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.bags = world.bags  # made here once, not in every copy
        self.sandbox = Sandbox()
        self.sandbox.up()
        self._kinds: dict[str, type[Strategy]] = {}
        self._webs: dict[Needs, Web] = {}

    def __call__(self, job: Trial) -> Track | CallTrouble:
        """The track of a job, or what went wrong."""
        try:
            kind = self._imported(job)
            needs = self.sandbox.within(job.label, kind, lambda: needs_of(kind, job.judge))
            if self.sandbox.caught:
                raise self.sandbox.caught
            web = self._web(needs)
            return in_a_copy(lambda: self._crawl(job, kind, web))
        except Lost as lost:
            return CallTrouble(
                f"the process that crawled with {job.label} {lost}",
                "finished crawls are kept, so run it again; with fewer processes if memory was short",
            )
        except BaseException as error:
            return self._trouble(job, error)

    def _imported(self, job: Trial) -> type[Strategy]:
        if job.strategy not in self._kinds:
            found = self.sandbox.within(job.label, module_of(job.strategy), lambda: kind_of(job.strategy))
            self._kinds[job.strategy] = found
        return self._kinds[job.strategy]

    def _web(self, needs: Needs) -> Web:
        """The web for a strategy; what all its crawls will read is read once, before any copy is made."""
        if needs not in self._webs:
            self._webs[needs] = self.world.web(*needs)
            if len(self.world.corpus) <= IN_MEMORY:
                asyncio.run(_read_all(self._webs[needs], self.world))
            gc.collect()
            gc.freeze()
        return self._webs[needs]

    def _crawl(self, job: Trial, kind: type[Strategy], web: Web) -> Track | CallTrouble:
        # The copy ends with the crawl, so garbage collection is hardly ever worth it.
        gc.set_threshold(50_000, 50, 100)
        try:
            track = self.sandbox.within(job.label, kind, lambda: run_trial(self.world, job, kind, web))
        except BaseException as error:
            return self._trouble(job, error)
        return self._trouble(job, self.sandbox.caught) if self.sandbox.caught else track

    def _trouble(self, job: Trial, error: BaseException) -> CallTrouble:
        error, self.sandbox.caught = self.sandbox.caught or error, None
        if isinstance(error, Cheated):
            return CallTrouble(str(error), FAIR)
        if isinstance(error, Refused):
            return CallTrouble(error.problem, error.fix)
        place = traceback.extract_tb(error.__traceback__)[-1:]
        where = f" at {place[0].filename}:{place[0].lineno}" if place else ""
        return CallTrouble(
            f"strategy {job.label} failed ({type(error).__name__}: {error}{where})", "mend it and run again"
        )


async def _read_all(web: Web, world: World) -> None:
    for url in world.corpus.urls:
        await web.get(url, LIMIT)


_crawler: Crawler


def open_in_worker(world: str, segments: Mapping[bool, Path] | None = None) -> None:
    """Set up a worker process; it uses the parsed pages of the process that started it."""
    global _crawler
    # What a strategy prints must not mix with output for programs.
    os.dup2(2, 1)
    # One thread: sums have the same order on any machine, and crawls do not compete for cores.
    threadpool_limits(1)
    _crawler = Crawler(TopiclessWorld(world, segments=segments))


def crawl(job: Trial) -> Track | CallTrouble:
    """Make one crawl in a worker process."""
    return _crawler(job)
