"""The candidates for an answer, from one or several indexes, and the evidence for each.

Several indexes are searched as if they were one. A word's rarity is that in all of them together, so content scores can
be compared across indexes (BM25; only the relative length of a page depends on its own index). The votes for a page are
those in the index with most votes, and its PageRank is the highest one. A page that is in several indexes is one
candidate, with its best score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from lycosa.core.keys import key64
from lycosa.index.content import Content, Match
from lycosa.index.expansion import idf
from lycosa.index.index_words import is_indexed
from lycosa.index.near_duplicates import NOBODY
from lycosa.index.numbers import Floats
from lycosa.index.page_ranks import keys_of
from lycosa.index.query_parser import ParsedQuestion
from lycosa.index.question_tree import Node, every
from lycosa.index.ranking import Known
from lycosa.index.references import Voted, find_in
from lycosa.index.relevances import UNKNOWN
from lycosa.index.said_conditions import is_said, under
from lycosa.index.search_types import Filters

if TYPE_CHECKING:
    from lycosa.index.index import Index

WIDER = 8
"""With filters, which leave few of them, this many times the pool of pages are taken from the references."""


class Candidates:
    """The candidates for an answer, and the evidence for each.

    The content score of pages that only references found counts as zero: it is lower than that of the last page found
    by content, and computing it would take longer than everything else.
    """

    def __init__(self, indexes: Sequence[Index], asked: ParsedQuestion, by: str, pool: int) -> None:
        self._contents, self._asked = [index.content for index in indexes], asked
        self.total = 0
        self.matches: dict[str, Match] = {}
        """The candidates that were fetched, as far as they were looked up."""
        self.homes: dict[str, int] = {}
        """The index in which each of these was found."""
        self.voted: dict[str, Voted] = {}
        all_found = True
        if by != "reference":
            for number, content in enumerate(self._contents):
                found = content.find(asked, pool)
                self.total += found.total
                all_found &= found.total <= pool
                self._take(number, found.matches)
        heard = (WIDER if asked.filters.any else 2) * pool  # references cannot be filtered
        references = [index.references for index in indexes]
        weights = self._weights()
        brought = find_in(references, asked.words, asked.phrases, heard, anchors=by == "content", weights=weights)
        heard_all = len(brought) < heard
        if withheld := set[int]().union(*(index.withheld for index in indexes)):
            brought = [each for each in brought if key64(each.url) not in withheld or self._holds(each.url)]
        said = {each.url: each.score for each in brought}
        kind = "anchors"
        if by != "content":
            kind, self.voted = "reference", {each.url: each for each in brought}
        self.complete = all_found and heard_all
        self.evidence: dict[str, Mapping[str, float]] = {
            "content": {url: match.score for url, match in self.matches.items()},
            "title": self._title_matches(),
            kind: said,
        }
        self._unknown = said.keys() - self.matches.keys()
        if asked.filters.any or asked.demands:
            self._sift({each.url: each for each in brought if each.url in self._unknown})
            said = self.evidence[kind] = {url: score for url, score in said.items() if url not in self._unknown}
        self.evidence["votes"] = {url: self.voted[url].share for url in said if url in self.voted}

    def known(self, indexes: Sequence[Index]) -> Known:
        """What is known of pages, whatever is asked."""
        return {"popularity": partial(known_best, indexes), "relevance": partial(self._relevance, indexes)}

    def _relevance(self, indexes: Sequence[Index], urls: Sequence[str]) -> Floats:
        """The current relevance of each page, the highest in any of the indexes; 0 if none is known."""
        values = np.full(len(urls), UNKNOWN)
        for row, url in enumerate(urls):
            match = self.matches.get(url)
            if match is not None and match.relevance is not None:
                values[row] = match.relevance
        if any(len(index.relevances) for index in indexes):
            keys = keys_of(urls)
            values = np.maximum.reduce([index.relevances.of(keys, values) for index in indexes])
        return values.clip(0, 1)

    def _weights(self) -> dict[str, float]:
        """How much each word and phrase of the query counts among the votes: as much as it is rare in texts."""
        asked, content = self._asked, self._contents[0]

        def rarity(word: str) -> float:
            return asked.rarities.get(word) or content.rarity(word)

        phrases = {" ".join(words): sum(map(rarity, filter(is_indexed, words))) for words in asked.phrases}
        return {word: rarity(word) for word in asked.words} | phrases

    def _title_matches(self) -> dict[str, float]:
        """How well the titles of the matches are what was asked for."""
        found: dict[str, float] = {}
        for number, content in enumerate(self._contents):
            there = (match for url, match in self.matches.items() if self.homes[url] == number)
            found |= content.title_matches(self._asked, there)
        return found

    def _holds(self, url: str) -> bool:
        """Whether one of the indexes has a page that another withholds: it was fetched at another time."""
        return any(content.holds(url) for content in self._contents)

    def look_up(self, urls: Iterable[str]) -> None:
        """Look up which of the pages that references found were fetched and satisfy the query."""
        brought = self._unknown.intersection(urls)
        if not brought:
            return
        self._unknown -= brought
        only_filters = ParsedQuestion(filters=self._asked.filters)
        for number, content in enumerate(self._contents):
            self._take(number, content.among(only_filters, brought).values())

    def _sift(self, brought: dict[str, Voted]) -> None:
        """Look up which of the pages that references found may be shown; the others stay unknown.

        A page that was fetched satisfies each condition by its own text or by what others say about it, and one that
        was never fetched by what others say.
        """
        asked = self._asked
        lacking: dict[tuple[Node, ...], list[str]] = {}
        for url, voted in brought.items():
            unmet = tuple(node for node in asked.demands if not is_said(node, voted))
            lacking.setdefault(unmet, []).append(url)
        for unmet, urls in lacking.items():
            question = ParsedQuestion(filters=asked.filters, condition=every(unmet))
            for number, content in enumerate(self._contents):
                self._take(number, content.among(question, urls).values())
            found = self.matches.keys() & urls
            if not unmet and asked.filters == Filters(hosts=asked.filters.hosts):
                strange = [url for url in urls if url not in found and under(url, asked.filters.hosts)]
                found |= {url for url in strange if not any(content.holds(url) for content in self._contents)}
            self._unknown -= found

    def knows(self, urls: Iterable[str]) -> bool:
        """Whether all of these were looked up."""
        return self._unknown.isdisjoint(urls)

    def looks(self, url: str) -> tuple[int, int]:
        """The fingerprint and the size of a page, if it was looked up: these identify near-duplicates."""
        match = self.matches.get(url)
        return (match.twin, match.size) if match else (NOBODY, 0)

    def _take(self, number: int, matches: Iterable[Match]) -> None:
        """Keep the matches of an index, unless another index has the page with a better score."""
        for match in matches:
            known = self.matches.get(match.url)
            if known is None or match.score > known.score:
                self.matches[match.url] = match
                self.homes[match.url] = number


def together(contents: Sequence[Content], asked: ParsedQuestion) -> ParsedQuestion:
    """A query whose words have the rarity that they have in several indexes together."""
    if len(contents) < 2:
        return asked
    rarities = {}
    for word in asked.words:
        holding, pages = map(sum, zip(*(content.holding(word) for content in contents), strict=True))
        rarities[word] = idf(holding, pages)
    return replace(asked, rarities=rarities)


def known_best(indexes: Sequence[Index], urls: Sequence[str]) -> Floats:
    """The highest PageRank of each URL in any of the indexes."""
    keys = keys_of(urls)
    found: Floats = np.maximum.reduce([index.page_ranks.of(keys) for index in indexes])
    return found
