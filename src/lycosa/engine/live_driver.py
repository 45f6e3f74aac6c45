"""The live driver: one brain, many scouts, real time."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncGenerator, Callable

from lycosa.core.events import Asked
from lycosa.core.nouns import Outcome
from lycosa.engine.crawl import Crawl, End, Wait
from lycosa.engine.outage import OutageWait
from lycosa.engine.scout import ScoutOrder
from lycosa.engine.scout_pool import ScoutPool
from lycosa.system.shortage import shortage

_ENOUGH = 4
_LINGER = 0.005


class Clock:
    """Wall time that never goes backwards, not even behind the log: setting the clock does not change a host's rest."""

    def __init__(self, not_before: float = 0.0) -> None:
        self._offset = max(time.time(), not_before) - time.monotonic()

    def __call__(self) -> float:
        return self._offset + time.monotonic()


class LiveDriver:
    """Asks the crawl for orders, hands them to the pool, takes in the outcomes.

    One tick absorbs all outcomes that have arrived, leases as many tickets as allowed, commits the log once, and only
    then sends the orders out: whatever happens next, the log knows what was under way.
    """

    def __init__(self, crawl: Crawl, pool: ScoutPool, commit: Callable[[], object], clock: Callable[[], float]) -> None:
        self.crawl = crawl
        self.pool = pool
        self.commit = commit
        self.clock = clock
        self.hold = OutageWait(crawl.plan.workers, crawl.plan.outage)
        self.stopping = False
        self._absorbed = 0.0
        """When outcomes were last taken in."""
        self.listen: Callable[[], None] = lambda: None
        """Called at every tick, at least once a second, for news that does not come from scouts."""

    def stop(self) -> None:
        """Lease no more; the run ends when what is under way has ended."""
        self.stopping = True
        self.pool.news.set()

    async def run(self) -> AsyncGenerator[Outcome, None]:
        """Every outcome as it comes; at the end the crawl has been told why it stopped."""
        crawl, pool = self.crawl, self.pool
        while True:
            pool.news.clear()
            outcomes = self._absorb()
            self.listen()
            orders, step = self._lease()
            self.commit()
            for order in orders:
                pool.send(order)
            for outcome in outcomes:
                yield outcome
            if pool.failure:
                raise pool.failure
            if self.hold.is_over(self.clock()) and (pool.shortage or not crawl.under_way):
                trouble = shortage(self.hold.reason)
                crawl.stop(trouble.problem, False, self.clock())
                raise trouble
            if isinstance(step, End):
                crawl.stop(step.reason, True, self.clock())
                return
            if self.stopping and not crawl.under_way:
                crawl.stop("stopped", False, self.clock())
                return
            await self._news(step.until, len(outcomes))

    def _absorb(self) -> list[Outcome]:
        arrived, self.pool.inbox = self.pool.inbox, []
        now, outcomes = self.clock(), []
        for message in arrived:
            if isinstance(message, Asked):
                self.crawl.asked(message.host, message.pause, now)
            else:
                self.crawl.absorb(message, now)
                self.hold.saw(message, now, len(self.crawl.under_way))
                outcomes.append(message)
        if self.pool.shortage:
            self.hold.struck(self.pool.shortage, now, len(self.crawl.under_way))
        self.pool.alive = self.crawl.tally.answered
        return outcomes

    def hear_out(self) -> None:
        """After the end, log the pauses that hosts have asked for, so that a resumed crawl knows them."""
        for message in self.pool.inbox:
            if isinstance(message, Asked):
                self.crawl.asked(message.host, message.pause, self.clock())

    def _lease(self) -> tuple[list[ScoutOrder], Wait | End]:
        crawl = self.crawl
        orders: list[ScoutOrder] = []
        if crawl.time_left(self.clock()) <= 0:
            return orders, End("budget spent: time")
        if self.hold.is_over(self.clock()):
            return orders, Wait(math.inf)
        if self.clock() < self.hold.until:
            return orders, Wait(self.hold.until)
        while not self.stopping and len(crawl.under_way) < self.hold.width:
            step = crawl.want(self.clock())
            if not isinstance(step, ScoutOrder):
                return orders, step
            orders.append(step)
        return orders, Wait(math.inf)

    async def _news(self, until: float, arrived: int) -> None:
        now = self.clock()
        crowded = arrived * _LINGER >= now - self._absorbed
        if arrived:
            self._absorbed = now
        patience = min(until - now, self.crawl.time_left(now), 1.0)
        if patience > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.pool.news.wait(), patience)
        if crowded and len(self.crawl.under_way) > _ENOUGH * len(self.pool.scouts):
            # The scouts have enough to do and outcomes arrive fast: take several of them in one tick and one commit.
            await asyncio.sleep(_LINGER)
