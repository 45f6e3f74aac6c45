"""A hunt: one crawl and its collection, begun or resumed, watched while it runs, stopped at any time."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, aclosing, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import msgspec
from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.nouns import Outcome, Visit
from lycosa.core.priors import PageReading, Priors
from lycosa.engine.archived import open_recorded
from lycosa.engine.crawl import Crawl
from lycosa.engine.crawl_recovery import Checkpoints, must_be_one_crawl, plan_of, priors_of, recall
from lycosa.engine.example_crawl import on_live, on_recorded, read
from lycosa.engine.judgement_listener import JudgementListener
from lycosa.engine.live_driver import Clock, LiveDriver
from lycosa.engine.live_index import IndexFollower, InProcessIndex, LiveIndex
from lycosa.engine.plan import Plan
from lycosa.engine.politeness.host_locks import HostLocks, user_file
from lycosa.engine.politeness.host_queue import HostQueue
from lycosa.engine.preparation import Preparation, first_archived, prepare
from lycosa.engine.scope.index_pages import with_index_pages
from lycosa.engine.scout import ListedOnce, Scout
from lycosa.engine.scout_pool import ScoutPool, processes_of
from lycosa.engine.seed_failures import SeedFailure, failed, seed_failures
from lycosa.engine.stepwise import stepwise
from lycosa.engine.virtual_driver import VirtualDriver
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.system.closable import Closable
from lycosa.system.errors import Code, Refused
from lycosa.system.shortage import Shortage

_CHANGEABLE = {"budget", "workers", "processes", "reach", "http", "render", "patience", "checkpoint", "outage", "scope"}


class Hunt(Closable):
    """One crawl of one collection. Iterate over it for its visits; it can be left at any moment and resumed."""

    def __init__(self, plan: Plan, collection: Collection, recorded: Web | None, priors: Priors | Preparation) -> None:
        self.plan = plan
        self.recorded = recorded
        self.priors = priors
        """The priors, or the preparation that will read them."""
        self.collection = collection
        self.crawl = Crawl(plan, collection.log.append)
        self.driver: LiveDriver | VirtualDriver | None = None
        self.pool: ScoutPool | None = None
        self.host_queue: HostQueue | None = None
        """Shared with other hunts in this process, so that together they are as polite as one."""
        self.clock: Callable[[], float] = Clock(collection.log.last_time())
        self.index: IndexFollower | None = None
        """Indexes the pages while the hunt runs, if the plan says so."""
        self.reading: tuple[int, int] | None = None
        """While pages are read before the crawl: how many were tried, and of how many."""
        self.remark = ""
        """What was found damaged when the hunt was resumed, and what was done about it."""
        self._visits: Generator[Visit, None, None] | None = None
        self._awaited: AsyncGenerator[Visit, None] | None = None
        self._stopped_early = False
        self.checkpoints = Checkpoints(self.crawl, collection)
        self._listen = JudgementListener(collection, self.crawl, lambda: self.clock())
        self.reader = self._listen.reader
        """Asks a judge who reads about some of the pages, if the plan names one."""

    @classmethod
    def begin(cls, plan: Plan, folder: str | os.PathLike[str], priors: Priors | None = None) -> Self:
        """A new hunt in a new folder; `priors` is what is known already."""
        # A recording that cannot be read, or priors that cannot be had, are noticed before the folder is made.
        recorded = open_recorded(plan)
        if not recorded:
            plan.must_be_ready()
        preparation = prepare(plan, priors)
        return cls(plan, Collection.create(Path(folder)), recorded, preparation)

    @classmethod
    def resume(cls, folder: str | os.PathLike[str], **changes: object) -> Self:
        """Continue where the log of the folder ends.

        `changes` replace parts of the plan that the past of the crawl does not depend on, and its scope: those in
        _CHANGEABLE. With another scope the links of all pages are looked at again; pages that were kept stay.
        """
        if foreign := changes.keys() - _CHANGEABLE:
            problem = f"{', '.join(sorted(foreign))} cannot change within a crawl"
            raise Refused(problem, "begin another one", code=Code.NOT_ALLOWED)
        collection = Collection.open(Path(folder), write=True)
        try:
            must_be_one_crawl(collection)
            plan = replace(plan_of(collection), **changes)
            if not plan.recorded:
                plan.must_be_ready()
            collection.recover()
            remarks = [collection.log.remark, collection.doubt()]
            priors = priors_of(collection)
            hunt = cls(plan, collection, open_recorded(plan), priors)
            recall(hunt.crawl, collection, priors)
            hunt.remark = "; ".join(filter(None, remarks))
        except BaseException:
            collection.close()
            raise
        return hunt

    async def outcomes(self) -> AsyncGenerator[Outcome, None]:
        """Run the hunt; every outcome as it comes."""
        priors = await self._prepared()
        run = self._replay(self.recorded, priors) if self.recorded else self._live(priors)
        try:
            async with aclosing(run) as outcomes:
                async for outcome in outcomes:
                    yield outcome
                    self.checkpoints.save_if_due()
        except GeneratorExit:
            self._rest()
            await self._finish_index()
            raise
        except BaseException as error:
            # After another error the crawl in memory may be ahead of the log, so there is no checkpoint.
            if isinstance(error, asyncio.CancelledError) or (isinstance(error, Shortage) and self.crawl.stopped):
                self._rest()
            self._let_go_of_index()
            raise
        if self.reader:
            await self.reader.finish(linger=not self._stopped_early)
        self._rest()
        await self._finish_index()

    async def _finish_index(self) -> None:
        """Wait until the index has everything in the log; what it does not finish is done at the next search."""
        try:
            if self.plan.index and self.index is None:
                self.index = LiveIndex(self.collection.folder)
            if self.index:
                await self.index.finish()
        finally:
            self._let_go_of_index()

    def _let_go_of_index(self) -> None:
        if self.index:
            self.index.close()

    async def _prepared(self) -> Priors:
        """The priors; what is not known yet is read now, and kept in the collection."""
        if isinstance(self.priors, Priors):
            return self.priors
        priors = await self.priors.complete(first_archived(self.plan.sources.past, self._read))
        if priors != Priors():
            self.collection.save_lore(msgspec.msgpack.encode(priors))
        self.crawl.prepare(priors)
        self.priors.close()
        self.priors = priors
        return priors

    async def _read(self, urls: Sequence[str]) -> dict[str, PageReading | None]:
        self.reading = 0, len(urls)
        try:
            if self.recorded:
                once = self.plan.index and not self.plan.make_strategy().context
                web = ListedOnce(self.recorded) if once else self.recorded
                return await read(self.plan, urls, on_recorded(web, self.clock()), self._on)
            for left in self.collection.folder.glob("reading-*"):
                # Left by a process that was killed; we hold the lock, so no other process is writing here.
                shutil.rmtree(left, ignore_errors=True)
            with TemporaryDirectory(prefix="reading-", dir=self.collection.folder) as folder, self._polite() as locks:
                return await read(self.plan, urls, on_live(Path(folder), self.clock, locks), self._on)
        finally:
            self.reading = None

    def _polite(self) -> AbstractContextManager[HostLocks | None]:
        # Hunts that share a queue leave the locks to the queue.
        return nullcontext() if self.host_queue else HostLocks(user_file(), self.plan.http.network)

    def _on(self) -> bool:
        """Called after each page that is read before the crawl; False stops the reading."""
        tried, wanted = self.reading or (0, 0)
        self.reading = min(tried + 1, wanted), wanted
        return not self._stopped_early

    async def _live(self, priors: Priors) -> AsyncGenerator[Outcome, None]:
        plan, folder = self.plan, self.collection.folder
        pool = self.pool = ScoutPool(plan, folder, processes_of(plan), _run_name(), priors, spool=plan.index)
        pool.host_queue = self.host_queue
        driver = LiveDriver(self.crawl, pool, self.collection.log.commit, self.clock)
        self._begin(driver)
        with self._polite() as self.crawl.politeness.locks:
            try:
                await pool.start()
                async with aclosing(driver.run()) as outcomes:
                    async for outcome in outcomes:
                        if plan.index and self.index is None:
                            # Not before there is something to index, so that it does not delay the start of the scouts.
                            self.index = LiveIndex(folder)
                        yield outcome
            finally:
                await pool.close()
                driver.hear_out()

    def _begin(self, driver: LiveDriver | VirtualDriver) -> None:
        self.driver = driver
        driver.stopping = self._stopped_early
        driver.listen = self._listen
        self.crawl.begin(self.clock())
        # From here on the hunt can be resumed, even if it is killed before its first request.
        self.collection.log.commit()

    async def _replay(self, web: Web, priors: Priors) -> AsyncGenerator[Outcome, None]:
        plan, folder = self.plan, self.collection.folder
        archive = Writer(folder, _run_name())
        inside = self.index = InProcessIndex(folder) if plan.index else None
        spool = inside.spool if inside else None
        strategy, judge, scope = plan.make_strategy(), plan.make_judge(), plan.make_scope()
        web = with_index_pages(web, plan)
        scout = Scout(web, plan.topic, strategy, judge, priors, archive, spool, scope=scope)
        driver = VirtualDriver(self.crawl, scout, now=self.clock())
        self.clock = lambda: driver.now
        self._begin(driver)
        try:
            async with aclosing(driver.run()) as outcomes:
                async for outcome in outcomes:
                    self.collection.log.commit()
                    if inside:
                        inside.look()
                    if self.reader:
                        await self.reader.answers(lambda: driver.stopping)
                    yield outcome
        finally:
            archive.close()
            await web.close()

    @property
    def waiting(self) -> str:
        """What the hunt waits for because our own side failed; empty otherwise."""
        return self.driver.hold.said(self.clock()) if isinstance(self.driver, LiveDriver) else ""

    @property
    def failed(self) -> bool:
        """Whether the hunt ended without a page, because none of its seeds could be fetched."""
        return self.crawl.stopped is not None and self.crawl.stopped.failed

    def failures(self) -> list[SeedFailure]:
        """The seeds that brought no page, and why."""
        return seed_failures(self.collection.log, self.plan)

    @property
    def stopping(self) -> bool:
        """Whether the hunt was asked to stop."""
        return self.driver is not None and self.driver.stopping

    def stop(self) -> None:
        """Fetch nothing more; the iteration ends when what is under way has ended."""
        self._stopped_early = True
        if self.driver:
            self.driver.stop()

    def _rest(self) -> None:
        """Log the end, save a checkpoint and tidy the collection, however the run ended."""
        if not self.crawl.stopped:
            self.crawl.stop("interrupted", False, self.clock())
        self.checkpoints.save()
        # Responses to orders under way may have reached the archive without a log entry.
        self.collection.tidy()

    def __iter__(self) -> Iterator[Visit]:
        """The pages as they are fetched, in a plain loop; in a notebook too.

        Raises SeedsFailed at the end if there was no page, so that a failed hunt is not taken for an empty one.
        """
        self._visits = stepwise(self._pages())
        return self._visits

    def __aiter__(self) -> AsyncIterator[Visit]:
        """The pages as they are fetched, in an asynchronous loop; as for a plain one."""
        self._awaited = self._pages()
        return self._awaited

    async def _pages(self) -> AsyncGenerator[Visit, None]:
        try:
            async with aclosing(self.outcomes()) as outcomes:
                async for outcome in outcomes:
                    if isinstance(outcome, Visit) and not outcome.out_of_scope:
                        yield outcome
        finally:
            self._awaited = None
        if self.failed:
            raise failed(self.collection.folder, self.failures())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._aclose()

    async def _aclose(self) -> None:
        if self._awaited:
            await self._awaited.aclose()
            self._awaited = None
        self.close()

    def close(self) -> None:
        """End what still runs, then close the collection."""
        if self._awaited:
            # An asynchronous loop was left inside a plain `with`: its event loop must end what still runs.
            self._closing = asyncio.get_running_loop().create_task(self._aclose())
            return
        if self._visits:
            self._visits.close()
        if isinstance(self.priors, Preparation):
            self.priors.close()
        if self.reader:
            self.reader.close()
        self.collection.close()


def _run_name() -> str:
    return time.strftime("%Y%m%d-%H%M%S", time.gmtime()) + f"-{os.getpid()}"
