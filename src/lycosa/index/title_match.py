"""How well the title of a page matches a query.

    (share of the query's words that are in the title, by rarity) * (share of the title's words that are in the query)

So a title that is the query has 1, «Full moon» has a half for «moon», and a title that only has one of several words
has little. What follows a line or a bracket (the name of the site, a subject) need not match: «Mercury (planet)» has 1
for «mercury».
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from lycosa.index.expansion import Forms
from lycosa.index.index_words import stems_of
from lycosa.index.page_store import PageHead

REMEMBERED = 1 << 15
"""Titles whose stems are kept in memory."""

_SUPPLEMENT = re.compile(r"\s+[|•·–—:»-]+\s+|\s+\(")

TitleStems = tuple[frozenset[str], ...]
"""The stems of a title, and those of what comes before its supplement if it has one."""


class TitleMatcher:
    """The stems of titles, as far as they were needed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], TitleStems] = {}

    def matches(self, words: Sequence[Forms], heads: Mapping[str, PageHead]) -> dict[str, float]:
        """How well the title of each of some pages matches the words of a query, for those that have any of them."""
        whole = sum(word.rarity for word in words)
        stems = [({each.stem for each in word.fields if each.field == "title"}, word.rarity) for word in words]
        if not whole or not any(alike for alike, _ in stems):
            return {}
        every = frozenset[str]().union(*(alike for alike, _ in stems))
        found = {}
        for url, head in heads.items():
            best = 0.0
            for title in self._stems(head):
                if shared := every & title:
                    held = sum(rarity for alike, rarity in stems if not title.isdisjoint(alike))
                    best = max(best, held / whole * len(shared) / len(title))
            if best:
                found[url] = best
        return found

    def _stems(self, head: PageHead) -> TitleStems:
        known = self._known.get(key := (head.title, head.language))
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known = {}
            known = self._known[key] = tuple(_stemmed(head.title, head.language))
        return known


def _stemmed(title: str, language: str) -> Iterable[frozenset[str]]:
    for part in dict.fromkeys((title, _SUPPLEMENT.split(title, maxsplit=1)[0])):
        if stems := frozenset(stems_of(part, language).split()):
            yield stems
