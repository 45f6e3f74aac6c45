"""Seeds for a few words from the sources that a person named: asked side by side, put into one order, asked again.

A source that cannot be reached now is left out if another one answers; one that will not answer later either, such as
one that refuses its key, is an error: whoever named it expects it to be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from lycosa.app.answers.page import FoundSeeds
from lycosa.app.finders.finder import Finder, FoundPage, Unanswered, make_finder
from lycosa.app.query_refinement import LOOKED, QueryRefinement
from lycosa.app.rank_fusion import FusedPage, fused, spread
from lycosa.app.seed_search import FoundSeed
from lycosa.app.wording import counted
from lycosa.core.query import Query
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions

LIMIT = 20
"""Seeds that are found, at most, unless another number is asked for."""
_REFINED = 0.5
"""What a place among the results of a refined query counts; those of the keywords count 1 (our choice)."""
Reading = Callable[[Sequence[str]], Mapping[str, str]]
"""Reads some pages; their texts by URL, without those that could not be read in time."""


class SeedSource(NamedTuple):
    """A source by the name under which it is shown."""

    name: str
    finder: Finder


class _Ranking(NamedTuple):
    """What one source answered to one query."""

    source: str
    query: str
    pages: list[FoundPage]


def sources_of(
    find: Sequence[str], named: Mapping[str, str], http: HttpOptions, *, only_named: bool = False
) -> list[SeedSource]:
    """The sources that a request names: by a name of `named`, or in full where that is allowed."""
    sources = []
    for text in dict.fromkeys(find):
        if text not in named and only_named:
            known = ", ".join(named) or "none is set up"
            problem = f"no source of seeds is called {text[:80]!r}"
            fix = f"whoever runs this server names them: {known}"
            raise Refused(problem, fix, code=Code.UNKNOWN_NAME, field="find")
        finder = make_finder(named.get(text, text))
        finder.http = http
        sources.append(SeedSource(text if text in named else finder.label, finder))
    return sources


def find_seeds(
    keywords: str,
    sources: Sequence[SeedSource],
    *,
    limit: int = LIMIT,
    queries: int = 1,
    read: Reading | None = None,
    keep: Callable[[str], bool] = lambda url: True,
) -> FoundSeeds:
    """The pages that the sources name, best first; `queries` are sent to each at most, if pages can be read."""
    Query(keywords)
    remarks: list[str] = []
    rankings = _asked(sources, keywords, limit, remarks)
    asked = [keywords]
    again = [source for source in sources if source.finder.refines]
    if read and queries > 1 and again:
        asked += _refined(keywords, again, limit, queries, read, keep, rankings, remarks)
    order = _in_one_order(rankings, keywords)
    kept = [page for page in order if keep(page.url)]
    if dropped := len(order) - len(kept):
        what = f"{counted(dropped, 'address', 'addresses')} {'was' if dropped == 1 else 'were'} left out"
        remarks.append(f"{what}: outside of the scope, or not on the public Internet")
    seeds = spread([_seed(page, rankings) for page in kept], limit)
    return FoundSeeds(
        seeds=seeds, asked=[source.name for source in sources], queries=asked, remarks=list(dict.fromkeys(remarks))
    )


def _refined(
    keywords: str,
    sources: Sequence[SeedSource],
    limit: int,
    queries: int,
    read: Reading,
    keep: Callable[[str], bool],
    rankings: list[_Ranking],
    remarks: list[str],
) -> list[str]:
    """Ask refined queries as long as their new results are on topic, and add what they bring; returns the queries."""
    refinement, known = QueryRefinement(keywords), set[str]()
    asked: list[str] = []
    found = rankings[:]
    while True:
        new = [page.url for page in _in_one_order(found, keywords) if page.url not in known and keep(page.url)]
        known.update(new)
        going_on = refinement.learn(read(new[:LOOKED]).values()) if new else bool(asked)
        if asked and going_on:
            rankings += found
        if not going_on or len(asked) + 1 >= queries or (query := refinement.next()) is None:
            return asked
        try:
            found = _asked(sources, query, limit, remarks)
        except Refused as trouble:
            remarks.append(trouble.problem)
            return asked
        asked.append(query)


def _asked(sources: Sequence[SeedSource], query: str, limit: int, remarks: list[str]) -> list[_Ranking]:
    """What the sources answer; those that cannot answer now are left out with a remark, unless it is all of them."""
    with ThreadPoolExecutor(max(1, len(sources))) as threads:
        under_way = [(source, threads.submit(source.finder.find, query, limit)) for source in sources]
    found, troubles = [], []
    for source, answer in under_way:
        try:
            found.append(_Ranking(source.name, query, answer.result()))
        except Unanswered as trouble:
            if trouble.lasting:
                raise
            troubles.append(trouble)
    if troubles and not found:
        raise troubles[0]
    remarks += [f"{trouble.problem}: it was left out" for trouble in troubles]
    return found


def _in_one_order(rankings: Sequence[_Ranking], keywords: str) -> list[FusedPage]:
    return fused(
        [(1.0 if each.query == keywords else _REFINED, [page.url for page in each.pages]) for each in rankings]
    )


def _seed(page: FusedPage, rankings: Sequence[_Ranking]) -> FoundSeed:
    number, place = page.named[0]
    best = rankings[number]
    found = best.pages[place - 1]
    what = f"result {place} of {best.source}"
    if best.query != rankings[0].query:
        what += f" for «{best.query}»"
    sources = tuple(dict.fromkeys(rankings[at].source for at, _ in page.named))
    reason = found.reason or what
    if len(sources) > 1:
        reason += f"; also named by {', '.join(sources[1:])}"
    return FoundSeed(page.url, found.title, reason, found.collection, sources)
