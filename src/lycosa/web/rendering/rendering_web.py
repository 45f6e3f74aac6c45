"""A web whose pages are rendered where they must be: it wraps the live Web, which still answers every request.

In the mode `auto` a page is rendered if its plain answer is an empty shell. What is learned is remembered per host: one
that sends shells gets the benefit of the doubt, and one at which rendering brought nothing is left alone. Placeholder
pages are never rendered, so that no challenge is answered.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, overload

from msgspec.structs import replace

from lycosa.core.nouns import Failure, Moved, Page, Raw, RenderedFrom, Since, Unchanged
from lycosa.core.rendering import Rendering
from lycosa.core.urls import host_of
from lycosa.web.empty_shells import is_shell
from lycosa.web.http import Http
from lycosa.web.placeholder_pages import SCRIPTS, stands_in
from lycosa.web.readers.media_types import HTML
from lycosa.web.rendering.render_options import ALWAYS, RenderOptions
from lycosa.web.rendering.site_files import Elsewhere

if TYPE_CHECKING:
    from lycosa.web.rendering.renderer import Rendered, Renderer

_IN_VAIN = 3
"""Pages of a host that brought nothing in the browser, after which its pages are no longer looked at."""
_MOST_HOSTS = 100_000
_MORE_TEXT, _MORE_LINKS = 100, 3
"""Characters of text, or links, by which a rendered page must be more than its plain answer."""
_OF_THE_SHELL = ("content-type", "etag", "last-modified")


class RenderingWeb:
    """A wrapper around the live Web; the browser is started with the first page that needs it."""

    def __init__(
        self,
        web: Http,
        options: RenderOptions,
        elsewhere: Elsewhere | None = None,
        never: Callable[[str], object] = lambda url: None,
    ) -> None:
        """`elsewhere` waits for the turn of a host that is not the page's own; `never` says what no page may load."""
        self.web = web
        self._options = options
        self._elsewhere = elsewhere
        self._never = never
        self._renderer: Renderer | None = None
        self._gains: dict[str, int] = {}
        """By host: of how many pages rendering made more; below zero, of how many it did not, without any success."""

    @overload
    async def get(self, url: str, limit: int) -> Page | Moved | Failure: ...
    @overload
    async def get(self, url: str, limit: int, since: Since | None) -> Page | Moved | Failure | Unchanged: ...
    async def get(self, url: str, limit: int, since: Since | None = None) -> Page | Moved | Failure | Unchanged:
        """The answer at a canonical URL, as of the wrapped web, or as the browser makes it."""
        began = time.monotonic()
        answer = await self.web.get(url, limit, since)
        if not isinstance(answer, Page) or answer.raw is None or not self._must_be_rendered(answer):
            return answer
        plain, limit = time.monotonic(), self.longest(HTML, limit)
        rendered = await self._browser().render(url, answer.raw, limit)
        if rendered is None:
            self._learn(url, False)
            return answer
        page = self.parsed(url, _as_response(answer.raw, rendered, limit))
        page.sitemaps = answer.sitemaps
        page.rendering = Rendering(plain - began, time.monotonic() - plain, rendered.requests)
        self._learn(url, _is_more(page, answer))
        return page

    def parsed(self, url: str, raw: Raw) -> Page:
        """Parse a response, also a stored one."""
        return self.web.parsed(url, raw)

    def longest(self, mime: str, limit: int) -> int:
        """Most bytes of a body of this type, of which a request allows at most `limit`."""
        return self.web.longest(mime, limit)

    async def close(self) -> None:
        """Close the browser and every connection."""
        if self._renderer:
            await self._renderer.close()
        self._renderer = None
        await self.web.close()

    async def _load(self, url: str, limit: int, headers: dict[str, str]) -> Raw | Failure:
        return Failure("outside", asked=False) if self._never(url) else await self.web.load(url, limit, headers)

    def _must_be_rendered(self, page: Page) -> bool:
        if page.mime != HTML:
            return False
        words = page.own_words()
        if self._options.mode != ALWAYS:
            gains = self._gains.get(host_of(page.url), 0)
            if gains <= -_IN_VAIN or not is_shell(page, words, loosely=gains > 0):
                return False
        stand_in = stands_in(page.title, words, len(page.text) - len(words))
        return stand_in in ("", SCRIPTS)

    def _learn(self, url: str, gained: bool) -> None:
        host = host_of(url)
        gains = self._gains.pop(host, 0)
        self._gains[host] = max(gains, 0) + 1 if gained else gains - 1 if gains <= 0 else gains
        if len(self._gains) > _MOST_HOSTS:
            del self._gains[next(iter(self._gains))]

    def _browser(self) -> Renderer:
        if self._renderer is None:
            # Playwright takes a third of a second to import.
            from lycosa.web.rendering.renderer import Renderer
            from lycosa.web.rendering.site_files import SiteFiles

            files = SiteFiles(self._load, self._elsewhere)
            agent = self.web.options.user_agent
            self._renderer = Renderer(self._options, agent, files, self.web.pause, self.web.stats)
        return self._renderer


def _as_response(plain: Raw, rendered: Rendered, limit: int) -> Raw:
    """What the browser made, as a response: it is archived and parsed like others."""
    body = rendered.html.encode("utf-8", "replace")
    kept = tuple([(name, value) for name, value in plain.headers if name.lower() not in _OF_THE_SHELL])
    return replace(
        plain,
        headers=(("Content-Type", "text/html; charset=utf-8"), *kept),
        body=body[:limit],
        truncated=len(body) >= limit,
        damaged=False,
        origin=RenderedFrom(plain, rendered.loaded),
    )


def _is_more(page: Page, plain: Page) -> bool:
    more_text = len(page.text) > len(plain.text) + _MORE_TEXT
    return more_text or len(page.links) >= len(plain.links) + _MORE_LINKS
