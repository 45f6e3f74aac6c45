"""robots.txt by RFC 9309: what a host's owner does not want fetched, and how fast.

| robots.txt answers | what may be fetched | asked again |
|---|---|---|
| 2xx | what its rules say | when it is stale (24 h) |
| 4xx but 429, or more than five redirects | everything | when it is stale |
| 5xx, 429, no answer | for 24 h what an old copy says, then nothing | after 10, 20, 40 ... 3,600 s or Retry-After |
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from lycosa.core.nouns import Failure
from lycosa.core.urls import canonical
from lycosa.web.robots_txt import ALL, RobotsRules, product, read

HOPS = 5
TTL = 24 * 3600.0
FIRST_RETRY, LAST_RETRY = 10.0, 3600.0
MOST_ORIGINS = 100_000


class RobotsResponse(NamedTuple):
    """The response to a request for robots.txt: one hop, at most LIMIT bytes."""

    status: int
    body: bytes = b""
    location: str = ""
    rest: float | None = None


class _Origin:
    """What is known about one origin's robots.txt."""

    __slots__ = ("failure", "fetched", "lock", "retry", "rules", "until")

    def __init__(self) -> None:
        self.rules: RobotsRules | None = None
        self.failure: Failure | None = None
        self.fetched = 0.0
        self.until = float("-inf")
        self.retry = 0.0
        self.lock = asyncio.Lock()


class Robots:
    """The robots.txt of every origin, fetched when first needed and again when stale, never twice at the same time.

    `fetch` gets one URL, follows no redirect, and returns a Failure if there was no HTTP response.
    """

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[RobotsResponse | Failure]],
        agent: str,
        ttl: float = TTL,
        *,
        retry: float = FIRST_RETRY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch = fetch
        self._agent = product(agent)
        self._ttl = ttl
        self._retry = retry
        self._clock = clock
        self._origins: dict[str, _Origin] = {}

    async def allowed(self, url: str) -> bool | Failure:
        """Whether a canonical URL may be fetched; a Failure says why nothing may be fetched, and for how long."""
        origin = await self._known(url[: url.find("/", 8)])
        if origin.rules is not None:
            return origin.rules.allows(url)
        assert origin.failure is not None
        if origin.failure.ours:
            return origin.failure
        reason, again = origin.failure.reason, origin.failure.again
        return Failure(reason, again, max(origin.until - self._clock(), 0.0) if again else None)

    async def pause(self, origin: str) -> float:
        """The seconds between requests that an origin (https://host) asks for; 0 if it asks for none."""
        known = await self._known(origin)
        return known.rules.pause if known.rules else 0.0

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The canonical URLs of the sitemaps that the robots.txt of a URL's origin names."""
        known = await self._known(url[: url.find("/", 8)])
        if known.rules is None or not known.rules.sitemaps:
            return ()
        return tuple([found for each in known.rules.sitemaps if (found := canonical(each, url, limit=2048))])

    async def _known(self, name: str) -> _Origin:
        origin = self._origins.get(name)
        if origin is None:
            if len(self._origins) >= MOST_ORIGINS:
                del self._origins[next(iter(self._origins))]
            origin = self._origins[name] = _Origin()
        if self._clock() >= origin.until:
            async with origin.lock:
                if self._clock() >= origin.until:
                    await self._refresh(name, origin)
        return origin

    async def _refresh(self, name: str, origin: _Origin) -> None:
        rules = await self._read(name)
        now = self._clock()
        if isinstance(rules, RobotsRules):
            origin.rules, origin.failure, origin.fetched = rules, None, now
            origin.until, origin.retry = now + self._ttl, 0.0
            return
        if rules.ours:
            # This failure says nothing about the host, so there is nothing to remember.
            if origin.rules is None:
                origin.failure = rules
            return
        origin.retry = min(2 * origin.retry or self._retry, LAST_RETRY)
        origin.until = now + (origin.retry if rules.rest is None else min(max(rules.rest, self._retry), TTL))
        if origin.rules is None or now - origin.fetched >= self._ttl + TTL:
            origin.rules, origin.failure = None, rules

    async def _read(self, name: str) -> RobotsRules | Failure:
        url = f"{name}/robots.txt"
        for _ in range(1 + HOPS):
            answer = await self._fetch(url)
            if isinstance(answer, Failure):
                return answer
            if answer.status == 429 or answer.status >= 500:
                return Failure("robots unreachable", again=True, rest=answer.rest)
            if not 300 <= answer.status < 400 or not answer.location:
                return read(answer.body, self._agent, canonical_urls=True) if 200 <= answer.status < 300 else ALL
            target = canonical(answer.location, url, limit=2048)
            if target is None:
                return ALL
            url = target
        return ALL
