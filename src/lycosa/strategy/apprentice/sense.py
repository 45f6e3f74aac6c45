"""What a scout computes from a page for the apprentice: the words of each link and the kinds of its address."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lycosa.core.nouns import Page, Plain
from lycosa.core.page_kinds import KINDS, packed
from lycosa.core.page_terms import Terms, TermSequence, term_reader, term_sequence
from lycosa.core.words import Analysis

ANCHOR, CONTEXT, ADDRESS = 6, 16, 6
"""Terms kept of a link: of its anchor, of its surroundings (half before it, half after), and of its URL's path."""
WORDS = ANCHOR + CONTEXT + ADDRESS
LINK = WORDS + KINDS
"""Numbers kept of a link: its words, and the kinds of its address."""


def sensed(page: Page, words: Analysis) -> Plain:
    """LINK numbers for each link of a page, as bytes."""
    return _links(term_sequence(page, words), [link.url for link in page.links], term_reader(words)).tobytes()


def read(sense: Plain, urls: Sequence[str]) -> Terms:
    """Read what `sensed` wrote, a row for each link; no rows for a page that was not sensed."""
    if isinstance(sense, dict):  # until version 2 of the log: with the terms of the page, and without kinds
        words = np.frombuffer(sense["links"], np.uint16).reshape(-1, WORDS)
        return np.hstack([words, packed(urls[: len(words)])])
    return np.frombuffer(sense or b"", np.uint16).reshape(-1, LINK)


def _links(page: TermSequence, urls: list[str], terms_in: Callable[[str], list[int]]) -> Terms:
    links = np.zeros((len(urls), LINK), np.uint16)
    if not urls:
        return links
    sequence, anchors = page
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
        row[WORDS - ADDRESS : WORDS - ADDRESS + len(path)] = path
    links[:, WORDS:] = packed(urls)
    return links
