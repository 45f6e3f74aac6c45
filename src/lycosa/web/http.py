"""The live Web: one request, one answer, with politeness, only from addresses the guard allows, of bounded size.

There are four kinds of answer: a Page (2xx with HTML or plain text), a Moved (one redirect hop; the caller follows), a
Failure with a short reason, or Unchanged for a conditional request. A body that ends before its announced length is a
Failure to be retried and not half a page, so that equal pages have equal digests. Error bodies are not read.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import overload

import aiohttp
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse
from yarl import URL

from lycosa.core.nouns import RESTING, Failure, Moved, Page, Raw, Since, Unchanged
from lycosa.core.urls import canonical, has_one_host, host_of
from lycosa.web.address_guard import AddressGuard, is_address
from lycosa.web.body import ACCEPT, Body
from lycosa.web.charset import HTML, PLAIN, sniff_type, type_reason
from lycosa.web.conditions import conditions
from lycosa.web.failures import failure_of
from lycosa.web.head_limit import BoundedResponse
from lycosa.web.http_options import HttpOptions
from lycosa.web.keepalive import CleanConnector
from lycosa.web.local_faults import LocalFaults, Room, Sockets
from lycosa.web.parse import parse as parse_page
from lycosa.web.proxies import SHUT, Proxy
from lycosa.web.resolver import Lookup, Resolver
from lycosa.web.response_head import decide, rest_asked, writable
from lycosa.web.robots import Robots, RobotsResponse
from lycosa.web.robots_txt import LIMIT as ROBOTS_LIMIT
from lycosa.web.robots_txt import LONGEST_PAUSE
from lycosa.web.tls import context as tls_context
from lycosa.web.tls import no_authorities
from lycosa.web.tls_reasons import NO_AUTHORITIES

__all__ = ["Http", "HttpOptions"]

KEEP_ALIVE = 5.0
"""Seconds for which an idle connection is kept; with a longer pause per host, keeping it would only hoard sockets."""
DNS_TTL = 300
LONGEST_WAIT = 2.0
"""Longest wait in seconds for a host's pause to end; a request that would wait longer fails and comes again later."""
NOWHERE = "http://nowhere.invalid/"
"""A URL for which only the proxy itself can answer."""
OPEN_FOR = 10.0
"""Seconds for which a proxy that accepted the login is assumed to accept it still."""
MOST_HOSTS = 100_000
"""Hosts whose last request is remembered; beyond this number, hosts whose pause is certainly over are forgotten."""


