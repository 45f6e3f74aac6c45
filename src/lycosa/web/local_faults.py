"""Local or remote? A request may fail because of its host or because of this machine; only the former counts.

This machine may be short of something (descriptors, memory, ports): the error says so. Or it may have no network, and
then the error is the same as for a host that is gone. So a failure that may be local counts against a URL only if
another host answers after it: one of this crawl, or one that answered before and is probed now. A probe of the name
server asks for a name that nobody has asked for yet, so that no cache can answer; a probe of the network is a
connection on which nothing is sent.
"""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
import time
from collections import deque
from contextvars import ContextVar
from enum import Enum
from typing import Any

import aiohttp
from msgspec.structs import replace
from yarl import URL

from lycosa.core.nouns import Failure
from lycosa.system.descriptors import RESERVE, can_open, free
from lycosa.system.shortage import DESCRIPTORS, error_numbers, short_of
from lycosa.web.address_guard import AddressError, AddressGuard, is_address
from lycosa.web.resolver import THREADS, Resolver, is_final

_PATIENCE = 1.0
"""Seconds to wait for an answer from another host before one is probed."""
_TIMEOUT = 5.0
"""Seconds that a probe may take."""
_KNOWN = 3
"""Most hosts that are probed."""
_NO_ROUTE = {errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL}


class _Doubt(Enum):
    """What may be wrong on this machine."""

    NAMES = "no name server answers"
    ROUTE = "there is no route out of this machine"
    SILENCE = "nobody answers"


_families: ContextVar[set[int]] = ContextVar("families")
"""The address families (IPv4, IPv6) over which the current request was tried."""


