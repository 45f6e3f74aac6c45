"""From host names to addresses that the guard allows."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from lycosa.system.descriptors import RESERVE, can_open
from lycosa.system.shortage import short_of
from lycosa.web.address_guard import AddressError, AddressGuard

THREADS = 32
_NO_SUCH_HOST = {
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA", "EAI_ADDRFAMILY") if hasattr(socket, name)
}
Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""From a host name to its addresses."""


MOST_ADDRESSES = 3
"""Most addresses of a name that are tried, for IPv4 and for IPv6 each.

The client tries all, then all but the first, and so on: for a name with 400 addresses, one page made 17,766
connections to strangers.
"""


class Resolver(AbstractResolver):
    """Resolves names for the HTTP client: by the user's mapping, else by DNS, with every address checked.

    A name with one refused address is refused entirely, because any of its addresses might be the one connected to.
    """

    def __init__(
        self,
        guard: AddressGuard,
        mapped: Mapping[str, tuple[str, int]],
        trusted: str | None = None,
        lookup: Lookup | None = None,
        threads: int = THREADS,
    ) -> None:
        self._guard = guard
        self._mapped = mapped
        self._trusted = trusted
        self._lookup = lookup or self._dns
        # With the event loop's own few threads, a handful of slow name servers would block all lookups.
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="dns")
        self.answered_at = float("-inf")
        """When a name server last answered, even if only that there is no such host."""
        self._under_way: dict[str, bool] = {}
        """Names that are being looked up, and whether a thread has started on them."""
        for address, port in mapped.values():
            guard.allow_endpoint(address, port)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host; raises AddressError if one is refused."""
        if mapped := self._mapped.get(host) or self._mapped.get("*"):
            address, port = mapped
            return [_result(host, address, port)]
        addresses = await self.look_up(host)
        meant = host == self._trusted or self._guard.knows(host)
        for address in addresses:
            if meant:
                self._guard.allow_endpoint(address, port)
            elif reason := self._guard.refuses_address(address):
                raise AddressError(reason)
        return [_result(host, address, port) for address in _few(addresses)]

    async def look_up(self, host: str) -> Sequence[str]:
        """The addresses of a name, unchecked."""
        self._under_way[host] = True
        try:
            addresses = await self._lookup(host)
        except socket.gaierror as error:
            if is_final(error):
                self.answered_at = time.monotonic()
            raise
        finally:
            self._under_way.pop(host, None)
        self.answered_at = time.monotonic()
        return addresses

    def is_looking(self, host: str) -> bool:
        """Whether the name is still being looked up."""
        return host in self._under_way

    def is_waiting(self, host: str) -> bool:
        """Whether no thread has started on the name yet."""
        return self._under_way.get(host) is False

    async def close(self) -> None:
        """Release the threads, without waiting for a name server."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _dns(self, host: str) -> Sequence[str]:
        self._under_way[host] = False
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._threads, self._getaddrinfo, host)
        except RuntimeError as error:
            # No thread could be started.
            raise OSError(errno.ENOMEM, str(error)) from error
        return list(dict.fromkeys(str(where[0]) for _, _, _, _, where in found))

    def _getaddrinfo(self, host: str) -> list[Any]:
        self._under_way[host] = True
        try:
            return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        except OSError as error:
            # Without a free descriptor the system can open neither its files nor a socket, and may simply report that
            # there is no such host.
            if not short_of(error) and not can_open(RESERVE):
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE)) from error
            raise


def is_final(error: OSError) -> bool:
    """Whether a name server has answered that there is no such host."""
    return isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_HOST


def _few(addresses: Sequence[str]) -> list[str]:
    """The first addresses of each family, in the given order."""
    six = [address for address in addresses if ":" in address][:MOST_ADDRESSES]
    four = [address for address in addresses if ":" not in address][:MOST_ADDRESSES]
    return [address for address in addresses if address in six or address in four]


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
