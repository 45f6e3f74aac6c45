"""From a word to the words of the dictionary that have its stem, so that «schooling» finds schools too.

The index holds words as they are written; a query's word stands for all words with the same Porter stem. Each counts
as rare as all of them together are, else the rarest spelling would decide.
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
"""Words of one stem that are looked for, the usual ones first; English has fewer, typos have more."""
SCANNED = 400
"""Words with the same beginning that are looked at, the usual ones first."""
_SHORT = 3
"""With fewer letters a beginning says nothing: half the dictionary may share it, and only usual endings are tried."""
_ENDINGS = ("", "s", "es", "e", "ed", "ing", "y", "ies", "ied", "er", "ers", "ly")
REMEMBERED = 1 << 14


class Form(NamedTuple):
    """A word of the dictionary that stands in for a query's word."""

    word: str
    boost: float
    """What makes it count as rare as all forms together."""


class Forms(NamedTuple):
    """The words that stand for one word of a query."""

    stem: str
    forms: tuple[Form, ...]
    pages: int
    """How many hold any of them: estimated, as if they were spread independently."""
    rarity: float
    """The idf of all of them together."""
    fields: tuple[tuple[str, float], ...]
    """The stemmed fields that know the stem, and what makes it count there as rare as in the text."""

    def as_rare_as(self, rarity: float | None) -> Forms:
        """The same where the word is said to be of another rarity."""
        if rarity is None or rarity == self.rarity:
            return self
        times = rarity / self.rarity
        forms = tuple(Form(form.word, form.boost * times) for form in self.forms)
        fields = tuple((field, scale * times) for field, scale in self.fields)
        return Forms(self.stem, forms, self.pages, rarity, fields)


def idf(holding: float, pages: int) -> float:
    """How much a word tells that so many of the pages hold, as BM25 has it."""
    return math.log1p((max(pages, holding) - holding + 0.5) / (holding + 0.5))


class Dictionary:
    """The words of the text field as one searcher sees them."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self.pages = searcher.num_docs
        self._known: dict[str, Forms] = {}

    def holding(self, word: str) -> int:
        """How many pages hold a word, exactly as it is written."""
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
        """Words with a beginning and how many pages hold each, the usual ones first."""
        return self._searcher.terms_with_prefix("text", prefix, limit=limit)

    def telling(self, text: str, limit: int = 25) -> list[tuple[str, float]]:
        """The words that tell most about a text, by TF-IDF, and how much each may count: the first one 1."""
        counts = Counter(indexed_words(text))
        # What is in this text alone finds nothing else.
        known = [(word, times, holding) for word, times in counts.items() if (holding := self.holding(word)) > 1]
        weights = {word: (1 + math.log(times)) * idf(holding, self.pages) for word, times, holding in known}
        best = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        # The query counts the idf once more.
        return [(word, 1 + math.log(counts[word])) for word, _ in best]

    def stems(self) -> dict[str, int]:
        """How many pages hold each term of core/words: any of the words that have its stem."""
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
        """How many pages hold any of some words, if these are spread independently."""
        absent = 1.0
        for count in counts:
            absent *= 1 - min(1.0, count / max(1, self.pages))
        return self.pages * (1 - absent)

    def _look_up(self, word: str) -> Forms:
        root = stem(word)
        # A word begins with its stem, or with the stem less a final i, e or l: «happi» is in «happy».
        start = root[:-1] if root[-1:] in ("i", "e", "l") else root
        if len(start) >= _SHORT:
            near = self.beginning(start, SCANNED)
        else:
            near = [(start + ending, self.holding(start + ending)) for ending in _ENDINGS]
        # The word itself may be too rare to be among the usual ones.
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
