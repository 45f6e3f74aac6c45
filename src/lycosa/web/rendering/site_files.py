"""The files that rendered pages load: each hop asked through the crawl's own client, and kept for other pages."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from weakref import WeakValueDictionary

from lycosa.core.nouns import Failure, Raw
from lycosa.core.urls import canonical, host_of

HOPS = 5
ROOM = 64 << 20
"""Bytes of files kept for other pages."""
SCRIPTS_STAY = 3600.0
"""Seconds for which a script is used again: it is the same for every page of its site."""
_LONGEST_URL = 8192
_max_age = re.compile(r"(?:^|[\s,])max-age=(\d{1,9})", re.IGNORECASE)

Load = Callable[[str, int, dict[str, str]], Awaitable[Raw | Failure]]
"""Asks for a URL, with most bytes and headers, under the rules of the crawl; follows no redirect."""
Elsewhere = Callable[[str], AbstractAsyncContextManager[object]]
"""Waits until a host other than the page's own may be asked, whoever else asks it."""


class SiteFile:
    """A file that a page loaded, with the redirects on the way to it."""

    def __init__(self, hops: list[tuple[str, Raw]], until: float) -> None:
        self.hops = hops
        self.until = until
        """When it must be loaded again."""
        self.archived = False

    @property
    def raw(self) -> Raw:
        """The response at the end of the redirects."""
        return self.hops[-1][1]

    @property
    def size(self) -> int:
        """Bytes that it takes in memory, about."""
        return sum(len(raw.body) + 1000 for _, raw in self.hops)


class SiteFiles:
    """Loads files, each only once as long as it is fresh; the same file is never loaded twice at the same time."""

    def __init__(self, load: Load, elsewhere: Elsewhere | None = None) -> None:
        self._load = load
        self._elsewhere = elsewhere or (lambda host: nullcontext())
        self._kept: OrderedDict[str, SiteFile] = OrderedDict()
        self._size = 0
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def get(
        self, url: str, page: str, headers: dict[str, str], limit: int, *, script: bool, asking: Callable[[], bool]
    ) -> SiteFile | Failure:
        """The file at a URL that a page asks for; `asking` is called before each request and may forbid it."""
        lock = self._locks.setdefault(url, asyncio.Lock())
        async with lock:
            if (kept := self._kept.get(url)) and kept.until > time.monotonic():
                self._kept.move_to_end(url)
                return kept
            file = await self._follow(url, page, headers, limit, script, asking)
            if isinstance(file, SiteFile) and file.until > time.monotonic():
                self._keep(url, file)
            return file

    async def _follow(
        self, url: str, page: str, headers: dict[str, str], limit: int, script: bool, asking: Callable[[], bool]
    ) -> SiteFile | Failure:
        hops: list[tuple[str, Raw]] = []
        for _ in range(1 + HOPS):
            if not asking():
                return Failure("too many requests", asked=False)
            host = host_of(url)
            try:
                async with self._elsewhere(host) if host != host_of(page) else nullcontext():
                    raw = await self._load(url, limit, headers)
            except TimeoutError:
                return Failure("asked by others", again=True, asked=False)
            if isinstance(raw, Failure):
                return raw
            hops.append((url, raw))
            place = raw.header("Location") if 300 <= raw.status < 400 else ""
            if not place:
                return SiteFile(hops, time.monotonic() + _fresh_for(raw, script))
            target = canonical(place, url, limit=_LONGEST_URL)
            if target is None:
                return Failure("bad redirect")
            if host_of(target) != host:
                # What a script knows of its own site is not for another one.
                headers = {name: value for name, value in headers.items() if name in ("accept", "referer")}
            url = target
        return Failure("too many redirects")

    def _keep(self, url: str, file: SiteFile) -> None:
        if old := self._kept.pop(url, None):
            self._size -= old.size
        self._kept[url] = file
        self._size += file.size
        while self._size > ROOM:
            _, gone = self._kept.popitem(last=False)
            self._size -= gone.size


def _fresh_for(raw: Raw, script: bool) -> float:
    """Seconds for which a response may be used again."""
    control = raw.header("Cache-Control").lower()
    if raw.status != 200 or "no-store" in control or raw.truncated or raw.damaged:
        return 0.0
    if script:
        return SCRIPTS_STAY
    found = None if "no-cache" in control else _max_age.search(control)
    return min(float(found[1]), SCRIPTS_STAY) if found else 0.0
