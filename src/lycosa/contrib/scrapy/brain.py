"""The brain: judge and strategy of one crawl. It takes pages and returns tickets and moves for the queue."""

from __future__ import annotations

import math
from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from msgspec.structs import replace
from scrapy import Request, Spider
from scrapy.crawler import Crawler

from lycosa.contrib.scrapy.marks import address
from lycosa.contrib.scrapy.project_settings import ProjectSettings, read
from lycosa.contrib.scrapy.queue import Queue
from lycosa.core.brief import Brief
from lycosa.core.keys import key64
from lycosa.core.nouns import Miss, Page, Ticket, Visit
from lycosa.core.page_terms import page_terms
from lycosa.core.priors import Priors
from lycosa.core.strategy import Strategy
from lycosa.core.urls import host_of, identity
from lycosa.engine.relevance import Relevance
from lycosa.frontier.seen import Seen
from lycosa.frontier.trap_detection import TrapDetector
from lycosa.system.errors import Code, Refused
from lycosa.web.parse import LONGEST_HREF, parse

_PASSED_OVER = -math.inf
"""The score of a link that the strategy saw but gave no ticket: it comes last, unless it gets a ticket later."""


class Outlook(NamedTuple):
    """The scores that a page gives to the requests that the spider makes from it."""

    url: str
    relevance: float
    links: frozenset[str] = frozenset()
    score: float = 0.0
    """Of URLs that are not links of the page, such as the next pages of a list or the URLs of an API."""

    def ticket(self, url: str) -> Ticket:
        """The ticket of a request whose URL the strategy has not named; a link that it passed over comes last."""
        return Ticket(url, _PASSED_OVER if url in self.links else self.score, via=self.url)


