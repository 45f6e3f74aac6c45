"""The HTTP client of the live Web: aiohttp with the limits and guards that hostile servers make necessary."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Self

import aiohttp
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from lycosa.core.nouns import Failure
from lycosa.web.address_guard import AddressGuard
from lycosa.web.body import ACCEPT
from lycosa.web.failures import failure_of
from lycosa.web.http_options import HttpOptions
from lycosa.web.keepalive import CleanConnector
from lycosa.web.local_faults import LocalFaults, Room, Sockets
from lycosa.web.proxies import SHUT, Proxy
from lycosa.web.resolver import Lookup, Resolver
from lycosa.web.socks import SocksConnector
from lycosa.web.tls import context as tls_context

HEAD_LIMIT = 1 << 20
"""Bytes that may arrive before the head is complete, including what follows it in the same packet."""
KEEP_ALIVE = 5.0
"""Seconds for which an idle connection is kept; with a longer pause per host, keeping it would only hoard sockets."""
DNS_TTL = 300
NOWHERE = "http://nowhere.invalid/"
"""A URL for which only the proxy itself can answer."""
OPEN_FOR = 10.0
"""Seconds for which a proxy that accepted the login is assumed to accept it still."""


class HttpClient:
    """Sends each request once, through the proxy if there is one, and only to addresses that the guard allows.

    It belongs to the event loop in which it is made. Nothing is kept but connections: no cookies, no cache.
    """

    def __init__(
        self, options: HttpOptions, guard: AddressGuard, room: Room, stats: Counter[str], lookup: Lookup | None
    ) -> None:
        self._idle = room.idle
        self._stats = stats
        proxy = Proxy.read(options.proxy) if options.proxy else None
        self._proxy = URL(proxy.address) if proxy else None
        socks = self._proxy if proxy and proxy.is_socks else None
        self._asks_proxy = self._proxy is not None and not socks
        self._login = proxy.headers if proxy else {}
        self._let_in_until = float("-inf")
        trusted = None
        if self._proxy is not None and self._proxy.host and self._proxy.port:
            trusted = self._proxy.host
            guard.allow_endpoint(trusted, self._proxy.port)
        self._resolver = Resolver(guard, options.mapped(), trusted, lookup, room.lookups)
        self.sockets = Sockets(guard)
        self._local_faults = LocalFaults(guard, self._resolver)
        make: Any = partial(SocksConnector, socks, proxy.login) if proxy and socks else CleanConnector
        connector = make(
            resolver=self._resolver,
            socket_factory=self.sockets,
            ssl=tls_context(options.ca) if options.ca else True,
            limit=0,
            ttl_dns_cache=DNS_TTL,
            **({"force_close": True} if options.delay >= KEEP_ALIVE else {"keepalive_timeout": KEEP_ALIVE}),
        )
        self.session = aiohttp.ClientSession(
            connector=connector,
            headers={
                "User-Agent": options.user_agent,
                "Accept": "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5",
                "Accept-Encoding": ACCEPT,
            },
            timeout=aiohttp.ClientTimeout(
                total=options.timeout_total,
                connect=options.timeout_connect,
                sock_connect=options.timeout_connect,
                sock_read=options.timeout_read,
            ),
            proxy=self._proxy if self._asks_proxy else None,
            cookie_jar=aiohttp.DummyCookieJar(),
            response_class=BoundedResponse,
            auto_decompress=False,
            max_line_size=1 << 14,
            max_field_size=1 << 15,
            middlewares=(_once,),
        )

    async def send(
        self,
        url: str,
        headers: dict[str, str] | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        form: bytes | None = None,
    ) -> ClientResponse | Failure:
        """The response to a GET request, with its body still unread; redirects are not followed.

        `tls` is used instead of the common TLS context; with a `form` it is a POST request.
        """
        response = await self._request(url, headers, tls, form)
        if self._asks_proxy and not isinstance(response, Failure) and response.status == 407 and await self._is_shut():
            response.release()
            return Failure(SHUT)
        return response

    def knows(self, url: str) -> None:
        """Remember a URL that answered recently, to any process: if it is silent too, the network is down."""
        # The proxy resolves the names behind it.
        if not self._proxy:
            self._local_faults.knows(url)

    async def close(self) -> None:
        """Close every connection."""
        await self.session.close()
        # Transports close in the event loop's next iteration.
        await asyncio.sleep(0)
        await self._local_faults.close()
        await self._resolver.close()

    async def _is_shut(self) -> bool:
        """Whether the proxy itself rejects the login; a 407 from a site is no reason to end a crawl."""
        if time.monotonic() < self._let_in_until:
            return False
        response = await self._request(NOWHERE)
        if not isinstance(response, Failure):
            response.release()
            if response.status == 407:
                return True
        self._let_in_until = time.monotonic() + OPEN_FOR
        return False

    async def _request(
        self,
        url: str,
        headers: dict[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        form: bytes | None = None,
    ) -> ClientResponse | Failure:
        self._stats["requests"] += 1
        target = str(self._proxy) if self._proxy else url
        headers = headers or {}
        if self.sockets.are_more_than(self._idle):
            # There are no descriptors to spare for idle connections.
            headers = {**headers, "Connection": "close"}
        # The login is for the proxy alone: a header inside a tunnel would reach the site.
        tunnel = self._login if url.startswith("https:") else None
        if not tunnel:
            headers = {**headers, **self._login}
        if form is not None:
            headers = {**headers, "Content-Type": "application/x-www-form-urlencoded"}
        self._local_faults.begin()
        try:
            response = await self.session.request(
                "GET" if form is None else "POST",
                URL(url, encoded=True),
                headers=headers,
                data=form,
                ssl=tls or True,
                proxy_headers=tunnel,
                allow_redirects=False,
            )
        except (aiohttp.ClientError, OSError) as error:
            return await self._local_faults.weigh(target, error, failure_of(error))
        self._local_faults.answered(target)
        return response


async def _once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Send a request once: if a connection breaks, aiohttp would retry immediately, within the host's pause."""
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError("connection reset") from error


class BoundedResponse(ClientResponse):
    """A response whose head must be complete within HEAD_LIMIT bytes.

    A server may send «100 Continue», early hints or empty lines for ever. For aiohttp each of them is progress: it
    reads on at full speed until the request times out, and meanwhile the process has no time for other hosts.
    """

    masked: Callable[[bytes], bytes] | None = None
    """Removes from the body what was secret in the request."""

    def mask(self, body: Callable[[bytes], bytes], header: Callable[[str, str], str]) -> None:
        """Remove what was secret in the request from the headers now, and from the body when it has been read."""
        clean = [
            (name, header(name.decode("latin-1"), value.decode("utf-8", "surrogateescape")))
            for name, value in self.raw_headers
        ]
        self._raw_headers = tuple((name, value.encode("utf-8", "surrogateescape")) for name, value in clean)
        self._headers = CIMultiDictProxy(CIMultiDict((name.decode("latin-1"), value) for name, value in clean))
        self._cache = {}
        self.masked = body

    async def start(self, connection: Connection) -> Self:
        """Wait for the head."""
        protocol = connection.protocol
        assert protocol is not None
        take, left = protocol.data_received, HEAD_LIMIT

        def bounded(data: bytes) -> None:
            nonlocal left
            left -= len(data)
            if left >= 0:
                take(data)
            else:
                protocol.set_exception(HttpProcessingError(message="no head in sight"))
                protocol.close()

        protocol.data_received = bounded  # type: ignore[method-assign]
        try:
            await super().start(connection)
        finally:
            del protocol.data_received
        return self
