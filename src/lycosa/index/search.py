"""From a query to an answer: candidates by all evidence, one order, near-duplicates folded, and each result's data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lycosa.core.urls import host_of
from lycosa.index.candidates import Candidates, together
from lycosa.index.content import COUNTED, distinct_pages, facets_of
from lycosa.index.near_duplicates import folded
from lycosa.index.newest import newest
from lycosa.index.query_parser import ParsedQuestion, ask
from lycosa.index.ranking import Ranking, rank
from lycosa.index.search_types import BY, SORTS, Answer, Filters, Hit, Joint, Question
from lycosa.index.spelling import NOTHING, Speller
from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    from lycosa.index.index import Index

POOL = 50
"""Fewest candidates by content that are considered; by reference, twice as many are.

Four times as many make the first ten results no better (docs/explanation/ranking.md).
"""
MORE = 8
"""The pool grows by this factor if filters or folding leave too few, or for later pages of results."""
DEEPEST = 10_000
"""The last result that can be requested; to get all pages, read the collection."""

SPELLING = 8
"""Of how many indexes, the largest ones, the words correct the spelling of a question."""


class _Group(NamedTuple):
    """A result with its near-duplicates after it, and the candidates among which it was chosen."""

    urls: list[str]
    candidates: Candidates
    ranking: Ranking


def search(index: Index, question: Question) -> Answer:
    """The best results for a query."""
    return search_all([index], question).answer


def search_all(indexes: Sequence[Index], question: Question) -> Joint:
    """The best results of several indexes in one order; each page once, near-duplicates folded across indexes."""
    _check(question)
    asked = ask(question.text, question.filters)
    correction = NOTHING if question.verbatim else _speller(indexes).correct(asked)
    if correction.sure:
        asked = ask(correction.sure, question.filters)
    contents = [index.content for index in indexes]
    asked = together(contents, asked)
    if question.sort == "time":
        joint = newest(indexes, asked, question)
        joint.answer.corrected, joint.answer.suggestion = correction.sure, correction.offered
        return joint
    groups, last, ranking = _in_order(indexes, asked, question)
    shown = groups[question.start : question.start + question.limit]
    found = len(ranking.urls)
    one = len(indexes) < 2
    counted = {} if one or question.by == "reference" or last.total > COUNTED else distinct_pages(contents, asked)
    total = found if last.complete else max(last.total, found)
    if counted and not last.complete:
        total = len(counted.keys() | set(ranking.urls))
    answer = Answer(list(_hits(indexes, asked, shown)), total, correction.sure, correction.offered)
    answer.remark = asked.remark
    if question.facets:
        answer.facets = facets_of(contents, asked, counted)
    more = len(groups) > question.start + question.limit
    return Joint(answer, {} if one else _homes(indexes, shown), one or last.complete or bool(counted), more)


def _speller(indexes: Sequence[Index]) -> Speller:
    """Corrects spelling by the words of the largest of the indexes."""
    largest = sorted(indexes, key=len, reverse=True)[:SPELLING]
    return Speller([index.content.dictionary for index in largest], [index.references for index in largest])


def similar(index: Index, url: str, limit: int, filters: Filters) -> Answer:
    """Pages with text similar to a page's."""
    if not index.holds(url):
        raise Refused(
            f"{url} is not in the index", "give the URL of a page of the collection", code=Code.NOT_FOUND, field="url"
        )
    found = index.content.similar(url, limit, filters)
    hits = index.content.hits(found.matches, ask("", filters))
    for hit in hits:
        hit.parts = {"content": hit.score}
    return Answer(hits, found.total)


