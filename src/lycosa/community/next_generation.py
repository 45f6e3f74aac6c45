"""The end of a refresh: pages are chosen, a new collection is made of them, indexed, and made current."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lycosa.community.dropped_pages import uncertain, why_dropped
from lycosa.community.freshness import Freshness
from lycosa.community.home import Generation, Home
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.community.refresh_state import QueryCrawl, RefreshState, throw_away
from lycosa.engine.indexing import bring_up_to_date
from lycosa.store.collection import Collection
from lycosa.store.merge import Share, merge
from lycosa.system.errors import SeedsFailed
from lycosa.system.progress import StageProgress

_SEEDS = 1000
"""Most start pages that the plan of a new collection names."""
_NAMED = 100
"""Most URLs of each kind that a report names; the others are only counted."""

Found = Mapping[str, Mapping[str, float]]
"""The pages that each crawl found, in order, with their relevance."""


class NextGeneration:
    """The new generation, made of what the crawls of a refresh have found."""

    def __init__(self, home: Home, work: RefreshState, fetches: RefreshFetches, progress: StageProgress) -> None:
        self.home = home
        self.work = work
        self.loop = work.loop
        self.fetches = fetches
        self.progress = progress
        self.crawls = work.all_crawls()
        self.last = [
            crawl
            for of_query in self.crawls.values()
            for crawl in (of_query if self.loop.keep == "all" else of_query[-1:])
        ]
        """The crawls whose pages may be in the new collection."""
        self.old = _pages(home.current()).keys()

    def take_place(self, spent: Callable[[], float]) -> Generation:
        """Make the next generation, and make it current; `spent` tells the seconds that the refresh has taken."""
        self._must_have_worked()
        room = self.loop.settings.max_in_index
        found = {crawl.name: _pages(self.work.folder_of(crawl)) for crawl in self.last}
        seeds = {url for of_query in self.crawls.values() for crawl in of_query for url in crawl.seeds.urls}
        unknown = uncertain(self.fetches, self.old, seeds)[:room]
        chosen = choose(found, room - len(unknown), unknown)
        folder = self.home.next_folder()
        lost = self._collect(folder, chosen, unknown)
        bring_up_to_date(folder, lambda done, total: self.progress("indexing", done, total))
        report = self._report(found, chosen, unknown, lost, spent())
        with Freshness(self.home.freshness_file) as freshness:
            freshness.follow(self.work.fetches)
        return self.home.swap(folder, "refresh", report, pages=report["pages"])

    def _must_have_worked(self) -> None:
        """Refuse if most queries have brought nothing: a refresh without a network must not empty the collection."""
        folders = [[self.work.folder_of(crawl) for crawl in of_query] for of_query in self.crawls.values()]
        empty = sum(not any(map(_has_pages, of_query)) for of_query in folders)
        if 2 * empty <= len(folders):
            return
        reasons = ", ".join(sorted({miss.reason for miss in self.fetches.misses()})[:3]) or "nothing to begin with"
        throw_away(self.work.folder)
        raise SeedsFailed(
            f"for {empty:,} of {len(folders):,} queries no page could be fetched ({reasons})",
            f"check the network and refresh it again; {self.home.folder} answers as before",
        )

    def _collect(self, folder: Path, chosen: dict[str, list[str]], unknown: list[str]) -> list[str]:
        """Make the collection; returns the pages whose records are damaged."""
        shares = [self._share(crawl, chosen[crawl.name]) for crawl in self.last]
        seeds = list(dict.fromkeys(url for crawl in self.last for url in crawl.seeds.urls))
        total = sum(map(len, chosen.values())) + len(unknown)
        with Collection.create(folder) as into:
            merged = merge(
                [*shares, Share(self.home.current(), unknown)],
                into,
                self.loop.plan(seeds=seeds[:_SEEDS]).dump(),
                time.time(),
                lambda pages: self.progress("copying", pages, total),
            )
        return merged.lost

    def _share(self, crawl: QueryCrawl, urls: list[str]) -> Share:
        query = self.loop.queries[crawl.query]
        role = "start page for" if crawl.seeds.fallback else "answer to"
        return Share(self.work.folder_of(crawl), urls, f"{role} «{query}»", self.fetches.place)

    def _report(
        self, found: Found, chosen: dict[str, list[str]], unknown: list[str], lost: list[str], seconds: float
    ) -> dict[str, Any]:
        """What the refresh changed and why, as plain data that is kept with the generation."""
        new = {url for urls in (*chosen.values(), unknown) for url in urls}.difference(lost)
        dropped = why_dropped(self.old, new, self.fetches, {url for pages in found.values() for url in pages})
        answered = [self._answered(number, query, chosen) for number, query in enumerate(self.loop.queries)]
        iterations = [iteration for each in answered for iteration in each["iterations"]]
        misses: Counter[str] = Counter()
        for iteration in iterations:
            misses.update(iteration["misses"])
        return {
            "queries": len(self.loop.queries),
            # Pages of the collection before the refresh, and after it.
            "before": len(self.old),
            "pages": len(new),
            # Pages of both collections, including unknown ones.
            "kept": sum(url in new for url in self.old),
            "new": sum(url not in self.old for url in new),
            "dropped": len(dropped),
            # Pages that could not be fetched because of the network: they are kept as they were.
            "unknown": len(unknown),
            "fetched": len(self.fetches),
            "from_cache": sum(iteration["from_cache"] for iteration in iterations),
            # How many pages were dropped for each reason.
            "reasons": dict(Counter(dropped.values()).most_common()),
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


def choose(found: Found, room: int, without: Iterable[str] = ()) -> dict[str, list[str]]:
    """The pages taken from each crawl, in the order they were found; no URL twice, at most `room` in all.

    A page that several crawls found is taken from the one to whose query it is most relevant, the earlier one on a tie.
    If there is not room for all, the queries take turns: each gives its most relevant page that is not taken yet, on a
    tie the one found first. So each query keeps its best pages, and none crowds out others.
    """
    owners: dict[str, tuple[float, str]] = {}
    left_out = set(without)
    for crawl, pages in found.items():
        for url, relevance in pages.items():
            if url not in left_out and (url not in owners or relevance > owners[url][0]):
                owners[url] = relevance, crawl
    taken = owners.keys() if len(owners) <= room else _in_turn(found, owners, room)
    return {crawl: [url for url in pages if url in taken and owners[url][1] == crawl] for crawl, pages in found.items()}


def _in_turn(found: Found, owners: Mapping[str, object], room: int) -> set[str]:
    taken: set[str] = set()
    ranked = [
        iter([url for url in sorted(pages, key=lambda url: -pages[url]) if url in owners]) for pages in found.values()
    ]
    while ranked and len(taken) < room:
        going = []
        for urls in ranked:
            new = next((url for url in urls if url not in taken), None)
            if new is None:
                continue
            going.append(urls)
            if len(taken) < room:
                taken.add(new)
        ranked = going
    return taken


def _pages(crawl: Path) -> dict[str, float]:
    """The pages of a collection in the order they were fetched, with their relevance."""
    with Collection.open(crawl) as collection:
        return {row.url: row.relevance or 0.0 for row in collection.log.pages(order="time")}


def _has_pages(crawl: Path) -> bool:
    with Collection.open(crawl) as collection:
        return next(collection.log.pages(limit=1), None) is not None
