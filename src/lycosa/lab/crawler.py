"""What runs in the worker processes of an experiment: crawls, each in a copy of the process that ends with it.

A worker opens the world, without its topics, and starts the sandbox. Nothing that a strategy stores in its class or its
module reaches another crawl, so results depend neither on the order of crawls nor on the number of processes.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.core.strategy import Strategy
from lycosa.lab.comparison import Track
from lycosa.lab.forked_call import CallTrouble, attempt, in_a_copy
from lycosa.lab.sandbox import Sandbox
from lycosa.lab.traits import kind_of, module_of
from lycosa.lab.trial import Needs, Trial, needs_of, run_trial
from lycosa.lab.world import World
from lycosa.web.parsed_pages import IN_MEMORY, LIMIT, ParsedWeb
from lycosa.web.source import BedTopic


class TopiclessWorld(World):
    """A world without its topics, which no crawl may see."""

    @cached_property
    def topics(self) -> list[BedTopic]:
        """Always raises: crawls may not see topics."""
        raise LookupError("a crawl gets keywords and start pages, and no topics")


class Crawler:
    """Turns trials into tracks, one at a time."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.bags = world.bags  # made here once, not in every copy
        self.sandbox = Sandbox()
        self._kinds: dict[str, type[Strategy]] = {}
        self._webs: dict[Needs, ParsedWeb] = {}

    def __call__(self, trial: Trial) -> Track | CallTrouble:
        """The track of a trial, or what went wrong."""
        prepared = attempt(trial.label, lambda: self._prepared(trial))
        if isinstance(prepared, CallTrouble):
            return prepared
        return in_a_copy(trial.label, lambda: self._crawl(trial, *prepared))

    def _prepared(self, trial: Trial) -> tuple[type[Strategy], ParsedWeb]:
        """The strategy's class, imported, and the web as it needs it."""
        if trial.strategy not in self._kinds:
            found = self.sandbox.within(trial.label, module_of(trial.strategy), lambda: kind_of(trial.strategy))
            self._kinds[trial.strategy] = found
        kind = self._kinds[trial.strategy]
        return kind, self._web(self.sandbox.within(trial.label, kind, lambda: needs_of(kind, trial.judge)))

    def _web(self, needs: Needs) -> ParsedWeb:
        """The web for a strategy; what all its crawls will read is read once, before any copy is made."""
        if needs not in self._webs:
            self._webs[needs] = self.world.web(*needs)
            if len(self.world.corpus) <= IN_MEMORY:
                asyncio.run(_read_all(self._webs[needs], self.world))
            gc.collect()
            gc.freeze()
        return self._webs[needs]

    def _crawl(self, trial: Trial, kind: type[Strategy], web: ParsedWeb) -> Track:
        # The copy ends with the crawl, so garbage collection is hardly ever worth it.
        gc.set_threshold(50_000, 50, 100)
        return self.sandbox.within(trial.label, kind, lambda: run_trial(self.world, trial, kind, web))


async def _read_all(web: ParsedWeb, world: World) -> None:
    for url in world.corpus.urls:
        await web.get(url, LIMIT)


_crawler: Crawler


def open_in_worker(world: str, segments: Mapping[bool, Path] | None = None) -> None:
    """Set up a worker process; it uses the parsed pages of the process that started it."""
    global _crawler
    # One thread: sums have the same order on any machine, and crawls do not compete for cores.
    threadpool_limits(1)
    _crawler = Crawler(TopiclessWorld(world, segments=segments))


def crawl(trial: Trial) -> Track | CallTrouble:
    """Make one crawl in a worker process."""
    return _crawler(trial)
