"""The newest pages with what is asked for: latest fetched first, with all words instead of any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lycosa.index.content import COUNTED, Match, distinct_pages, facets_of
from lycosa.index.query_parser import ParsedQuestion
from lycosa.index.question_tree import OneWord, WordStart, every, wanted_leaves
from lycosa.index.search_types import Answer, Hit, Joint, Question

if TYPE_CHECKING:
    from lycosa.index.index import Index


def newest(indexes: Sequence[Index], asked: ParsedQuestion, question: Question) -> Joint:
    """The results of several indexes by the time when they were fetched, each page once as it was fetched last.

    A page must have all words: ordered by date, pages with any of them would hide those that are meant. References
    have no date, so pages that were never fetched are not found.
    """
    demanded = {*wanted_leaves(asked.condition)}
    added = [node for node in (*map(OneWord, asked.words), *map(WordStart, asked.starts)) if node not in demanded]
    asked = replace(asked, condition=every([*added, *asked.demands]), enough=True)
    wanted = question.start + question.limit + 1
    first: dict[str, tuple[int, Match]] = {}
    places: dict[str, int] = {}
    total = 0
    for number, index in enumerate(indexes):
        found = index.content.newest(asked, wanted)
        total += found.total
        for place, match in enumerate(found.matches):
            known = first.get(match.url)
            if known is None or match.score > known[1].score:
                first[match.url], places[match.url] = (number, match), place
    # Pages of the same time in the order of their index: it does not depend on how many are wanted.
    in_order = sorted(first.values(), key=lambda each: (-each[1].score, each[0], places[each[1].url]))
    shown = in_order[question.start : question.start + question.limit]
    hits: dict[str, Hit] = {}
    for number, index in enumerate(indexes):
        matches = [match for owner, match in shown if owner == number]
        hits |= {hit.url: hit for hit in index.content.hits(matches, asked)}
    for hit in hits.values():
        hit.score = 0.0
    contents, one = [index.content for index in indexes], len(indexes) < 2
    counted = {} if one or total > COUNTED else distinct_pages(contents, asked)
    answer = Answer([hits[match.url] for _, match in shown], len(counted) or total, remark=asked.remark)
    if question.facets:
        answer.facets = facets_of(contents, asked, counted)
    more = len(in_order) > question.start + question.limit
    return Joint(answer, {} if one else _homes(indexes, shown), one or bool(counted) or not total, more)


def _homes(indexes: Sequence[Index], shown: Sequence[tuple[int, Match]]) -> dict[str, tuple[int, ...]]:
    """The indexes that have each page, the one whose copy is shown first."""
    homes = {match.url: [owner] for owner, match in shown}
    for number, index in enumerate(indexes):
        for url in index.content.by_url(homes):
            if number not in homes[url]:
                homes[url].append(number)
    return {url: tuple(found) for url, found in homes.items()}
