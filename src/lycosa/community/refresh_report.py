"""What a refresh changed and why, as plain data that is kept with the generation it made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Some
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from lycosa.community.freshness import ABSENT
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.community.refresh_state import Loop, QueryCrawl
from lycosa.core.nouns import Miss
from lycosa.core.urls import host_of
from lycosa.store.collection import Collection

_SAID = ("status ", "type ", "refused ")
_SAID_IN_FULL = ("robots", "redirect to nowhere", "bad url", "too many redirects")
_NAMED = 100
"""Most URLs of each kind that a report names; the others are only counted."""


class Iteration(Struct, frozen=True):
    """One crawl for a query."""

    seeds: int
    hits: int
    referrers: int
    hubs: int
    fallback: bool
    overlap: float | None
    """Of the seeds with those of the iteration before."""
    pages: int
    fetched: int
    """Pages that no crawl of this refresh had fetched before."""
    from_cache: int
    """The other pages: taken from another crawl of this refresh, without a request."""
    misses: dict[str, int]


class Answered(Struct, frozen=True):
    """What was done for a query."""

    query: str
    iterations: list[Iteration]
    kept: int
    """Pages of the new collection that were taken from its crawls."""
    remark: str = ""


class Report(Struct, frozen=True):
    """What a refresh changed and why."""

    queries: int
    before: int
    """Pages of the collection before it."""
    pages: int
    """Pages of the collection after it."""
    kept: int
    """Pages that are in both collections, including unknown ones."""
    new: int
    dropped: int
    unknown: int
    """Pages that could not be fetched because of the network: kept as they were."""
    fetched: int
    """Pages that were fetched, in all crawls."""
    from_cache: int
    """Pages that one crawl needed and another had fetched."""
    reasons: dict[str, int]
    """How many pages were dropped for each reason."""
    misses: dict[str, int]
    lost: list[str]
    """Pages whose archived record turned out to be damaged."""
    unknown_urls: list[str]
    gone_urls: list[str]
    settings: dict[str, int | float | str | None]
    answered: list[Answered]
    left_out: list[str]
    """Queries without a word to search for."""
    started: float
    seconds: float

    @property
    def cost(self) -> float:
        """The paper's cost: the size of the collection as a share of MAX_IN_INDEX."""
        most = self.settings["max_in_index"]
        assert isinstance(most, int)
        return self.pages / most


def says_something(miss: Miss) -> bool:
    """Whether a miss says something about the page itself; a fault of the network or a server does not."""
    return not miss.again and (miss.reason in _SAID_IN_FULL or miss.reason.startswith(_SAID))


def uncertain(fetches: RefreshFetches, old: Some[str], seeds: Some[str] = ()) -> list[str]:
    """Pages of the old collection that could not be fetched for a reason that says nothing about them.

    A host that fails is given up, and the rest of its pages are not even tried: those that were `seeds` count, too. If
    the host never answered in this refresh, all its pages count: any of them might have been found.
    """
    missed = {miss.ticket.url: miss for miss in fetches.misses()}
    in_vain = {url for url, miss in missed.items() if not says_something(miss)}
    failing = {host_of(url) for url in in_vain}
    known = missed.keys() | {redirect.ticket.url for redirect in fetches.redirects()}
    silent = failing - {host_of(url) for url in known - in_vain} - {host_of(url) for url in old if url in fetches}
    untried = {url for url in seeds if host_of(url) in failing} | {url for url in old if host_of(url) in silent}
    return sorted(url for url in in_vain | (untried - known) if url in old and url not in fetches)


def why_dropped(old: Some[str], new: Some[str], fetches: RefreshFetches, found: Some[str]) -> dict[str, str]:
    """For each page of the old collection that is not in the new one, the reason.

    `found` are the pages of the iterations from which the new collection was made.
    """
    missed = {miss.ticket.url: miss.reason for miss in fetches.misses()}
    moved = {redirect.ticket.url for redirect in fetches.redirects()}
    why = {}
    for url in old:
        if url in new:
            continue
        if url in found:
            why[url] = "no room"
        elif url in fetches:
            why[url] = "only in an earlier iteration"
        elif url in missed:
            why[url] = "gone" if missed[url] in ABSENT else missed[url]
        else:
            why[url] = "moved" if url in moved else "not reached by any query"
    return why


def iteration_of(errand: QueryCrawl, crawl: Path, fetches: RefreshFetches) -> Iteration:
    """The report on one crawl."""
    with Collection.open(crawl) as collection:
        counts, pages = collection.log.counts(), collection.log.page_count()
    fetched = fetches.fetched_by(crawl)
    seeds = errand.seeds
    return Iteration(
        len(seeds.urls),
        seeds.hits,
        seeds.referrers,
        seeds.hubs,
        seeds.fallback,
        errand.overlap,
        pages,
        fetched,
        pages - fetched,
        counts["misses"],
    )


def answered(
    loop: Loop,
    iterations: Mapping[int, Sequence[Iteration]],
    kept: Mapping[int, int],
) -> list[Answered]:
    """The report on each query, in their order."""
    told = []
    for number, query in enumerate(loop.queries):
        done = list(iterations.get(number, ()))
        remark = "no answer in the index, so it began at hubs and bookmarks" if done and done[0].fallback else ""
        told.append(Answered(query, done, kept.get(number, 0), remark))
    return told


def report_of(
    loop: Loop,
    *,
    old: Some[str],
    new: Some[str],
    unknown: Sequence[str],
    dropped: Mapping[str, str],
    told: Sequence[Answered],
    fetches: RefreshFetches,
    lost: Sequence[str],
    seconds: float,
) -> Report:
    """The whole report."""
    iterations = [iteration for each in told for iteration in each.iterations]
    misses: Counter[str] = Counter()
    for iteration in iterations:
        misses.update(iteration.misses)
    settings = loop.settings
    return Report(
        queries=len(loop.queries),
        before=len(old),
        pages=len(new),
        kept=sum(url in new for url in old),
        new=sum(url not in old for url in new),
        dropped=len(dropped),
        unknown=len(unknown),
        fetched=len(fetches),
        from_cache=sum(iteration.from_cache for iteration in iterations),
        reasons=dict(Counter(dropped.values()).most_common()),
        misses=dict(misses.most_common()),
        lost=list(lost)[:_NAMED],
        unknown_urls=list(unknown)[:_NAMED],
        gone_urls=sorted(url for url, why in dropped.items() if why == "gone")[:_NAMED],
        settings={
            "max_in_index": settings.max_in_index,
            "max_pages": loop.max_pages,
            "max_iter": settings.max_iter,
            "n_hits": settings.n_hits,
            "theta": settings.theta,
            "parallel": settings.parallel,
            "strategy": settings.strategy,
            "judge": settings.judge,
            "by": loop.by,
            "keep": loop.keep,
            "referrers": loop.referrers,
            "hubs": loop.hubs,
        },
        answered=list(told),
        left_out=list(loop.left_out),
        started=loop.started,
        seconds=round(seconds, 3),
    )
