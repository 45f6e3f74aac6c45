"""What a scout computes from a page for the apprentice: its frequent terms and the words of each link, as numbers.

A term is a 16-bit number, a hash of its stem; 0 means none. All text work is done here, so that the brain only looks up
numbers in tables of weights.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.core.link_windows import marked
from lycosa.core.nouns import Page, Plain, Span
from lycosa.core.words import separated, sequence_of

TERMS = 1 << 16
"""Number of distinct terms; two terms with the same number count as one."""
PAGE = 256
"""Terms kept of a page: the most frequent ones, and among equals those that come first."""
ANCHOR, CONTEXT, ADDRESS = 6, 16, 6
"""Terms kept of a link: of its anchor, of its surroundings (half before it, half after), and of its URL's path."""
LINK = ANCHOR + CONTEXT + ADDRESS
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


def sensed(page: Page) -> Plain:
    """The terms of a page with their counts, and LINK terms for each of its links, as bytes."""
    found, anchors = marked(page, terms_in)
    sequence = np.array(found, np.uint16)
    terms, counts = _counted(sequence, terms_in(page.title))
    links = _links(sequence, anchors, [link.url for link in page.links])
    return {"terms": terms.tobytes(), "counts": counts.tobytes(), "links": links.tobytes()}


def read(sense: Plain) -> tuple[Terms, Counts, Terms]:
    """Read what `sensed` wrote; empty arrays for a page that was not sensed."""
    if not isinstance(sense, dict):
        return np.zeros(0, np.uint16), np.zeros(0, np.uint8), np.zeros((0, LINK), np.uint16)
    links = np.frombuffer(sense["links"], np.uint16).reshape(-1, LINK)
    return np.frombuffer(sense["terms"], np.uint16), np.frombuffer(sense["counts"], np.uint8), links


def _counted(sequence: Terms, title: Iterable[int]) -> tuple[Terms, Counts]:
    found, first, counts = np.unique(sequence, return_index=True, return_counts=True)
    for term in dict.fromkeys(title):
        at = int(np.searchsorted(found, term))
        if at < len(found) and found[at] == term:
            counts[at] += TITLE
    best = np.lexsort((first, -counts))[:PAGE]
    return found[best], np.minimum(counts[best], 255).astype(np.uint8)


def _links(sequence: Terms, anchors: list[Span], urls: list[str]) -> Terms:
    links = np.zeros((len(urls), LINK), np.uint16)
    if not urls:
        return links
    half = CONTEXT // 2
    padded = np.zeros(len(sequence) + 2 * half + ANCHOR, np.uint16)
    padded[half : half + len(sequence)] = sequence
    first, last = np.hsplit(np.array(anchors), 2)
    inside = first + np.arange(ANCHOR)
    links[:, :ANCHOR] = np.where(inside < last, padded[inside + half], 0)
    links[:, ANCHOR : ANCHOR + half] = padded[first + np.arange(half)]
    links[:, ANCHOR + half : ANCHOR + CONTEXT] = padded[last + half + np.arange(half)]
    for row, url in zip(links, urls, strict=True):
        path = terms_in(url[url.find("/", 8) :])[-ADDRESS:]
        row[LINK - ADDRESS : LINK - ADDRESS + len(path)] = path
    return links
