"""A source as a web: the answers that the live web would make of it, robots.txt obeyed, without a network."""

from __future__ import annotations

import msgspec

from lycosa.core.nouns import Failure, Moved, Page, Raw
from lycosa.core.urls import LIMIT, canonical
from lycosa.web.charset import HTML, PLAIN, may_be_text, sniff_type, type_reason
from lycosa.web.parse import parse
from lycosa.web.robots import Answer, Robots
from lycosa.web.source import Source


class SourceWeb:
    """The pages of a source; with `context`, links say where they stand; with `raw`, pages carry their response."""

    def __init__(
        self,
        source: Source,
        context: bool = False,
        *,
        raw: bool = True,
        agent: str = "Lycosa",
        nofollow: bool = True,
        index_pages: bool = False,
        url_limit: int = LIMIT,
    ) -> None:
        self.source = source
        self._context = context
        self._raw = raw
        self._nofollow = nofollow
        self._index_pages = index_pages
        self._url_limit = url_limit
        # A source does not change, so neither do its robots.txt: time stands still for them.
        self._robots = Robots(self._robots_txt, agent, clock=lambda: 0.0)

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer at a canonical URL, with at most `limit` body bytes."""
        closed = await self.closed(url)
        return self.answer(url, limit) if closed is None else closed

    async def close(self) -> None:
        """Nothing to give back: the source belongs to somebody else."""

    async def closed(self, url: str) -> Failure | None:
        """Why robots.txt keeps us from a URL, if it does."""
        allowed = await self._robots.allowed(url)
        if allowed is True:
            return None
        return allowed or Failure("robots", asked=False)

    def answer(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer at a canonical URL, whatever robots.txt says."""
        raw = self.source.response(url)
        if raw is None:
            return Failure("status 404")
        if len(raw.body) > limit:
            raw = msgspec.structs.replace(raw, body=raw.body[:limit], truncated=True)
        content_type = _header(raw, "content-type")
        if 300 <= raw.status < 400 and raw.status != 304 and (location := _header(raw, "location")):
            to = canonical(location, url, limit=self._url_limit)
            kept = msgspec.structs.replace(raw, body=b"") if self._raw else None
            return Moved(to, raw.status, kept) if to else Failure("redirect to nowhere")
        if not 200 <= raw.status < 300:
            rest = _header(raw, "retry-after")
            again = raw.status in (408, 425, 429) or raw.status >= 500
            return Failure(f"status {raw.status}", again, float(rest) if rest.isdecimal() else None)
        if not may_be_text(content_type):
            return Failure(type_reason(sniff_type(b"", content_type)))
        page = parse(
            url,
            raw.body,
            content_type,
            context=self._context,
            nofollow=self._nofollow,
            index_pages=self._index_pages,
            url_limit=self._url_limit,
        )
        if page.mime not in (HTML, PLAIN):
            return Failure(type_reason(page.mime))
        page.status, page.raw = raw.status, raw if self._raw else None
        page.etag, page.modified = _header(raw, "etag"), _header(raw, "last-modified")
        return page

    async def _robots_txt(self, url: str) -> Answer:
        raw = self.source.response(url)
        return Answer(raw.status, raw.body, _header(raw, "location")) if raw else Answer(404)


def _header(raw: Raw, name: str) -> str:
    return next((value for key, value in raw.headers if key.lower() == name), "")