class Http:
    """Fetches from the live Web. `stats` counts status codes, failures by reason, requests, robots.txt and bytes."""

    def __init__(
        self,
        options: HttpOptions | None = None,
        *,
        context: bool = False,
        on_pause: Callable[[str, float], None] | None = None,
        parse: Callable[..., Page] = parse_page,
        lookup: Lookup | None = None,
    ) -> None:
        self.options = options or HttpOptions()
        self.stats: Counter[str] = Counter()
        self._context = context
        self._on_pause = on_pause
        self._parse = parse
        self._lookup = lookup
        self._guard = AddressGuard(self.options.allow)
        self._mapped = self.options.mapped()
        self.options.must_be_ready()
        proxy = Proxy.read(self.options.proxy) if self.options.proxy else None
        self._proxy = URL(proxy.address) if proxy else None
        self._login = proxy.headers if proxy else {}
        self._let_in_until = float("-inf")
        self._believes_nobody = no_authorities(self.options.ca) is not None
        self._robots = Robots(self._ask_robots, self.options.agent) if self.options.obey_robots else None
        self._last: dict[str, float] = {}
        """When the last request to a host started, or ended if it has ended."""
        self._asks: dict[str, float] = {}
        """The Crawl-delay of hosts that have one."""
        self._session: aiohttp.ClientSession | None = None
        self._resolver: Resolver | None = None
        self._own_side: LocalFaults | None = None
        self._sockets: Sockets | None = None
        self._room = Room()
        self._slots = asyncio.Semaphore(min(self.options.connections or self._room.requests, self._room.requests))

    @overload
    async def get(self, url: str, limit: int) -> Page | Moved | Failure: ...
    @overload
    async def get(self, url: str, limit: int, since: Since | None) -> Page | Moved | Failure | Unchanged: ...
    async def get(self, url: str, limit: int, since: Since | None = None) -> Page | Moved | Failure | Unchanged:
        """The answer for a canonical URL: one request, and before it one for robots.txt if that is not known yet."""
        if not has_one_host(url):
            # From the log of an older version. A redirect subjects the canonical URL to scope, robots.txt and pauses.
            to = canonical(url, limit=self.options.url_limit)
            return Moved(to, 308) if to else Failure("bad url", asked=False)
        if url.startswith("https:") and self._believes_nobody:
            return Failure(NO_AUTHORITIES, again=True, asked=False)
        host = host_of(url)
        answer: Page | Moved | Failure | Unchanged | bool
        if reason := self._refuses(host):
            answer = Failure(reason, asked=False)
        else:
            answer = await self._robots.allowed(url) if self._robots else True
            if answer is True:
                await self._learn_pause(url, host)
                if (wait := self._wait(host)) > LONGEST_WAIT:
                    # The caller has other hosts to ask instead of waiting here.
                    return Failure(RESTING, again=True, rest=wait)
                async with self._turn(host):
                    answer = await self._ask(url, limit, since)
            elif answer is False:
                answer = Failure("robots", asked=False)
        if isinstance(answer, Failure) and not answer.reason.startswith("status "):
            # «refused address 10.0.0.1» counts as «refused address»; status codes are counted where they arrive.
            self.stats[" ".join(answer.reason.split()[:2])] += 1
        return answer

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()
            # Transports close in the event loop's next iteration.
            await asyncio.sleep(0)
        if self._own_side is not None:
            await self._own_side.close()
        if self._resolver is not None:
            await self._resolver.close()
        self._session = self._resolver = self._own_side = None

    def knows(self, url: str) -> None:
        """Remember a URL that answered recently, to any process: if it is silent too, the network is down."""
        # The proxy resolves the names behind it.
        if not self._proxy:
            self._session or self._open()
            assert self._own_side
            self._own_side.knows(url)

    def _refuses(self, host: str) -> str | None:
        if "*" in self._mapped and not self._proxy and is_address(host) and not self._guard.knows(host):
            # An address is not resolved, so it cannot be mapped: the request would go to the real address.
            return f"refused address {host}"
        return None if host.partition(":")[0] in self._mapped else self._guard.refuses_host(host)

    async def _learn_pause(self, url: str, host: str) -> None:
        """Remember the Crawl-delay of a host, and report it to the listener, if there is one."""
        asks = await self._robots.pause(url[: url.index("/", 8)]) if self._robots else 0.0
        if asks and self._asks.get(host) != asks:
            self._asks[host] = asks
            if self._on_pause:
                self._on_pause(host, asks)

    @asynccontextmanager
    async def _turn(self, host: str) -> AsyncIterator[None]:
        """Wait until the host's pause is over: any two requests, for robots.txt or pages, are a pause apart.

        Also wait for a free descriptor: here, because a request that waits inside the HTTP client times out as if its
        host had been slow.
        """
        if len(self._last) > MOST_HOSTS:
            old = time.monotonic() - max(LONGEST_PAUSE, self.options.delay)
            self._last = {name: last for name, last in self._last.items() if last > old}
        while True:
            while (wait := self._wait(host)) > 0:
                # Timers may be a little early, and another request that waited for the same host may be first.
                await asyncio.sleep(wait + 0.001)
            await self._slots.acquire()
            if self._wait(host) <= 0:
                break
            self._slots.release()
        self._last[host] = time.monotonic()
        try:
            yield
        finally:
            self._last[host] = max(self._last.get(host, 0.0), time.monotonic())
            self._slots.release()

    def _wait(self, host: str) -> float:
        """Seconds until the host's pause is over."""
        pause = max(self.options.delay, self._asks.get(host, 0.0))
        return self._last.get(host, float("-inf")) + pause - time.monotonic()

    async def _ask(self, url: str, limit: int, since: Since | None) -> Page | Moved | Failure | Unchanged:
        asked = conditions(since)
        response = await self._send(url, asked)
        if isinstance(response, Failure):
            return response
        try:
            if response.status == 304 and since and asked:
                self.stats["status 304"] += 1
                said = _said(response)
                return Unchanged(said.etag or since.etag, said.modified or since.modified)
            return await self._answer(url, response, limit)
        except (aiohttp.ClientError, OSError) as error:
            return Failure("timeout" if isinstance(error, TimeoutError) else "incomplete body", again=True)
        finally:
            if not response.closed:
                response.release()

    async def _ask_robots(self, url: str) -> RobotsResponse | Failure:
        host = host_of(url)
        if reason := self._refuses(host):
            return Failure(reason)
        async with self._turn(host):
            return await self._read_robots(url)

    async def _read_robots(self, url: str) -> RobotsResponse | Failure:
        self.stats["robots.txt"] += 1
        response = await self._send(url)
        try:
            if isinstance(response, Failure):
                return response
            body = Body(response.headers.get("Content-Encoding", ""), ROBOTS_LIMIT)
            if 200 <= response.status < 300:
                await self._receive(response, body)
                if body.broken:
                    return Failure("robots unreachable", again=True)
            headers = response.headers
            return RobotsResponse(
                response.status, body.content, headers.get("Location", ""), rest_asked(headers.get("Retry-After", ""))
            )
        except (aiohttp.ClientError, OSError) as error:
            return Failure("timeout" if isinstance(error, TimeoutError) else "incomplete robots.txt", again=True)
        finally:
            if not isinstance(response, Failure) and not response.closed:
                response.release()

    async def _send(self, url: str, headers: dict[str, str] | None = None) -> ClientResponse | Failure:
        response = await self._request(url, headers)
        if self._proxy and not isinstance(response, Failure) and response.status == 407 and await self._is_shut():
            response.release()
            return Failure(SHUT)
        return response

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

    async def _request(self, url: str, headers: dict[str, str] | None = None) -> ClientResponse | Failure:
        session = self._session or self._open()
        assert self._own_side and self._sockets
        self.stats["requests"] += 1
        target = str(self._proxy) if self._proxy else url
        if self._sockets.are_more_than(self._room.idle):
            # There are no descriptors to spare for idle connections.
            headers = {**(headers or {}), "Connection": "close"}
        # The login is for the proxy alone: a header inside a tunnel would reach the site.
        tunnel = self._login if url.startswith("https:") else None
        if self._login and not tunnel:
            headers = {**(headers or {}), **self._login}
        self._own_side.begin()
        try:
            response = await session.get(
                URL(url, encoded=True), headers=headers, proxy_headers=tunnel, allow_redirects=False
            )
        except (aiohttp.ClientError, OSError) as error:
            return await self._own_side.weigh(target, error, failure_of(error))
        self._own_side.answered(target)
        return response

    def _open(self) -> aiohttp.ClientSession:
        """The session, made with the first request because it belongs to the event loop that runs then."""
        options = self.options
        trusted = None
        if self._proxy is not None and self._proxy.host and self._proxy.port:
            trusted = self._proxy.host
            self._guard.allow_endpoint(trusted, self._proxy.port)
        self._resolver = Resolver(self._guard, self._mapped, trusted, self._lookup, self._room.lookups)
        self._own_side, self._sockets = LocalFaults(self._guard, self._resolver), Sockets(self._guard)
        self._session = aiohttp.ClientSession(
            connector=CleanConnector(
                resolver=self._resolver,
                socket_factory=self._sockets,
                ssl=tls_context(options.ca) if options.ca else True,
                limit=0,
                ttl_dns_cache=DNS_TTL,
                **({"force_close": True} if options.delay >= KEEP_ALIVE else {"keepalive_timeout": KEEP_ALIVE}),
            ),
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
            proxy=self._proxy,
            cookie_jar=aiohttp.DummyCookieJar(),
            response_class=BoundedResponse,
            auto_decompress=False,
            max_line_size=1 << 14,
            max_field_size=1 << 15,
            middlewares=(_once,),
        )
        return self._session

    async def _answer(self, url: str, response: ClientResponse, limit: int) -> Page | Moved | Failure:
        status, headers = response.status, response.headers
        self.stats[f"status {status}"] += 1
        decided = decide(url, status, lambda name: headers.get(name, ""), self.options.url_limit)
        if decided is not None:
            return Moved(decided, status, _raw(response, b"")) if isinstance(decided, str) else decided
        content_type = headers.get("Content-Type", "")
        body = Body(headers.get("Content-Encoding", ""), limit)
        if foreign := await self._receive(response, body, content_type):
            return Failure(type_reason(foreign))
        content = body.content
        if body.broken and not content:
            return Failure("bad content coding")
        page = self.parsed(url, _raw(response, content, body.truncated, body.broken))
        if page.mime not in (HTML, PLAIN):
            return Failure(type_reason(page.mime))
        page.etag, page.modified = _said(response)
        return page

    def parsed(self, url: str, raw: Raw) -> Page:
        """Parse a response into a page with this web's options; also for a stored response."""
        options = self.options
        page = self._parse(
            url,
            raw.body,
            raw.content_type,
            robots=raw.robots,
            context=self._context,
            nofollow=options.obey_nofollow,
            index_pages=options.index_pages,
            url_limit=options.url_limit,
        )
        page.status, page.raw = raw.status, raw
        return page

    async def _receive(self, response: ClientResponse, body: Body, content_type: str | None = None) -> str | None:
        """Fill the body; stop and return the document's type if its first bytes are neither HTML nor plain text."""
        stream = response.content
        looked = content_type is None
        while chunk := await stream.readany():
            self.stats["bytes"] += len(chunk)
            if not body.feed(chunk):
                return None
            if not looked and body.produced >= 512 and not stream.at_eof():
                looked = True
                kind = sniff_type(body.content, content_type or "")
                if kind not in (HTML, PLAIN):
                    return kind
        body.end()
        return None


async def _once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Send a request once: if a connection breaks, aiohttp would retry immediately, within the host's pause."""
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError("connection reset") from error


def _said(response: ClientResponse) -> Since:
    """The validators of a response, for the next conditional request."""
    headers = response.headers
    return Since(writable(headers.get("ETag", "")), writable(headers.get("Last-Modified", "")))


def _raw(response: ClientResponse, body: bytes, truncated: bool = False, damaged: bool = False) -> Raw:
    # As aiohttp decodes them: bytes that are not UTF-8 survive until they are written.
    headers = tuple(
        [(name.decode("latin-1"), value.decode("utf-8", "surrogateescape")) for name, value in response.raw_headers]
    )
    return Raw(response.status, headers, body, truncated, response.reason or "", damaged)