class Brain:
    """Judge and strategy of one crawl; the strategy begins with the start pages known when the first page arrives."""

    def __init__(self, project: ProjectSettings) -> None:
        self.project = project
        self.strategy = project.make_strategy()
        self.judge = project.make_judge()
        self.queue: Queue[Request] = Queue(self.strategy, project.capacity)
        self.seeds: dict[str, None] = {}
        self._rng = Random(project.dice)
        self._topic = project.topic(())
        self._relevance: Relevance | None = None
        """The page model, if the strategy reads it."""
        self._first: dict[str, Ticket] | None = None
        """The tickets with which the strategy began."""
        self._traps = TrapDetector()
        self._visited = Seen()
        self._bodies = Seen()

    def seed(self, url: str) -> Ticket:
        """The ticket of a start page; the strategy is told of those that come before the first page arrives."""
        if self._first is None:
            self.seeds[url] = None
            return Ticket(url, 1.0)
        return self._first.get(url) or self.stray(url)

    def stray(self, url: str) -> Ticket:
        """The ticket of a page to which no link was seen; it is treated as a start page."""
        model = next(iter(self._first.values()), None) if self._first else None
        return replace(model, url=url, memo=None) if model else Ticket(url, 1.0)

    def trapped(self, url: str) -> bool:
        """Whether the URL looks like a crawler trap: one of endlessly many that a server makes up."""
        return self._traps(url) is not None

    def visited(self, ticket: Ticket, url: str, body: bytes, content_type: str, status: int = 200) -> Outlook:
        """Judge a page and learn from it, unless it was seen before."""
        if self._first is None:
            self._begin()
            assert self._first is not None
        ticket = self._first.get(ticket.url, ticket)
        if ticket.url != url:
            ticket = replace(ticket, url=url, via=ticket.url)
        page = self._parse(url, body, content_type, nofollow=self.project.obey_nofollow)
        page.status = status
        verdict = self.judge(page)
        key = key64(identity(url))
        if key in self._visited:
            return Outlook(url, verdict.relevance, score=ticket.score)
        self._visited.add(key)
        links = [link.url for link in page.links]
        scores = [] if self._repeated(page) else self._learn(ticket, page, verdict.relevance, verdict.labels, links)
        if self.project.obey_nofollow and b"nofollow" in body.lower():
            # The strategy has not seen all of them.
            links = [link.url for link in self._parse(url, body, content_type, nofollow=False).links]
        score = sum(scores) / len(scores) if scores else _PASSED_OVER if links else ticket.score
        return Outlook(url, verdict.relevance, frozenset(links), score)

    def missed(self, ticket: Ticket, reason: str, *, asked: bool = True) -> None:
        """Tell the strategy that a page could not be fetched."""
        if self._first is not None:
            self.queue.apply(self.strategy.miss(Miss(ticket, reason, asked=asked)))

    def left(self, outlook: Outlook, asked: Iterable[str]) -> None:
        """The spider has made all its requests from a page; tell the strategy which links it did not request."""
        if type(self.strategy).miss is Strategy.miss:
            return
        for url in outlook.links.difference(asked):
            if not self.queue.knows(url):
                self.missed(Ticket(url, via=outlook.url), "not requested", asked=False)

    def save(self) -> dict[str, Any]:
        """What was learned, as plain data; the queue is saved by the caller, who knows its requests."""
        return {
            "wish": self.project._asdict(),
            "seeds": list(self.seeds),
            "begun": self._first is not None,
            "relevance": self._relevance.save() if self._relevance else None,
            "strategy": self.strategy.save() if self._first is not None else None,
            "rng": self._rng.getstate(),
            "traps": self._traps.save(),
            "visited": self._visited.save(),
            "bodies": self._bodies.save(),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Restore what `save` returned."""
        for name in ("strategy", "settings"):
            if state["wish"][name] != getattr(self.project, name):
                raise Refused(
                    f"the job was begun with LYCOSA_{name.upper()} = {state['wish'][name]!r}",
                    "set it so again, or choose another JOBDIR",
                    code=Code.CONTRADICTION,
                    field=name,
                )
        self.seeds = dict.fromkeys(state["seeds"])
        if state["begun"]:
            self._begin()
            if self._relevance:
                self._relevance.load(state["relevance"])
            self.strategy.load(state["strategy"])
        self._rng.setstate(state["rng"])
        self._traps.load(state["traps"])
        self._visited, self._bodies = Seen(state["visited"]), Seen(state["bodies"])

    def _begin(self) -> None:
        topic = self._topic = self.project.topic(self.seeds)
        self.judge.prepare(topic, Priors())
        self.strategy.prepare(topic, Priors())
        self.strategy.judge_text = self.judge.of_text
        self._relevance = Relevance(topic) if self.strategy.reads_pages else None
        pages = self._relevance.pages if self._relevance else None
        first = list(self.strategy.begin(Brief(topic, tuple(self.seeds), self._rng, pages=pages)))
        self._first = {ticket.url: ticket for ticket in first}
        self.queue.reseat(first)

    def _learn(self, ticket: Ticket, page: Page, relevance: float, labels: Any, links: list[str]) -> list[float]:
        """Let the strategy learn from a page, and return the scores of its links."""
        visit = Visit(
            ticket,
            relevance,
            links,
            self.strategy.sense(page, self._topic),
            labels,
            page.title,
            page.language,
            page.status,
            page.mime,
            page.digest,
            page.size,
            terms=page_terms(page, self._topic.analysis) if self._relevance else None,
        )
        if self._relevance:
            self._relevance.visited(visit)
        decisions = list(self.strategy.learn(visit))
        self.queue.apply(decisions)
        return [ticket.score for ticket in decisions if isinstance(ticket, Ticket) and ticket.via == page.url]

    def _parse(self, url: str, body: bytes, content_type: str, *, nofollow: bool) -> Page:
        strategy = self.strategy
        return parse(
            url,
            body,
            content_type,
            context=strategy.context,
            paths=strategy.tag_paths,
            nofollow=nofollow,
            url_limit=LONGEST_HREF,
        )

    def _repeated(self, page: Page) -> bool:
        """Whether the host has sent exactly this body before: many URLs for one page are a trap."""
        key = key64(f"{host_of(page.url)} {page.digest}")
        known = key in self._bodies
        self._bodies.add(key)
        return known


_brains: WeakKeyDictionary[Crawler, Brain] = WeakKeyDictionary()


def brain_of(crawler: Crawler) -> Brain:
    """The brain that the scheduler and middlewares of a crawler share; raises Refused for settings it cannot use."""
    brain = _brains.get(crawler)
    if brain is None:
        brain = _brains[crawler] = Brain(read(crawler.settings))
        spider = crawler.spider
        if spider is not None and type(spider).start is Spider.start:
            brain.seeds.update((url, None) for url in map(address, spider.start_urls) if url)
    return brain
