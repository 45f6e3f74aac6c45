"""The live Web: one request, one answer, with politeness, only from addresses the guard allows, of bounded size.

There are four kinds of answer: a Page (2xx with a text that can be read), a Moved (one redirect hop; the caller
follows), a Failure with a short reason, or Unchanged for a conditional request. A body that ends before its announced
length is a Failure to be retried and not half a page, so that equal pages have equal digests. Error bodies are not
read.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, overload

import aiohttp
from aiohttp import ClientResponse
from msgspec.structs import replace

from lycosa.core.nouns import RESTING, Failure, Moved, Page, Raw, Since, Unchanged
from lycosa.core.urls import canonical, has_one_host, host_of
from lycosa.web.address_guard import AddressGuard, is_address
from lycosa.web.body import Body
from lycosa.web.charset import is_document, may_be_long, sniff_type, unreadable
from lycosa.web.host_pauses import HostPauses
from lycosa.web.http_client import BoundedResponse, HttpClient
from lycosa.web.http_options import HttpOptions
from lycosa.web.link_lists import list_kind, may_be_list
from lycosa.web.local_faults import Room
from lycosa.web.parse import parse as parse_page
from lycosa.web.readers.media_types import HTML, PLAIN, TOO_LARGE
from lycosa.web.resolver import Lookup
from lycosa.web.response_head import conditions, decide, rest_asked, validators
from lycosa.web.robots import Robots, RobotsResponse
from lycosa.web.robots_txt import LIMIT as ROBOTS_LIMIT
from lycosa.web.tls import no_authorities
from lycosa.web.tls_reasons import NO_AUTHORITIES

if TYPE_CHECKING:
    from lycosa.web.access.access_client import AccessClient

__all__ = ["Http", "HttpOptions"]

LONGEST_WAIT = 2.0
"""Longest wait in seconds for a host's pause to end; a request that would wait longer fails and comes again later."""

LONGEST_LOAD_WAIT = 10.0
"""The same for what a rendered page loads: nobody would come again for it."""

