"""Crawls for several queries side by side: in worker processes if time is virtual, else in one event loop.

Each crawl is an ordinary collection in the work folder. Live crawls share one host queue, so that together they are as
polite as one crawl, and take pages that another has fetched from `fetches`; replayed ones do not archive such pages.
"""

from __future__ import annotations

import asyncio
import gc
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, aclosing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.core.events import Asked
from lycosa.core.interfaces import Web
from lycosa.core.nouns import Failure, Moved, Page, Visit
from lycosa.core.priors import Background, Priors
from lycosa.engine.archived import open_recorded
from lycosa.engine.hub_rounds import OVER, state_of
from lycosa.engine.hunt import Hunt
from lycosa.engine.live_driver import Clock
from lycosa.engine.plan import Plan
from lycosa.engine.politeness.host_locks import HostLocks, user_file
from lycosa.engine.politeness.host_queue import HostQueue
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.preparation import prepare
from lycosa.store.collection import Collection
from lycosa.system.errors import SeedsFailed
from lycosa.system.process_pool import cores, pool
from lycosa.web.parsed_pages import IN_MEMORY


class CrawlJob(Struct, frozen=True):
    """A crawl to make."""

    plan: Plan
    folder: Path
    described: dict[str, float] = {}
    """How well the words around links to a URL fit the query, by URL, for strategies that use it."""


PageProgress = Callable[[int], object]
"""Called with the number of further pages."""


class QueryCrawls(Protocol):
    """Makes crawls for queries."""

    def __call__(self, jobs: Sequence[CrawlJob]) -> Iterator[Path]:
        """Make the crawls side by side; yields the folder of each once it is finished, in the order of the jobs."""
        ...

    def close(self) -> None:
        """End the crawls that still run."""
        ...


class Live:
    """Crawls of the live Web."""

    def __init__(
        self,
        fetches: RefreshFetches,
        rules: PolitenessRules,
        background: Background | None,
        progress: PageProgress,
        network: str = "",
    ) -> None:
        self.fetches = fetches
        self.background = background
        self.progress = progress
        self.host_queue = HostQueue(rules, Clock(), fetches.known, HostLocks(user_file(), network))

    def beware(self, crawls: Sequence[Path], delay: float) -> None:
        """After an interruption: respect the delays that hosts asked of earlier crawls, and their latest requests."""
        for folder in crawls:
            with Collection.open(folder) as collection:
                for entry in collection.log.read(kinds=(Asked,)):
                    assert isinstance(entry.event, Asked)
                    self.host_queue.asked(entry.event.host, entry.event.pause)
        self.host_queue.wary(delay)

    def __call__(self, jobs: Sequence[CrawlJob]) -> Iterator[Path]:
        """Run all crawls in one event loop."""
        asyncio.run(self._all([job for job in jobs if state_of(job.folder) not in OVER]))
        return iter([job.folder for job in jobs])

    async def _all(self, jobs: Sequence[CrawlJob]) -> None:
        # A second Ctrl-C ends this loop before the outcome of the first has been read.
        asyncio.get_running_loop().set_exception_handler(_but_for_ctrl_c)
        try:
            async with asyncio.TaskGroup() as together:
                for job in jobs:
                    together.create_task(self._crawl(job))
        except BaseExceptionGroup as group:
            # One failure ends all crawls, and all of them can be resumed.
            raise _first(group) from None

    async def _crawl(self, job: CrawlJob) -> None:
        with self._hunt(job) as hunt:
            hunt.host_queue = self.host_queue
            try:
                async with aclosing(hunt.outcomes()) as outcomes:
                    async for outcome in outcomes:
                        self.fetches.note(outcome, hunt.clock(), job.folder)
                        self.fetches.commit()
                        assert hunt.pool
                        self.host_queue.left(outcome, hunt.pool)
                        if isinstance(outcome, Visit):
                            self.progress(1)
            finally:
                if hunt.pool:
                    self.host_queue.gone(hunt.pool)

    def _hunt(self, job: CrawlJob) -> Hunt:
        if state_of(job.folder) == "begun":
            return Hunt.resume(job.folder, http=job.plan.http)
        shutil.rmtree(job.folder, ignore_errors=True)
        return Hunt.begin(job.plan, job.folder, Priors(background=self.background, described=job.described))

    def close(self) -> None:
        """Nothing runs between two calls."""


