"""The live Web: one request, one answer, with politeness, only from addresses the guard allows, of bounded size.

There are four kinds of answer: a Page (2xx with HTML or plain text), a Moved (one redirect hop; the caller follows), a
Failure with a short reason, or Unchanged for a conditional request. A body that ends before its announced length is a
Failure to be retried and not half a page, so that equal pages have equal digests. Error bodies are not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import overload

import aiohttp
from aiohttp import ClientResponse

from lycosa.core.nouns import LISTS, RESTING, Failure, Moved, Page, Raw, Since, Unchanged
from lycosa.core.urls import canonical, has_one_host, host_of
from lycosa.web.address_guard import AddressGuard, is_address
from lycosa.web.body import Body
from lycosa.web.charset import HTML, PLAIN, sniff_type, type_reason
from lycosa.web.host_pauses import HostPauses
from lycosa.web.http_client import HttpClient
from lycosa.web.http_options import HttpOptions
from lycosa.web.link_lists import list_kind
from lycosa.web.local_faults import Room
from lycosa.web.parse import parse as parse_page
from lycosa.web.resolver import Lookup
from lycosa.web.response_head import conditions, decide, rest_asked, validators
from lycosa.web.robots import Robots, RobotsResponse
from lycosa.web.robots_txt import LIMIT as ROBOTS_LIMIT
from lycosa.web.tls import no_authorities
from lycosa.web.tls_reasons import NO_AUTHORITIES

__all__ = ["Http", "HttpOptions"]

LONGEST_WAIT = 2.0
"""Longest wait in seconds for a host's pause to end; a request that would wait longer fails and comes again later."""


