"""Archived and recorded pages, parsed again as the scouts of their crawl parse them.

Joins the store, which keeps responses, and the web, which parses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lycosa.core.events import Visited
from lycosa.core.interfaces import Web
from lycosa.core.nouns import Page, Visit, Where
from lycosa.engine.plan import Plan
from lycosa.engine.scope.index_pages import index_pages_everywhere, links_of
from lycosa.engine.spool import Gives, Spooled, spooled
from lycosa.index.search_types import Document
from lycosa.store.collection import Collection
from lycosa.store.repository import Repository
from lycosa.system.errors import Damaged, Refused
from lycosa.web.readers.media_types import READ, name_of


def archived(repository: Repository, url: str, where: Where, *, context: bool = False) -> Page:
    """The page of a record; with `context`, its links have their spans and rings."""
    from lycosa.web.parse import parse

    raw = repository.read(where)
    return parse(url, raw.body, raw.content_type, context=context, lists=True)


def parse_options(plan: Plan) -> dict[str, Any]:
    """The parser's options in a crawl."""
    if _is_bed(plan):
        return {"context": True}
    http, strategy = plan.http, plan.make_strategy()
    return {
        "context": strategy.context,
        "paths": strategy.tag_paths,
        "nofollow": http.obey_nofollow,
        "index_pages": index_pages_everywhere(plan),
        "url_limit": http.url_limit,
        "lists": http.lists,
        "hints": http.hints,
    }


def open_recorded(plan: Plan) -> Web | None:
    """The recorded web that a plan replays, if it names one; the pages of a test bed are parsed once and cached."""
    if not plan.recorded:
        return None
    # Imported here, so that a crawl of the live Web does not pay for it.
    from lycosa.web.offline import SourceWeb
    from lycosa.web.source_names import open_source
    from lycosa.web.testbed import Bed

    if _is_bed(plan):
        return Bed(plan.recorded).web(context=True, raw=True, page_body=plan.body)
    return SourceWeb(open_source(plan.recorded), indexed=True, page_body=plan.body, **parse_options(plan))


def _is_bed(plan: Plan) -> bool:
    if not plan.recorded:
        return False
    from lycosa.web.testbed import TOPICS

    return (Path(plan.recorded) / TOPICS).exists()


class Documents:
    """The pages of a collection as documents: from the spool if they are there, else parsed again from the archive."""

    def __init__(self, collection: Collection, spool: Gives | None = None) -> None:
        self.collection = collection
        self.spool = spool
        self.parsed = 0
        """Pages that were parsed again."""
        self.damaged = 0
        """Pages whose record cannot be read."""
        self.withheld = False
        """Whether the last page is withheld from search."""
        self._options: dict[str, Any] | None = None
        self._plan: Plan | None = None
        self._linked: Callable[[Page], Page] = lambda page: page

    def after(self, seq: int) -> Iterator[tuple[int, str, Document | None]]:
        """The event number, URL and document of each visit after an event.

        The document is None if the page has no text or is withheld.
        """
        for entry in self.collection.log.read(seq, kinds=(Visited,)):
            assert isinstance(entry.event, Visited)
            visit = entry.event.visit
            yield entry.seq, visit.url, self.of(visit, entry.at, entry.event.shown)

    def of(self, visit: Visit, at: float, relevance: float | None) -> Document | None:
        """The document of a visit, with the relevance that the page has now."""
        self.withheld = bool(visit.withheld)
        if visit.where is None or visit.mime not in READ or visit.withheld:
            return None
        found = self.spool.take(visit.where, visit.url) if self.spool is not None else None
        if found is None:
            try:
                found = self._parse(visit.url, visit.where)
            except Damaged:
                self.damaged += 1
                return None
        category = max(visit.labels, key=visit.labels.__getitem__) if visit.labels else ""
        return Document(
            visit.url,
            visit.title,
            found.text,
            found.headings,
            visit.language,
            category,
            relevance,
            at,
            found.links,
            name_of(visit.mime),
        )

    def _parse(self, url: str, where: Where) -> Spooled:
        # Imported here, because most indexes never parse anything.
        from lycosa.web.offline import within
        from lycosa.web.parse import parse

        if self._options is None:
            self._options = self._how_they_were_parsed()
        raw = self.collection.repository.read(where)
        if self._plan:
            raw = within(raw, url, self._plan.body, self._plan.longest(url))
        page = self._linked(parse(url, raw.body, raw.content_type, robots=raw.robots, indexed=True, **self._options))
        self.parsed += 1
        # As in the spool: characters that cannot be encoded must not reach the index.
        page.text, page.headings = _encodable(page.text), _encodable(page.headings)
        return spooled(page)

    def _how_they_were_parsed(self) -> dict[str, Any]:
        from lycosa.engine.crawl_recovery import plan_of

        try:
            plan = plan_of(self.collection)
            options = parse_options(plan)
        except Refused:
            return {}
        self._plan, self._linked = plan, links_of(plan)
        return options


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
