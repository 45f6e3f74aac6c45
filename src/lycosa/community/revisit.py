"""Revisiting: the pages of the current generation that are most worth it are looked at again, and a new one is made.

They are asked for only if they have changed. In the new generation unchanged pages are as they were, changed ones are
replaced, and those that are gone are left out, or replaced by the page to which they moved for good; what could not be
had stays as it is. Where nothing has changed and nothing is gone the generation stays.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lycosa.community.freshness import APART, CONFIRMATIONS, GONE, Freshness
from lycosa.community.generation_update import renew
from lycosa.community.home import Home
from lycosa.community.revisit_value import ByValue, Due, worth
from lycosa.core.events import Event, Missed, Redirected, Visited
from lycosa.core.nouns import Ticket, Topic, Visit
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.store.collection import INDEX, Collection
from lycosa.store.rows import PageRow
from lycosa.system.errors import Code, Refused, SeedsFailed

PAGES = 1000
"""Pages that are looked at again unless told otherwise."""
_HUBS = 1000
"""As many of the best hubs are worth more than other pages."""
_RETRIES = 1
"""A page that cannot be had is asked for once more; after that another night is soon enough."""
_UNASKED = "host given up"

Run = Callable[[Hunt], object]
"""Runs a hunt to its end."""


class Revisited(Struct):
    """What came of a revisit."""

    asked: int = 0
    """Pages that were to be looked at."""
    unchanged: list[str] = []
    confirmed: int = 0
    """How many of these needed not be sent."""
    changed: list[str] = []
    gone: list[str] = []
    """Left out of the new generation, also those of which another crawl said so."""
    moved: dict[str, str] = {}
    """Those of the gone that are elsewhere now, and where."""
    unknown: dict[str, str] = {}
    """Those that could not be had, and why."""
    unasked: int = 0
    """Pages that there was no time for, because it was interrupted."""
    lost: list[str] = []
    """Left out because their records are damaged."""
    pages: int = 0
    """Of the generation that is current now."""
    generation: int | None = None
    """The number of the new generation; None where everything stays as it was."""

    def counts(self) -> dict[str, Any]:
        """It in numbers, as plain data."""
        return {
            "asked": self.asked,
            "present": len(self.unchanged) + len(self.changed),
            "unchanged": len(self.unchanged),
            "confirmed": self.confirmed,
            "changed": len(self.changed),
            "gone": len(self.gone),
            "moved": len(self.moved),
            "unknown": len(self.unknown),
            "reasons": dict(Counter(self.unknown.values()).most_common()),
            "unasked": self.unasked,
            "lost": len(self.lost),
            "pages": self.pages,
        }


def due(home: Home, pages: int = PAGES, now: float | None = None) -> list[Due]:
    """The pages that are most worth looking at again, best first, each with what its value is made of."""
    with Freshness(home.freshness_file) as freshness:
        current = home.current()
        return _due(_rows(current), _hubs(current), freshness, pages, time.time() if now is None else now)


def _due(rows: list[PageRow], hubs: dict[str, float], freshness: Freshness, pages: int, now: float) -> list[Due]:
    if pages < 1:
        raise Refused(
            f"--pages {pages} leaves nothing to do", "give --pages at least 1", code=Code.OUT_OF_RANGE, field="pages"
        )
    known = freshness.of([row.url for row in rows])
    new = [row for row in rows if row.url not in known]
    freshness.learn((row.at, Visited(Visit(Ticket(row.url), row.relevance, digest=row.digest))) for row in new)
    # What is gone is left out of the next generation anyhow.
    there = [row for row in rows if row.url not in known or known[row.url].state != GONE]
    found = [worth(row, known.get(row.url), hubs.get(row.url, 0.0), now) for row in there]
    return sorted(found, key=lambda each: (-each.value, -each.age, each.url))[:pages]


def _rows(generation: Path) -> list[PageRow]:
    with Collection.open(generation) as collection:
        return list(collection.log.pages(order="time"))


def _hubs(generation: Path) -> dict[str, float]:
    """The best hubs, with their scores as a share of the best one's."""
    from lycosa.index.index import Index

    try:
        with Index.open(generation / INDEX) as index:
            hubs, _ = index.hubs(limit=_HUBS)
    except Refused:
        # Without an index no page is known for its links.
        return {}
    return {each.url: each.score / hubs[0].score for each in hubs}


