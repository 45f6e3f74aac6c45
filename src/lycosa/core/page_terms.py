"""The terms of a page as numbers, so that models only look up numbers in tables of weights.

A term is a 16-bit number, a hash of its stem; 0 means none. All text work is done here, by the scouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.core.link_windows import marked
from lycosa.core.nouns import Page, Span
from lycosa.core.words import Analysis, analysis

TERMS = 1 << 16
"""Number of distinct terms; two terms with the same number count as one."""
PAGE = 256
"""Terms kept of a page: the most frequent ones, and among equals those that come first."""
TITLE = 5
"""A term of the title counts as if it occurred this many more times in the text."""
SEVERAL = -1
_REMEMBERED = 1 << 18

Terms = NDArray[np.uint16]
Counts = NDArray[np.uint8]


class Numbers(dict[bytes, int]):
    """Maps separated words to numbers below a limit, filled on demand; 0 for what is not a term.

    A stretch of an unspaced script is one word with several terms: it has the number SEVERAL.
    """

    def __init__(self, read: Analysis, limit: int, digits: str = "") -> None:
        self._read, self._limit, self._digits = read, limit, digits

    def __missing__(self, word: bytes) -> int:
        numbers = self._numbers(word)
        number = SEVERAL if len(numbers) > 1 else numbers[0] if numbers else 0
        if len(word) <= 64:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = number
        return number

    def _numbers(self, word: bytes) -> list[int]:
        stems = [self._digits] if self._digits and word.isdigit() else self._read.sequence_of(word)
        return [1 + key64(stem) % (self._limit - 1) for stem in stems]

    def of(self, text: str) -> list[int]:
        """The terms of a text, in their order."""
        words = self._read.separated(text)
        tokens = words.split()
        found = [*map(self.__getitem__, tokens)]
        if not words.isascii() and SEVERAL in found:
            pairs = zip(tokens, found, strict=True)
            some = (self._numbers(token) if number == SEVERAL else (number,) for token, number in pairs)
            found = [*chain.from_iterable(some)]
        return [*filter(None, found)]


_ENGLISH = analysis()


@lru_cache(64)
def term_reader(read: Analysis) -> Callable[[str], list[int]]:
    """What finds the terms of a text, in their order."""
    return Numbers(read, TERMS).of


def terms_in(text: str, read: Analysis = _ENGLISH) -> list[int]:
    """The terms of a text, in their order."""
    return term_reader(read)(text)


class TermSequence(NamedTuple):
    """The terms of a page in their order, and where among them the anchor of each link begins and ends."""

    terms: Terms
    anchors: list[Span]


_latest: tuple[Page, Analysis, TermSequence] | None = None
"""The last page and its terms: a scout and its strategy ask for the same page, one after the other."""


def term_sequence(page: Page, read: Analysis = _ENGLISH) -> TermSequence:
    """The terms of a page with its links marked."""
    global _latest
    if _latest is not None and _latest[0] is page and _latest[1] is read:
        return _latest[2]
    found, anchors = marked(page, term_reader(read))
    sequence = TermSequence(np.array(found, np.uint16), anchors)
    _latest = page, read, sequence
    return sequence


def page_terms(page: Page, read: Analysis = _ENGLISH) -> bytes:
    """The most frequent terms of a page with their counts, as `read_terms` reads them."""
    terms, counts = _counted(term_sequence(page, read).terms, terms_in(page.title, read))
    return terms.tobytes() + counts.tobytes()


def read_terms(packed: bytes) -> tuple[Terms, Counts]:
    """The terms and counts that `page_terms` returned; empty arrays for an empty text."""
    size = len(packed) // 3
    return np.frombuffer(packed, np.uint16, size), np.frombuffer(packed, np.uint8, size, 2 * size)


def _counted(sequence: Terms, title: Iterable[int]) -> tuple[Terms, Counts]:
    found, first, counts = np.unique(sequence, return_index=True, return_counts=True)
    for term in dict.fromkeys(title):
        at = int(np.searchsorted(found, term))
        if at < len(found) and found[at] == term:
            counts[at] += TITLE
    best = np.lexsort((first, -counts))[:PAGE]
    return found[best], np.minimum(counts[best], 255).astype(np.uint8)
