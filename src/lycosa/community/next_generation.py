"""The end of a refresh: pages are chosen, a new collection is made of them, indexed, and made current."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lycosa.community.dropped_pages import unavailable, uncertain, why_dropped
from lycosa.community.freshness import Freshness
from lycosa.community.home import Generation, Home
from lycosa.community.page_worth import by_worth
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.community.refresh_state import Loop, QueryCrawl, RefreshState, throw_away
from lycosa.community.selection import Found, Selection, select
from lycosa.engine.indexing import bring_up_to_date
from lycosa.index.index import Index
from lycosa.store.collection import INDEX, Collection
from lycosa.store.merge import Share, merge
from lycosa.store.rows import PageRow
from lycosa.system.errors import SeedsFailed
from lycosa.system.progress import StageProgress

_SEEDS = 1000
"""Most start pages that the plan of a new collection names."""
_BEST = 10
"""The best of the pages that leave, which a report names with title and reason."""
_NAMED = 100
"""Most URLs of each kind that a report names; the others are only counted."""


class NextGeneration:
    """The new generation, made of what the crawls of a refresh have found."""

    def __init__(self, home: Home, work: RefreshState, fetches: RefreshFetches, progress: StageProgress) -> None:
        self.home = home
        self.work = work
        self.loop = work.loop
        self.fetches = fetches
        self.progress = progress
        self.crawls = work.all_crawls()
        self.of_queries = {query: crawls for query, crawls in self.crawls.items() if query < len(self.loop.queries)}
        """The same without the crawl that fetches bookmarks."""
        self.pinned = frozenset(self.loop.pinned)
        self.last = [
            crawl
            for of_query in self.crawls.values()
            for crawl in (of_query if self.loop.keep == "all" else of_query[-1:])
        ]
        """The crawls whose pages may be in the new collection."""
        self.old = old_pages(home, self.loop)
        """The pages of the old collection, the most valuable first."""

    def take_place(self, spent: Callable[[], float]) -> Generation:
        """Make the next generation, and make it current unless too many pages would leave; `spent` tells the seconds
        that the refresh has taken."""
        self._must_have_worked()
        settings = self.loop.settings
        old = {row.url for row in self.old}
        found = {crawl.name: _pages(self.work.folder_of(crawl)) for crawl in self.last}
        seeds = {url for of_query in self.crawls.values() for crawl in of_query for url in crawl.seeds.urls}
        unknown, absent = uncertain(self.fetches, old, seeds), unavailable(old, self.fetches)
        selection = select(
            found,
            [row.url for row in self.old if row.url not in absent or row.url in self.pinned],
            settings.max_in_index,
            firm=[*self.loop.pinned, *unknown],
            least=least_kept(settings.keep_share, len(old)),
            fill=settings.fill,
        )
        unknown = [url for url in unknown if url in {*selection.carried}]
        folder = self.home.next_folder()
        lost = self._collect(folder, selection)
        bring_up_to_date(folder, lambda done, total: self.progress("indexing", done, total))
        report = self._report(found, selection, unknown, absent, lost, spent())
        with Freshness(self.home.freshness_file) as freshness:
            freshness.follow(self.work.fetches)
        return self.home.swap(folder, "refresh", report, pages=report["pages"], hold=report["held"])

    def _must_have_worked(self) -> None:
        """Refuse if most queries have brought nothing: a refresh without a network must not empty the collection."""
        folders = [[self.work.folder_of(crawl) for crawl in of_query] for of_query in self.of_queries.values()]
        empty = sum(not any(map(_has_pages, of_query)) for of_query in folders)
        if 2 * empty <= len(folders):
            return
        reasons = ", ".join(sorted({miss.reason for miss in self.fetches.misses()})[:3]) or "nothing to begin with"
        throw_away(self.work.folder)
        raise SeedsFailed(
            f"for {empty:,} of {len(folders):,} queries no page could be fetched ({reasons})",
            f"check the network and refresh it again; {self.home.folder} answers as before",
        )

    def _collect(self, folder: Path, selection: Selection) -> list[str]:
        """Make the collection; returns the pages whose records are damaged."""
        shares = [self._share(crawl, selection.found[crawl.name]) for crawl in self.last]
        seeds = list(dict.fromkeys(url for crawl in self.last for url in crawl.seeds.urls))
        total = len(selection.urls)
        with Collection.create(folder) as into:
            merged = merge(
                [*shares, Share(self.home.current(), selection.carried)],
                into,
                self.loop.plan(seeds=seeds[:_SEEDS]).dump(),
                time.time(),
                lambda pages: self.progress("copying", pages, total),
            )
        return merged.lost

    def _share(self, crawl: QueryCrawl, urls: list[str]) -> Share:
        folder, place = self.work.folder_of(crawl), self.fetches.place
        if crawl.query == len(self.loop.queries):
            return Share(folder, urls, "bookmark", place)
        role = "start page for" if crawl.seeds.fallback else "answer to"
        return Share(folder, urls, f"{role} «{self.loop.queries[crawl.query]}»", place)

    def _report(
        self,
        found: Found,
        selection: Selection,
        unknown: list[str],
        absent: Mapping[str, str],
        lost: list[str],
        seconds: float,
    ) -> dict[str, Any]:
        """What the refresh changed and why, as plain data that is kept with the generation."""
        chosen, old = selection.found, {row.url: row for row in self.old}
        new = selection.urls.difference(lost)
        dropped = why_dropped(old, new, self.fetches, {url for pages in found.values() for url in pages})
        misses_of = {miss.ticket.url: miss.reason for miss in self.fetches.misses()}
        answered = [self._answered(number, query, chosen) for number, query in enumerate(self.loop.queries)]
        iterations = [iteration for each in answered for iteration in each["iterations"]]
        misses: Counter[str] = Counter()
        for iteration in iterations:
            misses.update(iteration["misses"])
        return {
            "queries": len(self.loop.queries),
            # Pages of the collection before the refresh, and after it.
            "before": len(old),
            "pages": len(new),
            # Pages of both collections, including unknown ones.
            "kept": sum(url in new for url in old),
            "new": sum(url not in old for url in new),
            "dropped": len(dropped),
            # Whether more than max_loss of the pages would leave, so that a person has to accept it.
            "held": bool(old) and len(dropped) / len(old) > self.loop.settings.max_loss,
            # Pages that stay as they were although no query reached them.
            "filled": len(new.intersection(selection.carried)) - len(unknown),
            # Bookmarks in the new collection; of those, the ones that the Web has no more; and those not fetched yet.
            "bookmarks": len(self.pinned & new),
            "bookmarks_gone": {url: absent[url] for url in self.loop.pinned if url in absent},
            "bookmarks_waiting": {url: misses_of.get(url, "not fetched") for url in self.loop.pinned if url not in new},
            # Pages that could not be fetched because of the network: they are kept as they were.
            "unknown": len(unknown),
            "fetched": len(self.fetches),
            "from_cache": sum(iteration["from_cache"] for iteration in iterations),
            # How many pages were dropped for each reason.
            "reasons": dict(Counter(dropped.values()).most_common()),
            # The most valuable pages that were dropped.
            "left": [
                {"url": url, "title": row.title, "why": dropped[url]} for url, row in old.items() if url in dropped
            ][:_BEST],
            "misses": dict(misses.most_common()),
            # Pages whose archived record turned out to be damaged.
            "lost": lost[:_NAMED],
            "unknown_urls": unknown[:_NAMED],
            "gone_urls": sorted(url for url, why in dropped.items() if why == "gone")[:_NAMED],
            "settings": self.loop.parameters(),
            "answered": answered,
            "left_out": list(self.loop.left_out),
            "started": self.loop.started,
            "seconds": round(seconds, 3),
        }

    def _answered(self, number: int, query: str, chosen: dict[str, list[str]]) -> dict[str, Any]:
        """What was done for a query."""
        crawls = self.crawls.get(number, [])
        fallback = bool(crawls) and crawls[0].seeds.fallback
        return {
            "query": query,
            "iterations": list(map(self._iteration, crawls)),
            # Pages of the new collection that were taken from its crawls.
            "kept": sum(len(chosen.get(crawl.name, ())) for crawl in crawls),
            "remark": "no answer in the index, so it began at hubs and bookmarks" if fallback else "",
        }

    def _iteration(self, crawl: QueryCrawl) -> dict[str, Any]:
        folder, seeds = self.work.folder_of(crawl), crawl.seeds
        with Collection.open(folder) as collection:
            misses, pages = collection.log.counts()["misses"], collection.log.page_count()
        fetched = self.fetches.fetched_by(folder)
        return {
            "seeds": len(seeds.urls),
            "hits": seeds.hits,
            "referrers": seeds.referrers,
            "hubs": seeds.hubs,
            "fallback": seeds.fallback,
            "overlap": crawl.overlap,
            "pages": pages,
            # Pages that no crawl of this refresh had fetched before; the others were taken from those crawls.
            "fetched": fetched,
            "from_cache": pages - fetched,
            "misses": misses,
        }


def least_kept(share: float, pages: int) -> int:
    """How many of so many pages a refresh keeps at least."""
    return math.ceil(share * pages)


def old_pages(home: Home, loop: Loop) -> list[PageRow]:
    """The pages of the collection that is to be refreshed, the most valuable first."""
    current = home.current()
    with Collection.open(current) as collection:
        rows = list(collection.log.pages(order="time"))
    settings = loop.settings
    if not settings.fill and not settings.keep_share:
        return rows
    asked = [*loop.queries, *(one.text for one in home.queries.interests())]
    with Index.open(current / INDEX) as index:
        return by_worth(index, rows, queries=asked, bookmarks=frozenset(loop.bookmarks), by=loop.by)


def _pages(crawl: Path) -> dict[str, float]:
    """The pages of a collection in the order they were fetched, with their relevance."""
    with Collection.open(crawl) as collection:
        return {row.url: row.relevance or 0.0 for row in collection.log.pages(order="time")}


def _has_pages(crawl: Path) -> bool:
    with Collection.open(crawl) as collection:
        return next(collection.log.pages(limit=1), None) is not None
