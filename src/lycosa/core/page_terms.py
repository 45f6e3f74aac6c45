"""The terms of a page as numbers, so that models only look up numbers in tables of weights.

A term is a 16-bit number, a hash of its stem; 0 means none. All text work is done here, by the scouts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.core.link_windows import marked
from lycosa.core.nouns import Page, Span
from lycosa.core.words import separated, sequence_of

TERMS = 1 << 16
"""Number of distinct terms; two terms with the same number count as one."""
PAGE = 256
"""Terms kept of a page: the most frequent ones, and among equals those that come first."""
TITLE = 5
"""A term of the title counts as if it occurred this many more times in the text."""
_REMEMBERED = 1 << 18

Terms = NDArray[np.uint16]
Counts = NDArray[np.uint8]


class _Numbers(dict[bytes, int]):
    """Maps separated words to the numbers of their stems, filled on demand; 0 for what is not a term."""

    def __missing__(self, word: bytes) -> int:
        stems = sequence_of(word)
        number = 1 + key64(" ".join(stems)) % (TERMS - 1) if stems else 0
        if len(word) <= 64:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = number
        return number


_number = _Numbers().__getitem__


def terms_in(text: str) -> list[int]:
    """The terms of a text, in their order."""
    return [*filter(None, map(_number, separated(text).split()))]


class TermSequence(NamedTuple):
    """The terms of a page in their order, and where among them the anchor of each link begins and ends."""

    terms: Terms
    anchors: list[Span]


_latest: tuple[Page, TermSequence] | None = None
"""The last page and its terms: a scout and its strategy ask for the same page, one after the other."""


def term_sequence(page: Page) -> TermSequence:
    """The terms of a page with its links marked."""
    global _latest
    if _latest is not None and _latest[0] is page:
        return _latest[1]
    found, anchors = marked(page, terms_in)
    sequence = TermSequence(np.array(found, np.uint16), anchors)
    _latest = page, sequence
    return sequence


def page_terms(page: Page) -> bytes:
    """The most frequent terms of a page with their counts, as `read_terms` reads them."""
    terms, counts = _counted(term_sequence(page).terms, terms_in(page.title))
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
