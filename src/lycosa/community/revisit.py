"""Revisiting: the pages of the current generation that are most worth it are checked, and a new generation is made.

Requests are conditional. In the new generation changed pages are replaced, and those that are gone are left out, or
replaced by the page to which they moved permanently; a page that could not be fetched stays as it is. If no main text
has changed and nothing is gone, the current generation stays.
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

from lycosa.community.freshness import APART, CONFIRMATIONS, Freshness
from lycosa.community.generation_update import renew
from lycosa.community.home import Home
from lycosa.community.page_history import GONE
from lycosa.community.pinned import pinned
from lycosa.community.revisit_value import ByValue, Due, due_pages
from lycosa.core.events import Missed, Redirected, Visited, outcome_of
from lycosa.core.nouns import Outcome, Redirect, Topic, Visit
from lycosa.core.shingles import is_another_text
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.store.collection import INDEX, Collection
from lycosa.store.rows import PageRow
from lycosa.system.errors import LARGEST, Refused, SeedsFailed, check_range

PAGES = 1000
"""How many pages are checked by default."""
_HUBS = 1000
"""How many of the best hubs have a hub score in a page's value; all others count as 0."""
_RETRIES = 1
"""How often a failed page is requested again; after that, the next revisit is soon enough."""
_UNASKED = "host given up"

Run = Callable[[Hunt], object]
"""Runs a hunt to its end."""


class Revisited(Struct):
    """The result of a revisit."""

    asked: int = 0
    """Pages that were to be checked."""
    unchanged: list[str] = []
    confirmed: int = 0
    """How many of these the server confirmed without sending them."""
    changed: list[str] = []
    """Pages whose main text has changed; of the unchanged ones other bytes may have."""
    gone: list[str] = []
    """Pages left out of the new generation, including those that another crawl found to be gone."""
    pinned: list[str] = []
    """Bookmarks that are gone, and stay with the last version that was archived."""
    moved: dict[str, str] = {}
    """The new URLs of pages that are gone because they have moved."""
    unknown: dict[str, str] = {}
    """Pages that could not be fetched, and why."""
    unasked: int = 0
    """Pages that were not checked because the revisit was interrupted."""
    lost: list[str] = []
    """Pages left out because their records are damaged."""
    pages: int = 0
    """Pages of the generation that is current now."""
    generation: int | None = None
    """The number of the new generation; None if nothing has changed."""

    def counts(self) -> dict[str, Any]:
        """The result in numbers, as plain data."""
        return {
            "asked": self.asked,
            "present": len(self.unchanged) + len(self.changed),
            "unchanged": len(self.unchanged),
            "confirmed": self.confirmed,
            "changed": len(self.changed),
            "gone": len(self.gone),
            "bookmarks_gone": len(self.pinned),
            "moved": len(self.moved),
            "unknown": len(self.unknown),
            "reasons": dict(Counter(self.unknown.values()).most_common()),
            "unasked": self.unasked,
            "lost": len(self.lost),
            "pages": self.pages,
        }


def due(home: Home, pages: int = PAGES, now: float | None = None) -> list[Due]:
    """The pages that are most worth checking, best first, each with the factors of its value."""
    with Freshness(home.freshness_file) as freshness:
        current = home.current()
        now = time.time() if now is None else now
        return _due(current, _rows(current), _hubs(current), freshness, pages, now, pinned(home))


def _due(
    current: Path,
    rows: list[PageRow],
    hubs: dict[str, float],
    freshness: Freshness,
    pages: int,
    now: float,
    kept: frozenset[str] = frozenset(),
) -> list[Due]:
    check_range("pages", pages, 1, LARGEST)
    urls = [row.url for row in rows]
    known = freshness.of(urls)
    if len(known) < len(rows):
        freshness.follow(current)
        known = freshness.of(urls)
    # Pages that are gone are left out of the next generation anyway.
    there = [row for row in rows if row.url not in known or known[row.url].state != GONE or row.url in kept]
    return due_pages(there, known, hubs, pages, now)


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
        # Without an index there are no hub scores.
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
    """Check the pages that are most worth it; the new generation, if there is one, is current afterwards.

    An interrupted run counts as far as it got.
    """
    checked = home.folder / "revisit"
    with home.changing(), Freshness(home.freshness_file, confirmations=confirmations, apart=apart) as freshness:
        current = home.current()
        rows = _rows(current)
        kept = pinned(home)
        chosen = [each.url for each in _due(current, rows, _hubs(current), freshness, pages, time.time(), kept)]
        try:
            finished = _check(plan_of_revisit(home, chosen, current), checked, run) if chosen else True
            found = _Comparison(current, rows, chosen, checked, freshness, finished, kept)
            report = found.report
            if report.changed or report.gone:
                made, report.lost = renew(home, current, checked, found.instead, report.gone, report.counts())
                report.generation, report.pages = made.number, made.record.pages
        finally:
            shutil.rmtree(checked, ignore_errors=True)
    return report