REPEATS_SECRET = "repeats a secret"
"""The reason of a miss whose file would have to be rewritten so that nothing of it can be read there."""


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
        delay_of: Callable[[str], float] | None = None,
        variables: Mapping[str, str] | None = None,
        unwanted: Callable[[str, str], str] | None = None,
    ) -> None:
        """`delay_of` says how long the pause of a host is, where that is not the same for all.

        `variables` has the secrets of hosts; by default it is the environment. `unwanted` is asked with the URL and the
        Content-Type of a response, and says why to withhold it; then its body is not read.
        """
        self.options = options or HttpOptions()
        self.stats: Counter[str] = Counter()
        self._context, self._paths = context, paths
        self._on_pause = on_pause
        self._parse = parse
        self._lookup = lookup
        self._unwanted = unwanted
        self._guard = AddressGuard(self.options.allow)
        self._mapped = self.options.mapped()
        self.options.must_be_ready()
        self._can_verify = no_authorities(self.options.ca) is None
        self._robots = Robots(self._ask_robots, self.options.agent) if self.options.obey_robots else None
        self._room = Room()
        requests = min(self.options.connections or self._room.requests, self._room.requests)
        self._pauses = HostPauses(self.options.delay, requests, delay_of)
        self._opened: HttpClient | None = None
        self._entering: AccessClient | None = None
        if self.options.access:
            from lycosa.web.access.access_client import AccessClient

            known = os.environ if variables is None else variables
            self._entering = AccessClient(self.options, known, self._make_client, self._pauses)

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
        host = host_of(url)
        # A caller that would have to wait long has other hosts to ask instead.
        forbidden = await self._forbids(url, host, LONGEST_WAIT)
        if forbidden and forbidden.reason in (RESTING, NO_AUTHORITIES):
            return forbidden
        answer: Page | Moved | Failure | Unchanged
        if forbidden:
            answer = forbidden
        else:
            if self._entering:
                answer = await self._entering.within(url, lambda: self._in_turn(url, limit, since))
            else:
                async with self._pauses.turn(host):
                    answer = await self._ask(url, limit, since)
            if self.options.lists and self._robots and isinstance(answer, Page):
                answer.sitemaps = await self._robots.sitemaps(url)
        if isinstance(answer, Failure) and not answer.reason.startswith("status "):
            # «refused address 10.0.0.1» counts as «refused address»; status codes are counted where they arrive.
            self.stats[" ".join(answer.reason.split()[:2])] += 1
        return answer

    async def load(self, url: str, limit: int, headers: dict[str, str]) -> Raw | Failure:
        """The response to a request of a rendered page, whatever its status and type, under the rules for pages."""
        host = host_of(url)
        if forbidden := await self._forbids(url, host, LONGEST_LOAD_WAIT):
            return forbidden
        async with self._pauses.turn(host):
            response = await self._client.send(url, headers)
            if isinstance(response, Failure):
                return response
            try:
                body = Body(_header_of(response)("Content-Encoding"), limit)
                await self._receive(response, body)
                return _raw(response, _masked(response, body.content), body.truncated, body.broken)
            except (aiohttp.ClientError, OSError) as error:
                return Failure("timeout" if isinstance(error, TimeoutError) else "incomplete body", again=True)
            finally:
                if not response.closed:
                    response.release()

    def pause(self, url: str) -> float:
        """Seconds between two requests to the host of a URL, as far as is known."""
        return self._pauses.pause(host_of(url))

    async def close(self) -> None:
        """Close every connection."""
        if self._opened is not None:
            await self._opened.close()
        self._opened = None
        if self._entering is not None:
            await self._entering.close()

    def knows(self, url: str) -> None:
        """Remember a URL that answered recently, to any process: if it is silent too, the network is down."""
        self._client.knows(url)

    @property
    def _client(self) -> HttpClient | AccessClient:
        """The client, made with the first request because it belongs to the event loop that runs then."""
        if self._entering is None and self._opened is None:
            self._opened = self._make_client(self.options.proxy)
        client = self._entering or self._opened
        assert client
        return client

    def _make_client(self, proxy: str | None) -> HttpClient:
        options, guard = self.options, self._guard
        if proxy != options.proxy:
            # The proxy of a single host has a guard of its own: no other host may be asked at its address.
            options, guard = replace(options, proxy=proxy), AddressGuard(options.allow)
        return HttpClient(options, guard, self._room, self.stats, self._lookup)

    def _refuses(self, host: str) -> str | None:
        if "*" in self._mapped and not self.options.proxy and is_address(host) and not self._guard.knows(host):
            # An address is not resolved, so it cannot be mapped: the request would go to the real address.
            return f"refused address {host}"
        return None if host.partition(":")[0] in self._mapped else self._guard.refuses_host(host)

    async def _forbids(self, url: str, host: str, longest: float) -> Failure | None:
        """Why a URL must not be asked for now, if it must not; its host may want to be waited for at most so long."""
        if url.startswith("https:") and not self._can_verify:
            return Failure(NO_AUTHORITIES, again=True, asked=False)
        if reason := self._refuses(host):
            return Failure(reason, asked=False)
        allowed = await self._robots.allowed(url) if self._robots else True
        if allowed is not True:
            return allowed or Failure("robots", asked=False)
        await self._learn_pause(url, host)
        wait = self._pauses.wait(host)
        return Failure(RESTING, again=True, rest=wait) if wait > longest else None

    async def _learn_pause(self, url: str, host: str) -> None:
        """Remember the Crawl-delay of a host, and report it to the listener, if there is one."""
        pause = await self._robots.pause(url[: url.index("/", 8)]) if self._robots else 0.0
        if self._pauses.learn(host, pause) and self._on_pause:
            self._on_pause(host, pause)

    async def _in_turn(self, url: str, limit: int, since: Since | None) -> Page | Moved | Failure | Unchanged:
        async with self._pauses.turn(host_of(url)):
            return await self._ask(url, limit, since)

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
        if self._unwanted and not self._may_be_list(content_type) and (reason := self._unwanted(url, content_type)):
            return Page(url, status=status, mime=sniff_type(b"", content_type, url), withheld=reason)
        page_limit, coding = self.longest(PLAIN, limit), header("Content-Encoding")
        # Without a coding, the first bytes can still show that it is a document after all.
        body = Body(coding, limit if not coding or may_be_long(content_type) else page_limit)
        if refused := await self._receive(response, body, _Expected(url, content_type, page_limit, self.options.lists)):
            return Failure(refused)
        content = body.content
        if body.broken and not content:
            return Failure("bad content coding")
        content = _masked(response, content)
        if body.truncated and is_document(sniff_type(content, content_type, url)):
            return Failure(TOO_LARGE)
        page = self.parsed(url, _raw(response, content, body.truncated, body.broken))
        if page.unread:
            return Failure(page.unread)
        if page.mime not in (HTML, PLAIN) and _reveals(response, page):
            return Failure(REPEATS_SECRET)
        page.etag, page.modified = validators(header)
        return page

    def _may_be_list(self, content_type: str) -> bool:
        return self.options.lists and may_be_list(content_type)

    def longest(self, mime: str, limit: int) -> int:
        """Most bytes of a body of this type, of which a request allows at most `limit`."""
        most = self.options.page_body
        return limit if not most or is_document(mime) else min(limit, most)

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

    async def _receive(self, response: ClientResponse, body: Body, expected: _Expected | None = None) -> str | None:
        """Fill the body; stop and return why not if its first bytes show that it cannot be read."""
        stream = response.content
        while chunk := await stream.readany():
            self.stats["bytes"] += len(chunk)
            if not body.feed(chunk):
                return None
            if expected is not None and body.produced >= 512 and not stream.at_eof():
                if refused := _refused(body, expected, response):
                    return refused
                expected = None
        if expected is not None and body.produced > expected.page_limit:
            return _refused(body, expected, response)
        body.end()
        return None


