"""The turn of hosts that no ticket is about: rendered pages load files from them, in any scout of any crawl."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lycosa.engine.politeness.host_locks import HostLocks, user_file

_PATIENCE = 10.0
"""Seconds to wait for a host that another crawl or scout asks. Two pages may wait for each other's host."""


class OtherHosts:
    """Takes part in the locks that crawls share, for one scout."""

    def __init__(self, network: str, delay: float) -> None:
        self._locks = HostLocks(user_file(), network)
        self._delay = delay

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Wait until nobody else asks the host, and hold it; raises TimeoutError if that takes too long."""
        until = time.monotonic() + _PATIENCE
        while (wait := self._locks.claim(host, self._delay)) > 0:
            if time.monotonic() + wait > until:
                raise TimeoutError
            await asyncio.sleep(wait)
        self._locks.begin(host, self._delay)
        try:
            yield
        finally:
            self._locks.end(host, self._delay)

    def close(self) -> None:
        """Let go of every host."""
        self._locks.close()