class Http:
    """Fetches from the live Web. `stats` counts status codes, failures by reason, requests, robots.txt and bytes."""

    def __init__(
        self,
        options: HttpOptions | None = None,
        *,
        context: bool = False,
        paths: bool = False,
        on_pause: Callable[[str, float], None] | None = None,
        parse: Callable[..., Page] = parse_page,
        lookup: Lookup | None = None,
    ) -> None:
        self.options = options or HttpOptions()
        self.stats: Counter[str] = Counter()
        self._context, self._paths = context, paths
        self._on_pause = on_pause
        self._parse = parse
        self._lookup = lookup
        self._guard = AddressGuard(self.options.allow)
        self._mapped = self.options.mapped()
        self.options.must_be_ready()
        self._can_verify = no_authorities(self.options.ca) is None
        self._robots = Robots(self._ask_robots, self.options.agent) if self.options.obey_robots else None
        self._room = Room()
        requests = min(self.options.connections or self._room.requests, self._room.requests)
        self._pauses = HostPauses(self.options.delay, requests)
        self._opened: HttpClient | None = None

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
        if url.startswith("https:") and not self._can_verify:
            return Failure(NO_AUTHORITIES, again=True, asked=False)
        host = host_of(url)
        answer: Page | Moved | Failure | Unchanged | bool
        if reason := self._refuses(host):
            answer = Failure(reason, asked=False)
        else:
            answer = await self._robots.allowed(url) if self._robots else True
            if answer is True:
                await self._learn_pause(url, host)
                if (wait := self._pauses.wait(host)) > LONGEST_WAIT:
                    # The caller has other hosts to ask instead of waiting here.
                    return Failure(RESTING, again=True, rest=wait)
                async with self._pauses.turn(host):
                    answer = await self._ask(url, limit, since)
                if self.options.lists and self._robots and isinstance(answer, Page):
                    answer.sitemaps = await self._robots.sitemaps(url)
            elif answer is False:
                answer = Failure("robots", asked=False)
        if isinstance(answer, Failure) and not answer.reason.startswith("status "):
            # «refused address 10.0.0.1» counts as «refused address»; status codes are counted where they arrive.
            self.stats[" ".join(answer.reason.split()[:2])] += 1
        return answer

    async def close(self) -> None:
        """Close every connection."""
        if self._opened is not None:
            await self._opened.close()
        self._opened = None

    def knows(self, url: str) -> None:
        """Remember a URL that answered recently, to any process: if it is silent too, the network is down."""
        self._client.knows(url)

    @property
    def _client(self) -> HttpClient:
        """The client, made with the first request because it belongs to the event loop that runs then."""
        if self._opened is None:
            self._opened = HttpClient(self.options, self._guard, self._room, self.stats, self._lookup)
        return self._opened

    def _refuses(self, host: str) -> str | None:
        if "*" in self._mapped and not self.options.proxy and is_address(host) and not self._guard.knows(host):
            # An address is not resolved, so it cannot be mapped: the request would go to the real address.
            return f"refused address {host}"
        return None if host.partition(":")[0] in self._mapped else self._guard.refuses_host(host)

    async def _learn_pause(self, url: str, host: str) -> None:
        """Remember the Crawl-delay of a host, and report it to the listener, if there is one."""
        pause = await self._robots.pause(url[: url.index("/", 8)]) if self._robots else 0.0
        if self._pauses.learn(host, pause) and self._on_pause:
            self._on_pause(host, pause)

    async def _ask(self, url: str, limit: int, since: Since | None) -> Page | Moved | Failure | Unchanged:
        headers = conditions(since)
        response = await self._client.send(url, headers)
        if isinstance(response, Failure):
            return response
        try:
            if response.status == 304 and since and headers:
                self.stats["status 304"] += 1
                etag, modified = validators(_header_of(response))
                return Unchanged(etag or since.etag, modified or since.modified)
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
        async with self._pauses.turn(host):
            self.stats["robots.txt"] += 1
            response = await self._client.send(url)
            if isinstance(response, Failure):
                return response
            try:
                return await self._read_robots(response)
            except (aiohttp.ClientError, OSError) as error:
                return Failure("timeout" if isinstance(error, TimeoutError) else "incomplete robots.txt", again=True)
            finally:
                if not response.closed:
                    response.release()

    async def _read_robots(self, response: ClientResponse) -> RobotsResponse | Failure:
        header = _header_of(response)
        body = Body(header("Content-Encoding"), ROBOTS_LIMIT)
        if 200 <= response.status < 300:
            await self._receive(response, body)
            if body.broken:
                return Failure("robots unreachable", again=True)
        return RobotsResponse(response.status, body.content, header("Location"), rest_asked(header("Retry-After")))

    async def _answer(self, url: str, response: ClientResponse, limit: int) -> Page | Moved | Failure:
        status, header = response.status, _header_of(response)
        self.stats[f"status {status}"] += 1
        decided = decide(url, status, header, self.options.url_limit, lists=self.options.lists)
        if decided is not None:
            return Moved(decided, status, _raw(response, b"")) if isinstance(decided, str) else decided
        content_type = header("Content-Type")
        body = Body(header("Content-Encoding"), limit)
        if foreign := await self._receive(response, body, content_type, url):
            return Failure(type_reason(foreign))
        content = body.content
        if body.broken and not content:
            return Failure("bad content coding")
        page = self.parsed(url, _raw(response, content, body.truncated, body.broken))
        if page.mime not in (HTML, PLAIN) and page.withheld not in LISTS:
            return Failure(type_reason(page.mime))
        page.etag, page.modified = validators(header)
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
            paths=self._paths,
            nofollow=options.obey_nofollow,
            index_pages=options.index_pages,
            url_limit=options.url_limit,
            lists=options.lists,
            hints=options.hints,
        )
        page.status, page.raw = raw.status, raw
        return page

    async def _receive(
        self, response: ClientResponse, body: Body, content_type: str | None = None, url: str = ""
    ) -> str | None:
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
                if kind not in (HTML, PLAIN) and not (self.options.lists and list_kind(body.content, kind, url)):
                    return kind
        body.end()
        return None


def _header_of(response: ClientResponse) -> Callable[[str], str]:
    return lambda name: response.headers.get(name, "")


def _raw(response: ClientResponse, body: bytes, truncated: bool = False, damaged: bool = False) -> Raw:
    # As aiohttp decodes them: bytes that are not UTF-8 survive until they are written.
    headers = tuple(
        [(name.decode("latin-1"), value.decode("utf-8", "surrogateescape")) for name, value in response.raw_headers]
    )
    return Raw(response.status, headers, body, truncated, response.reason or "", damaged)
