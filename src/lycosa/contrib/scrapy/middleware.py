"""The middlewares: one sees each page before the spider and each request after it, one sees the failed requests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Self
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from lycosa.contrib.scrapy.brain import Brain, Outlook, brain_of
from lycosa.contrib.scrapy.marks import address, mark, note, ticket_of, unmark
from lycosa.core.nouns import Ticket


class LycosaMiddleware:
    """A spider middleware: judges each page, learns from it, and gives each request of the spider its ticket.

    The spider finds the page's relevance in `response.meta["lycosa"]["relevance"]`. Requests that are not GET, or that
    have a priority above 0, get no ticket and stay with Scrapy's own queue.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._outlooks: WeakKeyDictionary[Response, Outlook] = WeakKeyDictionary()
        self._pages, self._relevance = 0, 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As Scrapy makes its components."""
        return cls(crawler)

    @property
    def brain(self) -> Brain:
        """Shared with the scheduler."""
        return brain_of(self.crawler)

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Start requests are seeds."""
        async for thing in start:
            if isinstance(thing, Request):
                self._give(thing, self.brain.seed)
            yield thing

    def process_spider_input(self, response: Response) -> None:
        """Judge the page and learn from it before the spider gets it."""
        request, url = response.request, address(response.url)
        if request is None or url is None or not 200 <= response.status < 300:
            return
        brain = self.brain
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        outlook = brain.visited(
            ticket_of(request) or brain.stray(url), url, response.body, content_type, response.status
        )
        self._outlooks[response] = outlook
        note(request, relevance=outlook.relevance)
        self._count(outlook.relevance)

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Pass everything on, and give requests their tickets."""
        outlook = self._outlooks.pop(response, None) or self._unjudged(response)
        asked: set[str] = set()
        async for thing in result:
            if isinstance(thing, Request):
                asked.add(self._give(thing, outlook.ticket))
            yield thing
        self.brain.left(outlook, asked)
        if response.request:
            note(response.request, read=True)

    def _unjudged(self, response: Response) -> Outlook:
        """The outlook of an unjudged page, an error that the spider handles itself: the score of its own ticket."""
        ticket = ticket_of(response.request) if response.request else None
        return Outlook(response.url, 0.0, score=(ticket or self.brain.stray(response.url)).score)

    def _give(self, request: Request, give: Callable[[str], Ticket]) -> str:
        """Give a request a ticket if a strategy can use it, and return its canonical URL."""
        url = address(request.url) or ""
        if not url or request.method != "GET" or request.body or request.priority > 0:
            unmark(request)
            return url
        mark(request, give(url), last=request.priority < 0)
        return url

    def _count(self, relevance: float) -> None:
        self._pages += 1
        self._relevance += relevance
        stats = self.crawler.stats
        stats.inc_value("lycosa/pages")
        stats.max_value("lycosa/best", relevance)
        stats.set_value("lycosa/harvest", self._relevance / self._pages)


class LycosaMisses:
    """A downloader middleware, the one next to the engine: tells the strategy which pages could not be fetched."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As Scrapy makes its components."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Report an error that is not retried as a miss."""
        if response.status >= 400:
            self._missed(request, f"status {response.status}")
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Report a failure, or a request that robots.txt or a filter forbids, as a miss."""
        self._missed(request, type(exception).__name__, asked=not isinstance(exception, IgnoreRequest))

    def _missed(self, request: Request, reason: str, *, asked: bool = True) -> None:
        if ticket := ticket_of(request):
            brain_of(self.crawler).missed(ticket, reason, asked=asked)
            self.crawler.stats.inc_value("lycosa/misses")
