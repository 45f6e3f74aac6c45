"""The texts of an index that complete questions: titles, and the names that others use for the best known pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from lycosa.core.keys import key64
from lycosa.index.completion import MOST, NAME, WORD, Completer, Completing, shown, words_folded
from lycosa.index.index_words import SILENT
from lycosa.index.page_ranks import keys_of

if TYPE_CHECKING:
    from lycosa.index.index import Index

NAMED = 200
"""How many of the best known pages get the names that others use for them."""
ASKED = 8
"""How many links to such a page are read."""
SAID = 2
"""How many of these must use a name."""
LESS = 1.5
"""How much less a name weighs than a title: those that a whole site uses are often for navigation."""
_LEAST = 3
"""Fewest letters of a word that is completed by the words of pages."""


def completer_of(index: Index) -> Completer:
    """A completer with the titles and names of an index."""
    return Completer([*_titles(index), *_names(index)])


def _titles(index: Index) -> Iterator[Completing]:
    heads = index.content.titled(MOST)
    ranks = index.page_ranks.of(keys_of([url for url, _ in heads])).tolist() if heads else []
    for (url, title), rank in zip(heads, ranks, strict=True):
        if title.strip():
            yield Completing(shown(title), float(np.log2(1 + rank)), url=url)


def _names(index: Index) -> Iterator[Completing]:
    for url, rank in index.references.best_known(index.page_ranks, NAMED):
        if key64(url) in index.withheld:
            continue
        said: dict[str, Counter[str]] = {}
        for name in index.references.anchors(url, ASKED):
            if key := " ".join(words_folded(name)):
                said.setdefault(key, Counter())[shown(name)] += 1
        for names in said.values():
            if names.total() >= SAID:
                yield Completing(names.most_common(1)[0][0], float(np.log2(1 + rank)) - LESS, NAME, url)


def words_for(index: Index, typed: str, limit: int) -> list[tuple[float, Completing]]:
    """Words of pages that complete the last word that was typed, if pages have them with the words before it."""
    words = words_folded(typed)
    if not words or len(words[-1]) < _LEAST or not typed[-1:].isalnum():
        return []
    *before, last = words
    before = [word for word in before if word not in SILENT]
    dictionary = index.content.dictionary
    found = []
    for word, count in dictionary.beginning(last, 2 * limit):
        together = dictionary.holding_both(word, before[-1]) if before else count
        if together > 1 and word.isalpha():
            at = len(typed) - next((len(part) for part in reversed(typed.split()) if part), 0)
            text = typed[:at] + dictionary.written(word)[1]
            found.append((-10.0 + float(np.log2(1 + together)) / 4, Completing(text, 0.0, WORD, times=together)))
    return sorted(found, key=lambda each: -each[0])[:limit]
