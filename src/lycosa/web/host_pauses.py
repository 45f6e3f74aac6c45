"""The pause between requests to a host: any two of them, for robots.txt or pages, are a pause apart."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from lycosa.web.robots_txt import LONGEST_PAUSE

MOST_HOSTS = 100_000
"""Hosts whose last request is remembered; beyond this number, hosts whose pause is certainly over are forgotten."""


class HostPauses:
    """When each host may be asked again, and how many requests may be under way in all."""

    def __init__(self, delay: float, requests: int, delay_of: Callable[[str], float] | None = None) -> None:
        self._delay = delay
        self._delay_of = delay_of or (lambda host: delay)
        self._slots = asyncio.Semaphore(requests)
        self._crawl_delays: dict[str, float] = {}
        self._last: dict[str, float] = {}
        """When the last request to a host started, or ended if it has ended."""

    def learn(self, host: str, crawl_delay: float) -> bool:
        """Remember the Crawl-delay of a host; True if it was not known before."""
        if not crawl_delay or self._crawl_delays.get(host) == crawl_delay:
            return False
        self._crawl_delays[host] = crawl_delay
        return True

    def pause(self, host: str) -> float:
        """Seconds between two requests to the host."""
        return max(self._delay_of(host), self._crawl_delays.get(host, 0.0))

    def wait(self, host: str) -> float:
        """Seconds until the host's pause is over."""
        return self._last.get(host, float("-inf")) + self.pause(host) - time.monotonic()

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Wait until the host's pause is over and a request slot is free, and hold both during the request.

        The slots stand for file descriptors. Waiting for them here is better than inside the HTTP client, where a
        request that waits times out as if its host had been slow.
        """
        if len(self._last) > MOST_HOSTS:
            now = time.monotonic()
            longest = max(LONGEST_PAUSE, self._delay)
            self._last = {
                name: last for name, last in self._last.items() if last > now - longest or self.wait(name) > 0
            }
        while True:
            while (wait := self.wait(host)) > 0:
                # Timers may be a little early, and another request that waited for the same host may be first.
                await asyncio.sleep(wait + 0.001)
            await self._slots.acquire()
            if self.wait(host) <= 0:
                break
            self._slots.release()
        self._last[host] = time.monotonic()
        try:
            yield
        finally:
            self._last[host] = max(self._last.get(host, 0.0), time.monotonic())
            self._slots.release()
