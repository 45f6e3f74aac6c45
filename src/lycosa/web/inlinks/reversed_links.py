"""In-links among the pages of a recording, a test bed or a made web: all of its links, reversed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.core.inlinks import Inlinks
from lycosa.core.keys import key64
from lycosa.web.parsed_pages import ParsedPages

HOPS = 10
"""Most redirects in a row through which a link is followed."""

Numbers = NDArray[np.int32]


class Reversed(Inlinks):
    """Links between numbered pages, reversed. In-links are in the order of their page numbers."""

    def __init__(self, tails: Numbers, heads: Numbers, number: Callable[[str], int], url: Callable[[int], str]) -> None:
        """`tails[n]` links to `heads[n]`; `number` returns -1 for an unknown URL."""
        inside = (heads >= 0) & (heads != tails)
        # Pairs packed into one number each sort ten times as fast; duplicates are dropped.
        pairs = np.unique(heads[inside].astype(np.int64) << 32 | tails[inside])
        self._heads: Numbers = (pairs >> 32).astype(np.int32)
        self._tails: Numbers = (pairs & 0xFFFFFFFF).astype(np.int32)
        self._number, self._url = number, url

    def of(self, url: str, limit: int) -> Sequence[str]:
        """The pages that link to a URL, or to what it redirects to."""
        number = self._number(url)
        if number < 0:
            return []
        start, end = np.searchsorted(self._heads, (number, number + 1)).tolist()
        return [self._url(tail) for tail in self._tails[start : min(end, start + max(0, limit))].tolist()]


def reversed_links(pages: ParsedPages) -> Reversed:
    """The in-links among parsed pages, with redirects followed."""
    final = _final(pages)
    keys: list[int] = []
    counts = []
    for row in range(pages.pages):
        urls = pages.head(row).urls
        keys += map(key64, urls)
        counts.append(len(urls))
    rows = pages.rows_of(np.array(keys, np.uint64)) if keys else np.empty(0, np.int32)
    heads = np.where(rows >= 0, final[rows], -1).astype(np.int32) if len(final) else rows
    tails = np.repeat(np.arange(pages.pages, dtype=np.int32), counts)

    def number(url: str) -> int:
        row = pages.row(url)
        return int(final[row]) if row >= 0 else -1

    return Reversed(tails, heads, number, pages.url)


def _final(pages: ParsedPages) -> Numbers:
    """For each row, the row of the page to which its redirects finally lead, or -1."""
    final = np.full(len(pages), -1, np.int32)
    final[: pages.pages] = np.arange(pages.pages)
    moved = {}
    for row in range(pages.pages, len(pages)):
        if answer := pages.other(row).moved:
            moved[row] = pages.row(answer.to)
    for row in moved:
        end = row
        for _ in range(HOPS):
            end = moved.get(end, end)
        final[row] = end if 0 <= end < pages.pages else -1
    return final