class Replayed:
    """Crawls of a recorded or made web, in virtual time, on all cores; with one process, in this one."""

    def __init__(self, context: CrawlContext, progress: PageProgress, processes: int = 0) -> None:
        self.progress = progress
        self._stack = ExitStack()
        self._workers: ProcessPoolExecutor | None = None
        self._own: Replayer | None = None
        if (count := processes or cores()) > 1:
            self._workers = self._stack.enter_context(pool(count, _open_worker, (context,)))
        else:
            self._own = Replayer(context)
            self._stack.callback(self._own.let_go)

    def __call__(self, jobs: Sequence[CrawlJob]) -> Iterator[Path]:
        """Run as many crawls at once as there are processes; an unfinished crawl is made again, which costs little."""
        answers: list[Callable[[], int] | None] = []
        for job in jobs:
            over = state_of(job.folder) in OVER
            if not over:
                shutil.rmtree(job.folder, ignore_errors=True)
            answers.append(None if over else self._begin(job))
        for job, answer in zip(jobs, answers, strict=True):
            if answer:
                self.progress(answer())
            yield job.folder

    def _begin(self, job: CrawlJob) -> Callable[[], int]:
        if self._own:
            return partial(self._own.crawl, job)
        assert self._workers
        return self._workers.submit(_crawl, job).result

    def close(self) -> None:
        """End the processes."""
        self._stack.close()


class CrawlContext(Struct, frozen=True):
    """What a process needs to replay a web."""

    plan: Plan
    """The plan of any of the crawls: recording, strategy and HTTP options are the same for all."""
    fetches: Path
    background: Path | None = None
    """A file with word frequencies."""


class Replayer:
    """Replays a web for one crawl after the other; few pages are parsed twice, and no response is archived twice."""

    def __init__(self, context: CrawlContext) -> None:
        web = open_recorded(context.plan)
        assert web
        self._web: Web = web
        self._fetches = Collection.open(context.fetches)
        self._background: Background | None = None
        if context.background:
            self._background = msgspec.msgpack.decode(context.background.read_bytes(), type=Background)
        self._parsed: dict[tuple[str, int], Page] = {}

    def crawl(self, job: CrawlJob) -> int:
        """Make a crawl; returns its number of pages."""
        preparation = prepare(job.plan, Priors(background=self._background, described=job.described))
        # A crawl without a page is a result, as it is on the live Web.
        with suppress(SeedsFailed), Hunt(job.plan, Collection.create(job.folder), self, preparation) as hunt:
            return sum(1 for _ in hunt)
        return 0

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer at a canonical URL; a page that is archived comes without its response."""
        if found := self._parsed.get((url, limit)):
            return found
        answer = await self._web.get(url, limit)
        if isinstance(answer, Failure):
            return answer
        if isinstance(answer, Moved):
            return replace(answer, raw=None)
        if len(self._parsed) >= IN_MEMORY:
            self._parsed.clear()
        # The next crawl that gets it follows a finished crawl of this process, which has archived it.
        bare = self._parsed[url, limit] = replace(answer, raw=None)
        return bare if self._fetches.log.page(url) else answer

    async def close(self) -> None:
        """Do nothing: the next crawl uses the web, too."""

    def let_go(self) -> None:
        """Close what was opened; call it after the last crawl."""
        self._fetches.close()


_replayer: Replayer | None = None
"""That of a worker process."""


def _open_worker(context: CrawlContext) -> None:
    """Set up a worker process."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    global _replayer
    # One thread: sums have the same order on any machine, and crawls do not compete for cores.
    threadpool_limits(1)
    _replayer = Replayer(context)
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _crawl(job: CrawlJob) -> int:
    assert _replayer
    return _replayer.crawl(job)


def _but_for_ctrl_c(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), KeyboardInterrupt):
        loop.default_exception_handler(context)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
