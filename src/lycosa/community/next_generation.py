"""The end of a refresh: pages are chosen, a new collection is made of them, indexed, and made current."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from msgspec import to_builtins

from lycosa.community.freshness import Freshness
from lycosa.community.home import Generation, Home
from lycosa.community.page_choice import ChosenPage, choose
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.community.refresh_report import Report, answered, iteration_of, report_of, uncertain, why_dropped
from lycosa.community.refresh_state import QueryCrawl, RefreshState, throw_away
from lycosa.engine.indexing import bring_up_to_date
from lycosa.store.collection import Collection
from lycosa.store.merge import Share, merge
from lycosa.system.errors import SeedsFailed

Told = Callable[[str, int, int], object]
_SEEDS = 1000
"""Most start pages that the plan of a new collection names."""


class NextGeneration:
    """The new generation, made of what the crawls of a refresh have found."""

    def __init__(self, home: Home, work: RefreshState, fetches: RefreshFetches, told: Told) -> None:
        self.home = home
        self.work = work
        self.loop = work.loop
        self.fetches = fetches
        self.told = told
        self.errands = work.all_errands()
        self.last = [
            errand
            for of_query in self.errands.values()
            for errand in (of_query if self.loop.keep == "all" else of_query[-1:])
        ]
        """The crawls whose pages may be in the new collection."""
        self.old = {page.url for page in _found(home.current())}

    def take_place(self, spent: Callable[[], float]) -> Generation:
        """Make the next generation, and make it current."""
        self._must_have_worked()
        room = self.loop.settings.max_in_index
        found = {errand.name: _found(self.work.crawl(errand)) for errand in self.last}
        seeds = {url for of_query in self.errands.values() for errand in of_query for url in errand.seeds.urls}
        unknown = uncertain(self.fetches, self.old, seeds)[:room]
        chosen = choose(found, room - len(unknown), unknown)
        folder = self.home.next_folder()
        lost = self._collect(folder, chosen, unknown)
        bring_up_to_date(folder, lambda done, total: self.told("indexing", done, total))
        report = self._report(found, chosen, unknown, lost, spent())
        with Freshness(self.home.freshness_file) as freshness:
            freshness.follow(self.work.fetches)
        return self.home.swap(folder, "refresh", to_builtins(report), pages=report.pages)

    def _must_have_worked(self) -> None:
        """Refuse if most queries have brought nothing: a refresh without a network must not empty the collection."""
        empty = sum(
            not any(_has_pages(self.work.crawl(errand)) for errand in of_query) for of_query in self.errands.values()
        )
        if 2 * empty <= len(self.errands):
            return
        reasons = ", ".join(sorted({miss.reason for miss in self.fetches.misses()})[:3]) or "nothing to begin with"
        throw_away(self.work.folder)
        raise SeedsFailed(
            f"for {empty:,} of {len(self.errands):,} questions no page could be fetched ({reasons})",
            f"see to the network and run it again; {self.home.folder} answers as before",
        )

    def _collect(self, folder: Path, chosen: dict[str, list[str]], unknown: list[str]) -> list[str]:
        """Make the collection; returns the pages whose records are damaged."""
        shares = [self._share(errand, chosen[errand.name]) for errand in self.last]
        seeds = list(dict.fromkeys(url for errand in self.last for url in errand.seeds.urls))
        total = sum(map(len, chosen.values())) + len(unknown)
        with Collection.create(folder) as into:
            merged = merge(
                [*shares, Share(self.home.current(), unknown)],
                into,
                self.loop.plan(seeds=seeds[:_SEEDS]).dump(),
                time.time(),
                lambda pages: self.told("copying", pages, total),
            )
        return merged.lost

    def _share(self, errand: QueryCrawl, urls: list[str]) -> Share:
        query = self.loop.queries[errand.query]
        role = "start page for" if errand.seeds.fallback else "answer to"
        return Share(self.work.crawl(errand), urls, f"{role} «{query}»", self.fetches.place)

    def _report(
        self,
        found: dict[str, list[ChosenPage]],
        chosen: dict[str, list[str]],
        unknown: list[str],
        lost: list[str],
        seconds: float,
    ) -> Report:
        new = {url for urls in (*chosen.values(), unknown) for url in urls}.difference(lost)
        iterations = {
            query: [iteration_of(errand, self.work.crawl(errand), self.fetches) for errand in of_query]
            for query, of_query in self.errands.items()
        }
        kept = {
            query: sum(len(chosen.get(errand.name, ())) for errand in of_query)
            for query, of_query in self.errands.items()
        }
        return report_of(
            self.loop,
            old=self.old,
            new=new,
            unknown=unknown,
            dropped=why_dropped(self.old, new, self.fetches, {page.url for pages in found.values() for page in pages}),
            told=answered(self.loop, iterations, kept),
            fetches=self.fetches,
            lost=lost,
            seconds=seconds,
        )


def _found(crawl: Path) -> list[ChosenPage]:
    with Collection.open(crawl) as collection:
        return [ChosenPage(row.url, row.relevance) for row in collection.log.pages(order="time")]


def _has_pages(crawl: Path) -> bool:
    with Collection.open(crawl) as collection:
        return next(collection.log.pages(limit=1), None) is not None
