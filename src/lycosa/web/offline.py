"""A source as a web: the answers that the live Web would give, robots.txt obeyed, without a network."""

from __future__ import annotations

from msgspec.structs import replace

from lycosa.core.nouns import Failure, Moved, Page, Raw
from lycosa.core.urls import LIMIT
from lycosa.web.charset import is_document, may_be_long, sniff_type
from lycosa.web.parse import parse
from lycosa.web.readers.media_types import TOO_LARGE
from lycosa.web.response_head import decide, validators
from lycosa.web.robots import Robots, RobotsResponse
from lycosa.web.source import Source


class SourceWeb:
    """The pages of a source, parsed with `context`, `paths` and `indexed`; with `raw`, pages carry their response."""

    def __init__(
        self,
        source: Source,
        context: bool = False,
        *,
        paths: bool = False,
        raw: bool = True,
        indexed: bool = False,
        agent: str = "Lycosa",
        nofollow: bool = True,
        index_pages: bool = False,
        url_limit: int = LIMIT,
        page_body: int = 0,
        lists: bool = False,
        hints: bool = False,
    ) -> None:
        """With `page_body`, pages of text have at most so many bytes; documents have as many as a request allows."""
        self.source = source
        self._context = context
        self._paths = paths
        self._raw = raw
        self._indexed = indexed
        self._nofollow = nofollow
        self._index_pages = index_pages
        self._url_limit = url_limit
        self._page_body = page_body
        self._lists = lists
        self._hints = hints
        # A source does not change, so neither do its robots.txt files: their clock stands still.
        self._robots = Robots(self._robots_txt, agent, clock=lambda: 0.0)

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer for a canonical URL, with at most `limit` body bytes."""
        closed = await self.closed(url)
        if closed is not None:
            return closed
        answer = self.answer(url, limit)
        if self._lists and isinstance(answer, Page):
            answer.sitemaps = await self._robots.sitemaps(url)
        return answer

    async def close(self) -> None:
        """Nothing to close: the source belongs to the caller."""

    async def closed(self, url: str) -> Failure | None:
        """Why robots.txt forbids a URL, if it does."""
        allowed = await self._robots.allowed(url)
        if allowed is True:
            return None
        return allowed or Failure("robots", asked=False)

    async def pause(self, url: str) -> float:
        """The seconds between requests that the robots.txt of a URL's host asks for."""
        return await self._robots.pause(url[: url.find("/", 8)])

    def answer(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer for a canonical URL, whatever robots.txt says."""
        raw = self.source.response(url)
        if raw is None:
            return Failure("status 404")
        raw = within(raw, url, min(limit, self._page_body or limit), limit)
        decided = decide(url, raw.status, raw.header, self._url_limit, lists=self._lists)
        if isinstance(decided, str):
            return Moved(decided, raw.status, replace(raw, body=b"") if self._raw else None)
        if decided is not None:
            return decided
        if raw.truncated and is_document(sniff_type(raw.body, raw.content_type, url)):
            return Failure(TOO_LARGE)
        page = parse(
            url,
            raw.body,
            raw.content_type,
            robots=raw.robots,
            context=self._context,
            paths=self._paths,
            indexed=self._indexed,
            nofollow=self._nofollow,
            index_pages=self._index_pages,
            url_limit=self._url_limit,
            lists=self._lists,
            hints=self._hints,
        )
        if page.unread:
            return Failure(page.unread)
        page.status, page.raw = raw.status, raw if self._raw else None
        page.etag, page.modified = validators(raw.header)
        return page

    def longest(self, mime: str, limit: int) -> int:
        """Most bytes of a body of this type, of which a request allows at most `limit`."""
        return limit if not self._page_body or is_document(mime) else min(limit, self._page_body)

    async def _robots_txt(self, url: str) -> RobotsResponse:
        raw = self.source.response(url)
        return RobotsResponse(raw.status, raw.body, raw.header("Location")) if raw else RobotsResponse(404)


def within(raw: Raw, url: str, page_limit: int, limit: int) -> Raw:
    """A response with so many bytes as a page, or a document, may have."""
    if len(raw.body) <= page_limit:
        return raw
    if may_be_long(raw.content_type) and is_document(sniff_type(raw.body, raw.content_type, url)):
        page_limit = limit
    return replace(raw, body=raw.body[:page_limit], truncated=True) if len(raw.body) > page_limit else raw
