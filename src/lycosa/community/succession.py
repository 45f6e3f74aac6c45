"""The end of a refresh: the pages are chosen, a new collection is made of them and indexed, and takes over."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from msgspec import to_builtins

from lycosa.community.choice import Found, choose
from lycosa.community.freshness import Freshness
from lycosa.community.home import Generation, Home
from lycosa.community.report import answered, iteration_of, report_of, uncertain, why_dropped
from lycosa.community.tonight import Tonight
from lycosa.community.work import Errand, Work, throw_away
from lycosa.core.errors import Refused
from lycosa.engine.indexing import bring_up_to_date
from lycosa.store.collection import Collection
from lycosa.store.merging import Share, merge

_SEEDS = 1000
"""Start pages that the plan of a new collection names at most."""


def succeed(
    home: Home,
    work: Work,
    tonight: Tonight,
    spent: Callable[[], float],
    told: Callable[[str, int, int], object],
) -> Generation:
    """Make the next generation of what was crawled, and make it current."""
    loop, errands, old = work.loop, work.all_errands(), _found(home.current())
    crawls = {errand.name: _found(work.crawl(errand)) for errand in _counting(errands, loop.keep)}
    _must_have_worked(home, work, errands, tonight, crawls)
    before = {page.url for page in old}
    unknown = uncertain(tonight, before)[: loop.settings.max_in_index]
    chosen = choose(crawls, loop.settings.max_in_index - len(unknown), unknown)

    folder, total = home.next_folder(), sum(map(len, chosen.values())) + len(unknown)
    counting = _counting(errands, loop.keep)
    shares = [_share(work, errand, chosen[errand.name], tonight) for errand in counting]
    seeds = dict.fromkeys(url for errand in counting for url in errand.seeds.urls)
    with Collection.create(folder) as into:
        plan = loop.plan(seeds=list(seeds)[:_SEEDS]).dump() | {"index": True}
        merged = merge(
            [*shares, Share(home.current(), unknown)], into, plan, time.time(), lambda n: told("copying", n, total)
        )
    bring_up_to_date(folder, lambda done, of: told("indexing", done, of))

    after = {url for urls in chosen.values() for url in urls} | set(unknown)
    after.difference_update(merged.lost)
    iterations = {
        query: [iteration_of(errand, work.crawl(errand), tonight) for errand in of_query]
        for query, of_query in errands.items()
    }
    kept = {query: sum(len(chosen.get(errand.name, ())) for errand in of) for query, of in errands.items()}
    report = report_of(
        loop,
        old=before,
        new=after,
        unknown=unknown,
        dropped=why_dropped(before, after, tonight, {page.url for pages in crawls.values() for page in pages}),
        told=answered(loop, iterations, kept),
        tonight=tonight,
        lost=merged.lost,
        seconds=spent(),
    )
    with Freshness(home.freshness_file) as freshness:
        freshness.follow(work.tonight)
    return home.swap(folder, "refresh", to_builtins(report), pages=merged.pages)


def _counting(errands: dict[int, list[Errand]], keep: str) -> list[Errand]:
    """Those whose pages make the new collection."""
    return [errand for of_query in errands.values() for errand in (of_query if keep == "all" else of_query[-1:])]


def _found(crawl: Path) -> list[Found]:
    with Collection.open(crawl) as collection:
        return [Found(row.url, row.relevance) for row in collection.log.pages(order="time")]


def _share(work: Work, errand: Errand, urls: list[str], tonight: Tonight) -> Share:
    query = work.loop.queries[errand.query]
    where = "start page for" if errand.seeds.fallback else "answer to"
    return Share(work.crawl(errand), urls, f"{where} «{query}»", tonight.place)


def _must_have_worked(
    home: Home, work: Work, errands: dict[int, list[Errand]], tonight: Tonight, crawls: dict[str, list[Found]]
) -> None:
    """A night without a network must not cost a collection: where most queries brought nothing, nothing is replaced."""
    empty = sum(not any(_found(work.crawl(errand)) for errand in of_query) for of_query in errands.values())
    if 2 * empty > len(errands):
        reasons = ", ".join(sorted({miss.reason for miss in tonight.misses()})[:3]) or "no reason known"
        throw_away(work.folder)
        raise Refused(
            f"for {empty:,} of {len(errands):,} questions no page could be fetched ({reasons})",
            f"see to the network and run it again; {home.folder} answers as before",
        )
