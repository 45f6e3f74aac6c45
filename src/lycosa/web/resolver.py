"""From host names to addresses the guard allows."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from lycosa.web.guard import AddressError, Guard

Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""From a host name to its addresses."""


class Resolver(AbstractResolver):
    """Names to addresses for the HTTP client: those the user maps, else by DNS, with every address checked.

    A name with one refused address is refused altogether: which of them would be connected to is anybody's guess.
    """

    def __init__(
        self,
        guard: Guard,
        mapped: Mapping[str, tuple[str, int]],
        trusted: str | None = None,
        lookup: Lookup | None = None,
    ) -> None:
        self._guard = guard
        self._mapped = mapped
        self._trusted = trusted
        self._lookup = lookup or self._dns
        # The loop's own few threads would let a handful of slow name servers hold up everybody.
        self._threads = ThreadPoolExecutor(32, thread_name_prefix="dns")
        for address, port in mapped.values():
            guard.allow_endpoint(address, port)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host, or AddressError."""
        if mapped := self._mapped.get(host) or self._mapped.get("*"):
            address, port = mapped
            return [_result(host, address, port)]
        addresses = await self._lookup(host)
        meant = host == self._trusted or self._guard.knows(host)
        for address in addresses:
            if meant:
                self._guard.allow_endpoint(address, port)
            elif reason := self._guard.refuses_address(address):
                raise AddressError(reason)
        return [_result(host, address, port) for address in addresses]

    async def close(self) -> None:
        """Let go of the threads, without waiting for a name server."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _dns(self, host: str) -> Sequence[str]:
        found = await asyncio.get_running_loop().run_in_executor(self._threads, _getaddrinfo, host)
        return list(dict.fromkeys(str(where[0]) for _, _, _, _, where in found))


def _getaddrinfo(host: str) -> list[Any]:
    return socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
