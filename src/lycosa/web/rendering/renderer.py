"""Renders pages: a few at a time, in a browser that is started when it is first needed and replaced when it dies."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from playwright.async_api import Error

from lycosa.core.nouns import Raw
from lycosa.web.rendering.browser_process import BrowserProcess
from lycosa.web.rendering.document_reader import DocumentReader
from lycosa.web.rendering.page_requests import PageRequests
from lycosa.web.rendering.render_options import RenderOptions
from lycosa.web.rendering.site_files import SiteFiles

AT_ONCE = 4
"""Pages in the browser at the same time."""
_ATTEMPTS = 2
"""How often a page is tried whose browser dies: another page may have been to blame."""
_FAILURES = 3
"""Pages in a row that crash, after which the browser itself is replaced."""
_TICK = 0.1
_QUIET = 0.2
"""Seconds without a request and without a change after which a page that says something is done."""
_SILENT = 1.5
"""The same for a page that still says nothing: its scripts may wait for a timer."""
_LASTING = 3.0
"""Seconds without a change after which a page that says something is done although something is still being loaded."""
_SAYS_SOMETHING = 120
"""Characters of text from which a page says something."""
_LAST_WORD = 2.0
"""Seconds for reading the document of a page whose time is over."""
_PREPARE = """
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "WebSocket", "EventSource"])
  delete window[name];
Object.defineProperty(Navigator.prototype, "onLine", { get: () => true });
"""
"""Run before the scripts of a page: it is told that there is a network, and has no sockets."""


class Rendered(NamedTuple):
    """What a browser made of a page."""

    html: str
    requests: int
    loaded: Callable[[], tuple[tuple[str, Raw], ...]]
    """As in RenderedFrom: a page that is not kept must not take the files of others with it."""


class Renderer:
    """Renders pages. `stats` counts requests that were refused to pages, and what happened to browsers."""

    def __init__(
        self,
        options: RenderOptions,
        agent: str,
        files: SiteFiles,
        pause: Callable[[str], float],
        stats: Counter[str],
    ) -> None:
        """`pause` says how long the host of a URL wants to be left alone after each request."""
        self._options = options
        self._agent = agent
        self._files = files
        self._pause = pause
        self._stats = stats
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._starting = asyncio.Lock()
        self._browser: BrowserProcess | None = None
        self._failures = 0

    async def render(self, url: str, raw: Raw, limit: int) -> Rendered | None:
        """What a browser makes of a response, with at most so many characters; None if it does not manage."""
        async with self._slots:
            for _ in range(_ATTEMPTS):
                browser = await self._running()
                try:
                    rendered = await self._render(browser, url, raw, limit)
                except Error:
                    self._failures += 1
                    if self._failures >= _FAILURES:
                        browser.kill("failing")
                    if browser.lost and not browser.one_page:
                        continue
                    # It is this page that has crashed.
                    rendered = None
                else:
                    self._failures = 0
                self._stats["not rendered"] += rendered is None
                return rendered
            self._stats["not rendered"] += 1
            return None

    async def close(self) -> None:
        """Close the browser."""
        if self._browser:
            await self._browser.close()
            self._browser = None

    async def _running(self) -> BrowserProcess:
        """The browser, started again if it is lost."""
        async with self._starting:
            if self._browser and self._browser.lost:
                self._stats[f"browser {self._browser.problem or 'crashed'}"] += 1
                await self._browser.close()
                self._browser = None
            if self._browser is None:
                self._browser = await BrowserProcess(self._options.path(), self._options.memory).start()
            return self._browser

    async def _render(self, browser: BrowserProcess, url: str, raw: Raw, limit: int) -> Rendered | None:
        context = None
        reader: DocumentReader | None = None
        html = None
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._options.seconds) as clock:

                def asked(url: str) -> None:
                    # The host's pause before the next request is not the page's time.
                    clock.reschedule(max(clock.when() or 0.0, loop.time()) + self._pause(url))

                requests = PageRequests(url, raw, self._files, self._options.requests, asked)
                context = await browser.open(self._agent)
                await context.add_init_script(_PREPARE)
                await context.route("**/*", requests.answer)
                page = await context.new_page()
                page.set_default_timeout(0)
                await page.goto(url, wait_until="commit")
                reader = await DocumentReader.of(page)
                await _settled(reader, requests, _LASTING + 2 * self._pause(url))
                html = await reader.html(limit, requests.goes_to)
        except TimeoutError:
            self._stats["render time over"] += 1
            if reader is not None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LAST_WORD):
                        html = await reader.html(limit, requests.goes_to)
        finally:
            if context is not None:
                await browser.leave(context)
        self._stats.update({f"refused {reason}": count for reason, count in requests.refused.items()})
        if html is None:
            return None
        return Rendered(html, requests.asked, requests.archive)


async def _settled(reader: DocumentReader, requests: PageRequests, lasting: float) -> None:
    """Wait until a page is done: nothing is under way and nothing changes any more, or it cannot be let go on."""
    before, since = await reader.measure(), time.monotonic()
    while not requests.flooded:
        await asyncio.sleep(_TICK)
        now = await reader.measure()
        if now != before:
            before, since = now, time.monotonic()
            continue
        unchanged = time.monotonic() - since
        still = min(requests.quiet, unchanged)
        says_something = bool(now) and now[0] >= _SAYS_SOMETHING
        if still >= (_QUIET if says_something else _SILENT) or (says_something and unchanged >= lasting):
            return