def revisit(
    home: Home,
    pages: int = PAGES,
    run: Run = lambda hunt: list(hunt),
    *,
    confirmations: int = CONFIRMATIONS,
    apart: float = APART,
) -> Revisited:
    """Look at the pages again that are most worth it; the new generation, if there is one, is current afterwards.

    An interrupted run counts as far as it came.
    """
    looked = home.folder / "revisit"
    with home.changing(), Freshness(home.freshness_file, confirmations=confirmations, apart=apart) as freshness:
        current = home.current()
        rows = _rows(current)
        chosen = [each.url for each in _due(rows, _hubs(current), freshness, pages, time.time())]
        try:
            finished = _look(plan_of_revisit(home, chosen, current), looked, run) if chosen else True
            sight = _Sight(rows, chosen, looked, freshness, finished)
            report = sight.report
            if report.changed or report.gone:
                renewed = renew(home, current, looked, sight.instead, report.gone, report.counts())
                report.generation, report.pages, report.lost = renewed
        finally:
            shutil.rmtree(looked, ignore_errors=True)
    return report


def plan_of_revisit(home: Home, urls: Iterable[str], current: Path) -> Plan:
    """The plan of a small crawl that never leaves its list but for where its pages have moved."""
    settings, seeds = home.settings, tuple(urls)
    return Plan(
        topic=Topic("revisit"),
        seeds=seeds,
        strategy=f"{ByValue.__module__}:{ByValue.__name__}",
        sources=Sources(known=(str(current),)),
        budget=Budget(len(seeds)),
        rules=replace(settings.rules, per_host=None, per_site=None),
        workers=settings.workers,
        processes=settings.processes,
        capacity=len(seeds),
        retries=_RETRIES,
        http=settings.http,
        recorded=settings.recorded,
        index=False,
    )


def _look(plan: Plan, folder: Path, run: Run) -> bool:
    """Look at the pages of a plan; whether nothing interrupted it."""
    # Left by one that was killed: nobody knows any more what it was about.
    shutil.rmtree(folder, ignore_errors=True)
    with Hunt.begin(plan, folder) as hunt:
        # That nothing could be fetched is an answer here: it is counted for each page.
        with suppress(SeedsFailed):
            run(hunt)
        return hunt.crawl.stopped is not None and hunt.crawl.stopped.finished


class _Sight:
    """What was seen of the chosen pages, and what follows from it."""

    def __init__(
        self, rows: list[PageRow], chosen: list[str], looked: Path, freshness: Freshness, finished: bool
    ) -> None:
        self.before = {row.url: row for row in rows}
        self.report = Revisited(asked=len(chosen), pages=len(rows))
        self.instead: dict[str, str] = {}
        """Pages that were looked at, and in whose place in the collection they come."""
        events = _outcomes(looked, freshness) if chosen else {}
        unasked = {url for url in chosen if url not in events}
        if finished:
            # A host that fails is not asked for the rest of its pages.
            freshness.missed(unasked, time.time(), _UNASKED)
        known = freshness.of(chosen)
        self.report.gone = sorted(freshness.gone(self.before.keys()))
        for url in chosen:
            event = events.get(url)
            if isinstance(event, Visited):
                self._compare(self.before[url], event.visit)
            elif event is None and not finished:
                self.report.unasked += 1
            elif known[url].state == GONE:
                self._follow(url, events)
            else:
                self.report.unknown[url] = known[url].why

    def _compare(self, before: PageRow, visit: Visit) -> None:
        if visit.digest != before.digest:
            self.report.changed.append(visit.url)
            self.instead[visit.url] = visit.url
            return
        self.report.unchanged.append(visit.url)
        self.report.confirmed += visit.status == 304
        if (visit.etag, visit.modified) != (before.etag, before.modified):
            # The next look is to ask with what the server says now.
            self.instead[visit.url] = visit.url

    def _follow(self, url: str, events: dict[str, Event]) -> None:
        """Take the page to which one that is gone has moved, where that was seen."""
        turns: set[str] = set()
        place = url
        while isinstance(event := events.get(place), Redirected) and place not in turns:
            turns.add(place)
            place = event.redirect.to
        if place == url or not (isinstance(event, Visited) or place in self.before):
            return
        self.report.moved[url] = place
        if place not in self.before:
            self.instead[place] = url


def _outcomes(looked: Path, freshness: Freshness) -> dict[str, Event]:
    """What became of each page."""
    found: dict[str, Event] = {}
    with Collection.open(looked) as collection:
        freshness.follow(looked)
        for entry in collection.log.read(kinds=(Visited, Redirected, Missed)):
            match entry.event:
                case Visited(visit=visit):
                    found[visit.url] = entry.event
                case Redirected(redirect=redirect):
                    found[redirect.ticket.url] = entry.event
                case Missed(miss=miss, final=True):
                    found[miss.ticket.url] = entry.event
    return found