class Room:
    """How many requests, name lookups and idle connections the descriptors of this process allow.

    A lookup may take four descriptors, a connection two while it is made (IPv4 and IPv6). A fifth of what is free goes
    to requests, a fifth to idle connections and a quarter to lookups; the rest stays free.
    """

    def __init__(self) -> None:
        room = max(0, free() - RESERVE)
        self.requests = max(1, room // 5)
        self.idle = room // 5
        self.lookups = max(1, min(THREADS, room // 16))


class Sockets:
    """Makes sockets for the HTTP client and counts those that are open."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._made: list[socket.socket] = []

    def __call__(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address as getaddrinfo returns it."""
        _families.get(set()).add(info[0])
        made = self._guard.socket(info)
        self._made.append(made)
        return made

    def are_more_than(self, count: int) -> bool:
        """Whether more than `count` sockets are open."""
        if len(self._made) > count:
            self._made = [made for made in self._made if made.fileno() >= 0]
        return len(self._made) > count


class LocalFaults:
    """Decides whether a failed request says anything about its URL."""

    def __init__(self, guard: AddressGuard, resolver: Resolver) -> None:
        self._guard = guard
        self._resolver = resolver
        self._answered_at = float("-inf")
        self._known: deque[str] = deque(maxlen=_KNOWN)
        """Origins that answered, the latest last."""
        self._asking: dict[_Doubt, asyncio.Task[bool]] = {}

    def begin(self) -> None:
        """Note that a request begins in this task."""
        _families.set(set())

    def answered(self, url: str) -> None:
        """Note that a host has answered."""
        self._answered_at = time.monotonic()
        self.knows(url)

    def knows(self, url: str) -> None:
        """Note that a host answered recently, to any process."""
        origin = "/".join(url.split("/", 3)[:3])
        if origin not in self._known:
            self._known.append(origin)

    async def weigh(self, url: str, error: Exception, failure: Failure) -> Failure:
        """The failure that an error means; a local one if this machine may be the cause."""
        if isinstance(getattr(error, "os_error", None), AddressError):
            return failure
        if (reason := _shortage(error)) and not self._has_no_such_family(error):
            return Failure(reason, again=True, asked=False, ours=True)
        doubt = self._doubt(url, error)
        if doubt is None:
            if not isinstance(error, aiohttp.ClientConnectorDNSError | aiohttp.InvalidURL):
                self._answered_at = time.monotonic()
            return failure
        if doubt is _Doubt.NAMES:
            failure = Failure("name server failure", again=True)
        name = URL(url, encoded=True).raw_host or ""
        if not self._resolver.is_waiting(name) and await self._alive(doubt):
            return failure
        if doubt is _Doubt.SILENCE and not self._known:
            # If no host has ever answered, a host that does not answer is more likely gone itself.
            return failure
        return replace(failure, again=True, ours=True)

    def _has_no_such_family(self, error: Exception) -> bool:
        """Whether «no such local address» only means that this machine has no IPv6."""
        return set(error_numbers(error)) == {errno.EADDRNOTAVAIL} and socket.AF_INET not in _families.get(set())

    def _doubt(self, url: str, error: Exception) -> _Doubt | None:
        if isinstance(error, aiohttp.ClientConnectorDNSError):
            return None if is_final(error.os_error) else _Doubt.NAMES
        if isinstance(error, TimeoutError):
            return _Doubt.NAMES if self._resolver.is_looking(URL(url, encoded=True).raw_host or "") else _Doubt.SILENCE
        numbers = set(error_numbers(error))
        if numbers and numbers <= _NO_ROUTE:
            return _Doubt.ROUTE
        if numbers and numbers <= {*_NO_ROUTE, errno.EHOSTUNREACH, errno.ETIMEDOUT}:
            return _Doubt.SILENCE
        return None

    def _sign(self, doubt: _Doubt) -> float:
        return self._resolver.answered_at if doubt is _Doubt.NAMES else self._answered_at

    async def _alive(self, doubt: _Doubt) -> bool:
        """Whether any host answers from now on."""
        now = time.monotonic()
        while time.monotonic() < now + _PATIENCE:
            if self._sign(doubt) > now:
                return True
            await asyncio.sleep(_PATIENCE / 20)
        # Many requests fail together: one probe is enough for all of them.
        asking = self._asking.get(doubt)
        if asking is None or asking.done():
            asking = self._asking[doubt] = asyncio.create_task(self._ask(doubt))
        return await asyncio.shield(asking)

    async def _ask(self, doubt: _Doubt) -> bool:
        for origin in reversed(self._known):
            url = URL(origin, encoded=True)
            try:
                async with asyncio.timeout(_TIMEOUT):
                    if doubt is _Doubt.NAMES:
                        await self._ask_name_server(url.raw_host or "")
                    else:
                        await self._knock(url.raw_host or "", url.port or 80)
                        self._answered_at = time.monotonic()
                    return True
            except (OSError, ValueError):
                # This also skips a name that is too long with the label before it.
                continue
        return False

    async def _ask_name_server(self, host: str) -> None:
        if is_address(host):
            raise OSError("an address has no name server")
        try:
            await self._resolver.look_up(f"{secrets.token_hex(4)}.{host}.")
        except socket.gaierror as error:
            if not is_final(error):
                raise

    async def _knock(self, host: str, port: int) -> None:
        for found in await self._resolver.resolve(host, port):
            where = (found["host"], found["port"])
            with self._guard.socket((found["family"], socket.SOCK_STREAM, 0, "", where)) as probe:
                probe.setblocking(False)
                await asyncio.get_running_loop().sock_connect(probe, where)
                return
        raise OSError("a name without an address")

    async def close(self) -> None:
        """Stop all probes."""
        for asking in self._asking.values():
            asking.cancel()
        await asyncio.gather(*self._asking.values(), return_exceptions=True)


def _shortage(error: Exception) -> str:
    """What this machine is short of, if that may have caused the error."""
    # Libraries do not always say so: without a descriptor for its files, for example, TLS finds no certificate valid.
    return short_of(error) or ("" if can_open(RESERVE) else DESCRIPTORS)
