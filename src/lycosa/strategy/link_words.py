"""The words of a page's links as numbers, for strategies that learn which words lead to relevant pages.

A word is a 16-bit number, a hash of its stem; 0 means none. Scouts do the text work, so that the brain only looks up
numbers in tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lycosa.core.link_windows import Marked, marked
from lycosa.core.nouns import Page
from lycosa.core.page_terms import Numbers
from lycosa.core.words import Analysis, analysis

WORDS = 1 << 16
"""Number of distinct words; two words with the same number count as one."""
ANCHOR, AROUND, ADDRESS = slice(0, 6), slice(6, 18), slice(18, 26)
"""The columns of a link's words: those of its anchor, around it (half before, half after), and of its URL's path."""
COLUMNS = ADDRESS.stop

Words = NDArray[np.uint16]
"""A row for each link."""


_ENGLISH = analysis()


@lru_cache(64)
def word_reader(read: Analysis) -> Callable[[str], list[int]]:
    """What finds the words of a text, in their order; all numerals are one word."""
    return Numbers(read, WORDS, digits="0").of


def words_in(text: str, read: Analysis = _ENGLISH) -> list[int]:
    """The words of a text, in their order."""
    return word_reader(read)(text)


def address_words(url: str, read: Analysis = _ENGLISH) -> list[int]:
    """The last words of a URL's path and query, as many as there are columns for."""
    start = url.find("/", 8)
    return words_in(url[start:], read)[-(ADDRESS.stop - ADDRESS.start) :] if start >= 0 else []


def link_words(page: Page, read: Analysis = _ENGLISH) -> bytes:
    """The words of all links of a page."""
    return _rows(page, marked(page, word_reader(read)), read).tobytes()


def page_words(page: Page, most: int, read: Analysis = _ENGLISH) -> tuple[bytes, bytes]:
    """The most frequent words of a page, and the words of all its links."""
    found = marked(page, word_reader(read))
    frequent = [word for word, _ in Counter(found.terms).most_common(most)]
    return np.array(frequent, np.uint16).tobytes(), _rows(page, found, read).tobytes()


def _rows(page: Page, found: Marked[int], read: Analysis) -> Words:
    terms, half = found.terms, (AROUND.stop - AROUND.start) // 2
    words = np.zeros((len(page.links), COLUMNS), np.uint16)
    for row, link, (start, end) in zip(words, page.links, found.anchors, strict=True):
        inside = terms[start : min(end, start + ANCHOR.stop)]
        row[: len(inside)] = inside
        before, behind = terms[max(0, start - half) : start], terms[end : end + half]
        row[ANCHOR.stop : ANCHOR.stop + len(before)] = before
        row[ANCHOR.stop + half : ANCHOR.stop + half + len(behind)] = behind
        path = address_words(link.url, read)
        row[ADDRESS.start : ADDRESS.start + len(path)] = path
    return words


def read_words(sensed: bytes) -> Words:
    """Read what `link_words` wrote."""
    return np.frombuffer(sensed, np.uint16).reshape(-1, COLUMNS)