def plan_of_revisit(home: Home, urls: Iterable[str], current: Path) -> Plan:
    """The plan of a small crawl that fetches only the pages of its list and where they have moved."""
    settings, seeds = home.settings, tuple(urls)
    return settings.plan(
        topic=Topic("revisit"),
        seeds=seeds,
        strategy=f"{ByValue.__module__}:{ByValue.__name__}",
        settings={},
        judge="cosine",
        judge_settings={},
        sources=Sources(known=(str(current),)),
        budget=Budget(len(seeds)),
        rules=replace(settings.rules, per_host=None, per_site=None),
        capacity=len(seeds),
        retries=_RETRIES,
        index=False,
    )


def _check(plan: Plan, folder: Path, run: Run) -> bool:
    """Check the pages of a plan; returns False if it was interrupted."""
    # A killed revisit may have left it; which pages that one was to check is no longer known.
    shutil.rmtree(folder, ignore_errors=True)
    with Hunt.begin(plan, folder) as hunt:
        # That nothing could be fetched is a result here: it is counted for each page.
        with suppress(SeedsFailed):
            run(hunt)
        return hunt.crawl.stopped is not None and hunt.crawl.stopped.finished


class _Comparison:
    """What the checks found, and what follows for the new generation."""

    def __init__(
        self,
        current: Path,
        rows: list[PageRow],
        chosen: list[str],
        checked: Path,
        freshness: Freshness,
        finished: bool,
        pinned: frozenset[str],
    ) -> None:
        self.before = {row.url: row for row in rows}
        self.report = Revisited(asked=len(chosen), pages=len(rows))
        self.instead: dict[str, str] = {}
        """Fetched pages, and the pages of the collection that they replace."""
        outcomes = _outcomes(checked, freshness) if chosen else {}
        if finished:
            # The rest of the pages of a host that fails are not requested.
            freshness.missed((url for url in chosen if url not in outcomes), time.time(), _UNASKED)
        known = freshness.of(chosen)
        other = {
            url
            for url, outcome in outcomes.items()
            if isinstance(outcome, Visit) and url in self.before and outcome.digest != self.before[url].digest
        }
        self.sketches = _sketches(current, other)
        """Of the texts of the pages that were sent with another body."""
        gone = freshness.gone(self.before.keys())
        self.report.gone, self.report.pinned = sorted(gone - pinned), sorted(gone & pinned)
        for url in chosen:
            outcome = outcomes.get(url)
            if isinstance(outcome, Visit):
                self._compare(self.before[url], outcome)
            elif outcome is None and not finished:
                self.report.unasked += 1
            elif url in pinned and known[url].state == GONE:
                continue
            elif known[url].state == GONE:
                self._follow(url, outcomes)
            else:
                self.report.unknown[url] = known[url].why

    def _compare(self, before: PageRow, visit: Visit) -> None:
        other = visit.digest != before.digest
        if other and is_another_text(self.sketches.get(visit.url, b""), visit.sketch):
            self.report.changed.append(visit.url)
            self.instead[visit.url] = visit.url
            return
        self.report.unchanged.append(visit.url)
        self.report.confirmed += visit.status == 304
        if other or (visit.etag, visit.modified) != (before.etag, before.modified):
            # If a new generation is made, it has the page as it is now, and the next conditional request asks for it.
            self.instead[visit.url] = visit.url

    def _follow(self, url: str, outcomes: dict[str, Outcome]) -> None:
        """Take the page to which one that is gone has moved, if it was fetched."""
        passed: set[str] = set()
        place = url
        while isinstance(outcome := outcomes.get(place), Redirect) and place not in passed:
            passed.add(place)
            place = outcome.to
        if place == url or not (isinstance(outcome, Visit) or place in self.before):
            return
        self.report.moved[url] = place
        if place not in self.before:
            self.instead[place] = url


def _outcomes(checked: Path, freshness: Freshness) -> dict[str, Outcome]:
    """The last outcome of each page."""
    freshness.follow(checked)
    with Collection.open(checked) as collection:
        events = [entry.event for entry in collection.log.read(kinds=(Visited, Redirected, Missed))]
    return {outcome.ticket.url: outcome for outcome in map(outcome_of, events) if outcome}


def _sketches(current: Path, urls: set[str]) -> dict[str, bytes]:
    """The sketches of pages of the current generation."""
    if not urls:
        return {}
    with Collection.open(current) as collection:
        found = {url: collection.log.visit_of(url) for url in urls}
    return {url: entry.event.visit.sketch for url, entry in found.items() if entry}
