"""Virtual time: a crawl of a made or recorded web in which waiting costs nothing.

Each fetch takes `latency` virtual seconds; the rest of hosts, delays and reach work as on the live Web.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable
from heapq import heappop, heappush
from itertools import count

from lycosa.core.nouns import Outcome
from lycosa.engine.crawl import Crawl, End, Wait
from lycosa.engine.scout import Scout, ScoutOrder


class VirtualDriver:
    """Runs one crawl with `plan.workers` virtual workers."""

    def __init__(self, crawl: Crawl, scout: Scout, *, now: float = 0.0, latency: float = 0.1) -> None:
        self.crawl = crawl
        self.scout = scout
        self.now = now
        self.latency = latency
        self.stopping = False
        self.listen: Callable[[], None] = lambda: None
        """Called before every fetch, for news that does not come from scouts."""

    def stop(self) -> None:
        """End the run before the next fetch."""
        self.stopping = True

    async def run(self) -> AsyncGenerator[Outcome, None]:
        """Every outcome as it comes; at the end the crawl has been told why it stopped."""
        crawl, workers = self.crawl, self.crawl.plan.workers
        returning: list[tuple[float, int, ScoutOrder]] = []
        turn = count()
        while not self.stopping:
            self.listen()
            step: ScoutOrder | Wait | End = Wait(math.inf)
            while len(returning) < workers and isinstance(step := crawl.want(self.now), ScoutOrder):
                heappush(returning, (self.now + self.latency, next(turn), step))
            if isinstance(step, End):
                crawl.stop(step.reason, True, self.now)
                return
            until = step.until if isinstance(step, Wait) else math.inf
            if returning and returning[0][0] <= until:
                self.now, _, order = heappop(returning)
                outcome = await self.scout(order)
                crawl.absorb(outcome, self.now)
                yield outcome
            else:
                self.now = until
        crawl.stop("stopped", False, self.now)
