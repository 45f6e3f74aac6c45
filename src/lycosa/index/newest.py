"""The newest pages with what is asked for: latest fetched first, with all words instead of any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lycosa.index.content import Match
from lycosa.index.facets import summed_facets
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
    total = 0
    exact = True
    for number, index in enumerate(indexes):
        found = index.content.newest(asked, wanted)
        total += found.total
        exact &= found.total <= wanted
        for match in found.matches:
            known = first.get(match.url)
            if known is None or match.score > known[1].score:
                first[match.url] = number, match
    one = len(indexes) < 2
    in_order = sorted(first.values(), key=lambda each: (-each[1].score, each[1].url))
    shown = in_order[question.start : question.start + question.limit]
    hits: dict[str, Hit] = {}
    for number, index in enumerate(indexes):
        matches = [match for owner, match in shown if owner == number]
        hits |= {hit.url: hit for hit in index.content.hits(matches, asked)}
    for hit in hits.values():
        hit.score = 0.0
    answer = Answer([hits[match.url] for _, match in shown], len(first) if exact else total, remark=asked.remark)
    if question.facets:
        answer.facets = summed_facets(index.content.facets(asked) for index in indexes)
    homes: dict[str, tuple[int, ...]] = {} if one else {match.url: (owner,) for owner, match in shown}
    return Joint(answer, homes, one or exact, len(in_order) > question.start + question.limit)