def _check(question: Question) -> None:
    if question.by not in BY:
        raise Refused(
            f"cannot search by {question.by!r}", f"choose one of: {', '.join(BY)}", code=Code.UNKNOWN_NAME, field="by"
        )
    if question.sort not in SORTS:
        problem, fix = f"cannot sort by {question.sort!r}", f"choose one of: {', '.join(SORTS)}"
        raise Refused(problem, fix, code=Code.UNKNOWN_NAME, field="sort")
    if question.limit < 1 or question.start < 0:
        fix, field = "give a limit of at least 1 and a start of at least 0", "limit" if question.limit < 1 else "page"
        raise Refused("a page of no results was asked for", fix, code=Code.OUT_OF_RANGE, field=field)
    if question.start + question.limit > DEEPEST:
        problem = f"results beyond the {DEEPEST}th were asked for"
        raise Refused(problem, "narrow the question with more words or filters", code=Code.OUT_OF_RANGE, field="page")


def _in_order(
    indexes: Sequence[Index], asked: ParsedQuestion, question: Question
) -> tuple[list[_Group], Candidates, Ranking]:
    """The results up to the last one that is wanted, and one more if there is one.

    Half of a pool can be shown; later results come from a larger pool, in which results that are already shown only
    gain near-duplicates. The pool sizes do not depend on the requested page of results, so no result is on two pages.
    """
    wanted, pool = question.start + question.limit + 1, max(POOL, 2 * question.limit)
    groups: list[_Group] = []
    while True:
        shown = {url: group for group in groups for url in group.urls}
        candidates = Candidates(indexes, asked, question.by, pool)
        ranking = rank(question.by, candidates.evidence, candidates.known(indexes))
        count = wanted if candidates.complete else min(wanted, pool // 2)
        for urls in _groups(ranking, candidates, count, fold=not question.twins):
            known = next((shown[url] for url in urls if url in shown), None)
            if known is None:
                groups.append(_Group(urls, candidates, ranking))
            else:
                known.urls.extend(url for url in urls if url not in shown)
        if len(groups) >= wanted or candidates.complete or pool > DEEPEST:
            return groups, candidates, ranking
        pool *= MORE


def _groups(ranking: Ranking, candidates: Candidates, wanted: int, *, fold: bool) -> list[list[str]]:
    """As many results as wanted, best first, each with its near-duplicates after it, all of them looked up."""
    urls = ranking.urls
    for best in (2 * wanted, len(urls)):
        candidates.look_up(urls[:best])
        if fold:
            prints, sizes = zip(*map(candidates.looks, urls), strict=True) if urls else ((), ())
            groups = [[urls[at] for at in group] for group in folded(prints, sizes, wanted)]
        else:
            groups = [[url] for url in urls[:wanted]]
        if candidates.knows(group[0] for group in groups):
            break
    return groups


def _hits(indexes: Sequence[Index], asked: ParsedQuestion, groups: Sequence[_Group]) -> Iterator[Hit]:
    known: dict[str, Hit] = {}
    for number, index in enumerate(indexes):
        fetched = [
            group.candidates.matches[group.urls[0]]
            for group in groups
            if group.candidates.homes.get(group.urls[0]) == number
        ]
        if fetched:
            known |= {hit.url: hit for hit in index.content.hits(fetched, asked)}
    for (url, *twins), candidates, ranking in groups:
        hit = known.get(url) or Hit(url, 0.0, host=host_of(url), fetched=False)
        hit.score, hit.parts = ranking.score(url), ranking.parts(url)
        hit.votes = candidates.voted[url].votes if url in candidates.voted else {}
        hit.twins = tuple(twins)
        yield hit


def _homes(indexes: Sequence[Index], groups: Sequence[_Group]) -> dict[str, tuple[int, ...]]:
    """The indexes that contain each page that is shown, or that refer to it if none contains it."""
    first = {url: group.candidates.homes.get(url, 0) for group in groups for url in group.urls}
    homes: dict[str, list[int]] = {url: [] for url in first}
    for number, index in enumerate(indexes):
        for url in index.content.by_url(first):
            homes[url].insert(0 if first[url] == number else len(indexes), number)
    for url, found in homes.items():
        if not found:
            found += [number for number, index in enumerate(indexes) if index.inlinks(url, 1)]
    return {url: tuple(found) for url, found in homes.items()}
