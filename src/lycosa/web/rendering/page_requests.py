"""The requests of one page in the browser: each is answered from here or refused; none leaves the browser."""

from __future__ import annotations

import re
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from playwright.async_api import Error, Request, Route

from lycosa.core.nouns import Failure, Raw
from lycosa.core.urls import canonical
from lycosa.web.rendering.site_files import SiteFile, SiteFiles
from lycosa.web.rendering.trackers import is_tracker

MOST_BYTES = 24 << 20
"""Bytes that a page may load in all."""
SAME = 3
"""How often a page may ask for the same URL: scripts that look for news again and again are cut short."""
_FLOOD = 300
"""Requests, refused or not, after which a page is read as it is, and closed."""
_LONGEST_URL = 8192
_NOT_SENT = {
    *("accept-encoding", "accept-language", "connection", "content-length", "cookie", "host", "if-modified-since"),
    *("if-none-match", "keep-alive", "origin", "proxy-authorization", "proxy-connection", "range", "te", "trailer"),
    *("transfer-encoding", "upgrade", "upgrade-insecure-requests", "user-agent", "via"),
}
"""Headers of the browser that our client sends in its own way, or not at all; with them those that begin with sec-."""
_NOT_GIVEN = {
    *(
        "alt-svc",
        "connection",
        "content-disposition",
        "content-encoding",
        "content-length",
        "keep-alive",
        "link",
        "nel",
    ),
    *("refresh", "report-to", "reporting-endpoints", "set-cookie", "strict-transport-security", "transfer-encoding"),
}
"""Headers of a server that the browser does not get: they were true on the wire, or would make it ask for more."""

_token = re.compile(r"[!#$%&'*+\-.^_`|~0-9a-z]+")


class PageRequests:
    """Answers the requests of a page. Documents, scripts and data are loaded, everything else is left out."""

    def __init__(self, url: str, raw: Raw, files: SiteFiles, most: int, on_asked: Callable[[str], None]) -> None:
        """`on_asked` is told the host of each response that came from a server."""
        self.url = url
        self.raw = raw
        self.asked = 0
        """Requests that were made."""
        self.refused: Counter[str] = Counter()
        """Requests that were not answered, by reason."""
        self.goes_to: str | None = None
        """The URL to which the page's scripts wanted to go."""
        self.used: dict[str, SiteFile] = {}
        self._quiet_since = time.monotonic()
        self._files = files
        self._most = most
        self._room = MOST_BYTES
        self._on_asked = on_asked
        self._times: Counter[str] = Counter()
        self._under_way = 0
        self._begun = False
        self._seen = 0

    @property
    def quiet(self) -> float:
        """Seconds for which nothing has been loaded; 0 while something is."""
        return 0.0 if self._under_way else time.monotonic() - self._quiet_since

    @property
    def flooded(self) -> bool:
        """Whether the page makes so many requests that even refusing them costs too much."""
        return self._seen > _FLOOD

    async def answer(self, route: Route) -> None:
        """Answer a request of the browser."""
        self._seen += 1
        try:
            await self._answer(route, route.request)
        except Error:
            pass  # The browser was closed, or killed, in the meantime.
        except Exception as error:
            # Playwright would not survive it; scouts.log has the details.
            traceback.print_exception(error)
            with suppress(Error):
                await self._refuse(route, "failed")

    async def _answer(self, route: Route, request: Request) -> None:
        kind = request.resource_type
        if kind == "document":
            await self._navigate(route, request)
        elif kind == "stylesheet":
            # Scripts may wait for it, but no text depends on it.
            await route.fulfill(status=200, content_type="text/css", body="")
        elif kind not in ("script", "xhr", "fetch"):
            await self._refuse(route, kind)
        elif request.method != "GET":
            await self._refuse(route, f"method {request.method}")
        else:
            await self._load(route, request, kind == "script")

    async def _navigate(self, route: Route, request: Request) -> None:
        if request.frame.parent_frame is not None:
            await self._refuse(route, "frame")
        elif self._begun:
            self.goes_to = request.url
            await self._refuse(route, "navigation")
        else:
            self._begun = True
            # It is known to be HTML, whatever its header says; anything else the browser would only save.
            charset = "".join(re.findall(r";\s*charset=[\w\"'.:-]+", self.raw.content_type, re.I)[:1])
            headers = _given(self.raw) | {"content-type": f"text/html{charset}"}
            await route.fulfill(status=200, headers=headers, body=self.raw.body)

    async def _load(self, route: Route, request: Request, script: bool) -> None:
        url = canonical(request.url, limit=_LONGEST_URL)
        if url is None:
            return await self._refuse(route, "bad url")
        if is_tracker(url, self.url):
            return await self._refuse(route, "tracker")
        self._times[url] += 1
        if self._times[url] > SAME:
            return await self._refuse(route, "again and again")
        headers = {name: value for name, value in request.headers.items() if _is_sent(name)}
        room = max(self._room, 1)
        self._under_way += 1
        try:
            file = await self._files.get(url, self.url, headers, room, script=script, asking=self._may_ask)
        finally:
            self._under_way -= 1
            self._quiet_since = time.monotonic()
        if isinstance(file, Failure):
            return await self._refuse(route, " ".join(file.reason.split()[:2]))
        if url not in self.used:
            self.used[url] = file
            self._room -= file.size
        for hop, _ in file.hops:
            self._on_asked(hop)
        if not 200 <= file.raw.status < 600:
            return await self._refuse(route, "status")
        return await route.fulfill(status=file.raw.status, headers=_given(file.raw), body=file.raw.body)

    def _may_ask(self) -> bool:
        if self.asked >= self._most or self._room <= 0:
            return False
        self.asked += 1
        return True

    async def _refuse(self, route: Route, reason: str) -> None:
        self.refused[reason] += 1
        # Any other error would put a page of the browser's own in the place of this one.
        await route.abort("aborted")

    def archive(self) -> tuple[tuple[str, Raw], ...]:
        """The responses that no page has archived yet; from now on this one has."""
        found: dict[str, Raw] = {}
        for file in self.used.values():
            if not file.archived:
                found.update(file.hops)
                file.archived = True
        return tuple(found.items())


def _is_sent(name: str) -> bool:
    return name not in _NOT_SENT and not name.startswith((":", "sec-", "proxy-"))


def _given(raw: Raw) -> dict[str, str]:
    """The headers of a response as the browser gets them."""
    given: dict[str, str] = {}
    for name, value in raw.headers:
        if (
            (low := name.lower()) not in _NOT_GIVEN
            and _token.fullmatch(low)
            and value.isascii()
            and value.isprintable()
        ):
            given[low] = f"{given[low]}, {value}" if low in given else value
    return given