def _masked(response: ClientResponse, content: bytes) -> bytes:
    """A body without the secrets that a host repeats; what is parsed and archived has none."""
    return response.masked(content) if isinstance(response, BoundedResponse) and response.masked else content


def _reveals(response: ClientResponse, page: Page) -> bool:
    """Whether a page says a secret that its body only has in another form: packed in a file, or escaped."""
    if not isinstance(response, BoundedResponse) or not response.masked:
        return False
    said = "\n".join([page.text, page.title, page.headings, *(link.url for link in page.links)])
    return response.masked(content := said.encode("utf-8", "replace")) != content


def _refused(body: Body, expected: _Expected, response: ClientResponse) -> str | None:
    """Why a body that begins like this is not read; if it is, it is kept as far as its type allows."""
    kind = sniff_type(body.content, expected.content_type, expected.url)
    if expected.lists and list_kind(body.content, kind, expected.url):
        body.lower(expected.page_limit)
        return None
    if reason := unreadable(kind):
        return reason
    if not is_document(kind):
        body.lower(expected.page_limit)
    elif (response.content_length or 0) > body.cap:
        return TOO_LARGE
    return None


class _Expected(NamedTuple):
    """What is known of a body before it comes."""

    url: str
    content_type: str
    page_limit: int
    """Most bytes if it turns out to be a page and not a document."""
    lists: bool
    """Whether feeds and sitemaps are read."""


def _header_of(response: ClientResponse) -> Callable[[str], str]:
    return lambda name: response.headers.get(name, "")


def _raw(response: ClientResponse, body: bytes, truncated: bool = False, damaged: bool = False) -> Raw:
    # As aiohttp decodes them: bytes that are not UTF-8 survive until they are written.
    headers = tuple(
        [(name.decode("latin-1"), value.decode("utf-8", "surrogateescape")) for name, value in response.raw_headers]
    )
    return Raw(response.status, headers, body, truncated, response.reason or "", damaged)
