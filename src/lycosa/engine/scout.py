"""A scout: fetches a page, archives it, judges it and senses it; everything that may run in another process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.judge import Judge
from lycosa.core.nouns import (
    LISTS,
    NOINDEX,
    OUT_OF_SCOPE,
    Failure,
    Link,
    Miss,
    Moved,
    Outcome,
    Page,
    Raw,
    Redirect,
    Ticket,
    Topic,
    Verdict,
    Visit,
    Where,
)
from lycosa.core.page_terms import page_terms
from lycosa.core.priors import Priors
from lycosa.core.shingles import shingles
from lycosa.core.strategy import Strategy
from lycosa.engine.list_links import ListLinks, listed, own_dates
from lycosa.engine.scope.page_scope import PageScope
from lycosa.engine.scope.scope import Scope
from lycosa.engine.spool import Keeps
from lycosa.web.empty_shells import is_shell
from lycosa.web.placeholder_pages import LOGIN, PARKED, STUFFED, leads_to, stands_in


class ScoutOrder(NamedTuple):
    """A ticket for a scout, how many body bytes the page may have, and the day that a list states for it."""

    ticket: Ticket
    limit: int
    listed: str = ""


class Archive(Protocol):
    """Where responses are kept."""

    def write(self, url: str, raw: Raw, at: float) -> Where: ...


class Scout:
    """Web, judge, sense and archive in one callable.

    It has a strategy of its own, as in a process of its own, which knows nothing of what the brain's has learned. With
    an `archive`, the web must parse pages with `indexed`; a `spool` keeps archived pages for the index. Without
    `terms`, the terms of pages are not computed: there is no page model to read them. Of pages that are out of the
    `scope` only the links count: they are not archived. `has_key` says which URLs are entered without a login form.
    """

    def __init__(
        self,
        web: Web,
        topic: Topic,
        strategy: Strategy,
        judge: Judge,
        priors: Priors | None = None,
        archive: Archive | None = None,
        spool: Keeps | None = None,
        *,
        terms: bool = True,
        scope: Scope | None = None,
        has_key: Callable[[str], bool] = lambda url: False,
    ) -> None:
        self.web = web
        self.topic = topic
        self.judge = judge
        self.archive = archive
        self.spool = spool
        self.context = strategy.context
        self.terms = terms
        self.out_of_scope = PageScope.of(scope) if scope else None
        self.list_links = ListLinks()
        self.has_key = has_key
        known = priors.for_scouts() if priors else Priors()
        strategy.prepare(topic, known)
        judge.prepare(topic, known)
        strategy.judge_text = judge.of_text
        self.sense = strategy.sense

    async def __call__(self, order: ScoutOrder) -> Outcome:
        """The outcome of an order."""
        ticket, limit, day = order
        answer = await self.web.get(ticket.url, limit)
        if isinstance(answer, Failure):
            return Miss(ticket, answer.reason, answer.again, answer.rest, answer.asked, answer.ours)
        if isinstance(answer, Moved):
            stand_in = leads_to(ticket.url, answer.to) if self.archive else ""
            # A login that has the key lets in without a form, and leads back.
            if stand_in and not (stand_in == LOGIN and self.has_key(answer.to)):
                return Miss(ticket, stand_in)
            return Redirect(ticket, answer.to, answer.status, self._keep(ticket.url, answer.raw))
        page = listed_once(answer) if self.archive is not None and not self.context else answer
        # The webs of the laboratory are recorded and finite, so only scouts that archive pages check for placeholders.
        is_list = answer.withheld in LISTS
        words = answer.own_words() if self.archive and not is_list else ""
        body = answer.raw.body if self.archive and answer.raw and answer.mime == "text/html" else b""
        withheld = answer.withheld or stands_in(answer.title, words, len(answer.text) - len(words), body)
        if self.out_of_scope and withheld in ("", NOINDEX) and (rule := self.out_of_scope(answer, day)):
            withheld = rule.reason
        outside = withheld.startswith(OUT_OF_SCOPE)
        is_stand_in = withheld not in ("", NOINDEX, *LISTS) and not outside
        if is_list:
            page = listed(page, ticket.via)
        elif is_stand_in:
            # The text of a placeholder page is ignored; the links of spam lead to more spam.
            links = [] if withheld in (PARKED, STUFFED) else page.links
            page = replace(page, text="", title="", headings="", links=links)
        verdict = Verdict(0.0) if is_stand_in else self.judge(page)
        if answer.feeds or answer.sitemaps:
            page = self.list_links.added(page, verdict.relevance)
        terms = page_terms(page, self.topic.analysis) if self.terms else None
        sensed = self.sense(page, self.topic)
        # Last of all, so that every page in the archive is also reported.
        where = None if outside else self._keep(ticket.url, answer.raw)
        if self.spool is not None and where:
            self.spool.keep(where, answer)
        return Visit(
            ticket,
            verdict.relevance,
            [link.url for link in page.links],
            sense=sensed,
            labels=verdict.labels,
            title=answer.title,
            language=answer.language,
            status=answer.status,
            mime=answer.mime,
            digest=answer.digest,
            size=answer.size,
            etag=answer.etag,
            modified=answer.modified,
            where=where,
            sketch=shingles(words),
            withheld=withheld,
            terms=terms,
            rendering=answer.rendering,
            shell=self.archive is not None and answer.rendering is None and is_shell(answer, words),
            canonical=answer.canonical,
            versions=answer.versions,
            dates=own_dates(page) if is_list and self.out_of_scope and self.out_of_scope.wants_dates else {},
        )

    def _keep(self, url: str, raw: Raw | None) -> Where | None:
        return self.archive.write(url, raw, time.time()) if self.archive and raw else None


class ListedOnce:
    """A web parsed for an index, with the links of one that is parsed without context."""

    def __init__(self, web: Web) -> None:
        self.web = web

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer at a canonical URL."""
        answer = await self.web.get(url, limit)
        return listed_once(answer) if isinstance(answer, Page) else answer

    async def close(self) -> None:
        """Close the web."""
        await self.web.close()


def listed_once(page: Page) -> Page:
    """A page parsed for an index, with links as without context: each URL once, with an empty span."""
    return replace(page, links=[Link(url, (0, 0)) for url in dict.fromkeys([link.url for link in page.links])])
