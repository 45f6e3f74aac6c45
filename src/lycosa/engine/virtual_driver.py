"""Virtual time: a crawl of a made or recorded web in which waiting costs nothing.

Each fetch takes `latency` virtual seconds; the rest of hosts, delays and reach work as on the live Web. With `robots`,
so does the first request to a host: robots.txt comes first, and the host's pause after it.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from heapq import heappop, heappush
from itertools import count

from lycosa.core.nouns import Outcome
from lycosa.core.urls import host_of
from lycosa.engine.crawl import Crawl, End, Wait
from lycosa.engine.scout import Scout, ScoutOrder


class VirtualDriver:
    """Runs one crawl with `plan.workers` virtual workers; `robots` returns the pause that a URL's host asks for."""

    def __init__(
        self,
        crawl: Crawl,
        scout: Scout,
        *,
        now: float = 0.0,
        latency: float = 0.1,
        robots: Callable[[str], Awaitable[float]] | None = None,
    ) -> None:
        self.crawl = crawl
        self.scout = scout
        self.now = now
        self.latency = latency
        self.robots = robots
        self._hosts: set[str] = set()
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
                heappush(returning, (self.now + await self._takes(step.ticket.url), next(turn), step))
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

    async def _takes(self, url: str) -> float:
        """The seconds that a request takes; for the first one to a host, robots.txt and the pause after it count."""
        host = host_of(url)
        if self.robots is None or host in self._hosts:
            return self.latency
        self._hosts.add(host)
        if pause := await self.robots(url):
            self.crawl.asked(host, pause, self.now)
        return 2 * self.latency + self.crawl.politeness.pause(host)
