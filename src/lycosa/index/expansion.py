"""From a word to the words of the dictionary that have its stem, so that «schooling» finds schools too.

The index contains words as they are written; a query's word stands for all words with the same Porter stem. Each gets
the rarity of all of them together; otherwise the rarest spelling would dominate.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tantivy import Searcher

from lycosa.core.words import separated, sequence_of, stem
from lycosa.index.schema import STEMMED, any_of, indexed_words

MOST = 12
"""Most words of one stem that are searched, most frequent first; English has fewer, typos make more."""
SCANNED = 400
"""Most words with the same prefix that are examined, most frequent first."""
_SHORT = 3
"""A prefix of fewer letters says nothing, because half the dictionary may share it: only usual endings are tried."""
_ENDINGS = ("", "s", "es", "e", "ed", "ing", "y", "ies", "ied", "er", "ers", "ly")
REMEMBERED = 1 << 14


class Form(NamedTuple):
    """A word of the dictionary that stands in for a query's word."""

    word: str
    boost: float
    """The factor that gives it the rarity of all forms together."""


class Forms(NamedTuple):
    """The words that stand for one word of a query."""

    stem: str
    forms: tuple[Form, ...]
    pages: int
    """How many pages contain any of them, estimated as if they occurred independently."""
    rarity: float
    """The idf of all of them together."""
    fields: tuple[tuple[str, float], ...]
    """The stemmed fields that contain the stem, and the factor that gives it the same rarity there as in the text."""

    def as_rare_as(self, rarity: float | None) -> Forms:
        """The same forms with another rarity of the word."""
        if rarity is None or rarity == self.rarity:
            return self
        times = rarity / self.rarity
        forms = tuple(Form(form.word, form.boost * times) for form in self.forms)
        fields = tuple((field, scale * times) for field, scale in self.fields)
        return Forms(self.stem, forms, self.pages, rarity, fields)


def idf(holding: float, pages: int) -> float:
    """BM25's idf of a word that `holding` of the pages contain."""
    return math.log1p((max(pages, holding) - holding + 0.5) / (holding + 0.5))


class Dictionary:
    """The words of the text field, as one searcher sees them."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self.pages = searcher.num_docs
        self._known: dict[str, Forms] = {}

    def holding(self, word: str) -> int:
        """How many pages contain a word, exactly as it is written."""
        return self._count("text", word)

    def forms(self, word: str) -> Forms:
        """The words that stand for a lower-case word."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known = {}
            found = self._known[word] = self._look_up(word)
        return found

    def beginning(self, prefix: str, limit: int | None) -> list[tuple[str, int]]:
        """Words with a prefix and how many pages contain each, most frequent first."""
        return self._searcher.terms_with_prefix("text", prefix, limit=limit)

    def telling(self, text: str, limit: int = 25) -> list[tuple[str, float]]:
        """The most distinctive words of a text, by TF-IDF, and the weight of each."""
        counts = Counter(indexed_words(text))
        # A word that only this text contains finds no other page.
        known = [(word, times, holding) for word, times in counts.items() if (holding := self.holding(word)) > 1]
        weights = {word: (1 + math.log(times)) * idf(holding, self.pages) for word, times, holding in known}
        best = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        # Without the idf, because the query multiplies by it.
        return [(word, 1 + math.log(counts[word])) for word, _ in best]

    def stems(self) -> dict[str, int]:
        """How many pages contain each term of core/words, that is, any of the words with its stem."""
        words: dict[str, list[str]] = {}
        held: dict[str, int] = {}
        for word, count in self.beginning("", None):
            for root in sequence_of(separated(word)):
                words.setdefault(root, []).append(word)
                held[root] = count
        return {root: self._holding_any(alike) if len(alike) > 1 else held[root] for root, alike in words.items()}

    def _holding_any(self, words: list[str]) -> int:
        count: int = self._searcher.search(any_of("text", words), 1).count  # type: ignore[attr-defined]
        return count

    def _together(self, counts: Iterable[int]) -> float:
        """How many pages contain any of some words, if these occur independently."""
        absent = 1.0
        for count in counts:
            absent *= 1 - min(1.0, count / max(1, self.pages))
        return self.pages * (1 - absent)

    def _look_up(self, word: str) -> Forms:
        root = stem(word)
        # A word begins with its stem, or with the stem without a final i, e or l: «happy» has the stem «happi».
        start = root[:-1] if root[-1:] in ("i", "e", "l") else root
        if len(start) >= _SHORT:
            near = self.beginning(start, SCANNED)
        else:
            near = [(start + ending, self.holding(start + ending)) for ending in _ENDINGS]
        # The word itself may be too rare to be among the most frequent ones.
        counts = {word: self.holding(word)}
        counts.update(
            [(other, count) for other, count in near if count and other != word and stem(other) == root][:MOST]
        )
        pages = round(self._together(counts.values()))
        rarity = idf(pages, self.pages)
        forms = [Form(other, rarity / idf(count, self.pages)) for other, count in counts.items() if count]
        fields = [(field, rarity / idf(count, self.pages)) for field in STEMMED if (count := self._count(field, root))]
        return Forms(root, tuple(forms), pages, rarity, tuple(fields))

    def _count(self, field: str, word: str) -> int:
        return self._searcher.doc_freq(field, word)
