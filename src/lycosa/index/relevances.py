"""The relevance of pages as it is now, beside an index that knows the one they had when they were indexed.

A crawl judges its pages again and again, and a page of the index cannot be changed without writing it anew. So the
current relevance of all pages is in a file of its own, in the order of their keys. It is replaced as a whole whenever
the log says anew how relevant pages are, which is about as often as the crawl grows by a tenth.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from lycosa.core.keys import key64
from lycosa.index.numbers import Arrays, Floats, Keys
from lycosa.index.stored_arrays import StoredArrays

FILE = "relevance"
UNKNOWN = -1.0
"""Stands for a relevance that is not known."""


class Relevances(StoredArrays):
    """The current relevance of pages, as of the last `write`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE)

    def __len__(self) -> int:
        return len(self._keys)

    def write(self, pages: Iterable[tuple[str, float | None]], seq: int, mark: int) -> None:
        """Replace everything by the relevance of these pages, as of an event of the log with this mark."""
        known = {key64(url): UNKNOWN if relevance is None else relevance for url, relevance in pages}
        keys, values = np.array([*known], np.uint64), np.array([*known.values()], np.float64)
        order = np.argsort(keys)
        progress = np.array([seq, mark], np.uint64)
        self._store({"keys": keys[order], "values": values[order], "progress": progress})

    def of(self, keys: Keys, before: Floats) -> Floats:
        """The relevance of pages by their keys, or what is given for those that are not here; UNKNOWN is possible."""
        if not len(self._keys):
            return before
        at = np.searchsorted(self._keys, keys).clip(max=len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._values[at], before)

    def _take(self, arrays: Arrays) -> None:
        self._keys, self._values = arrays["keys"], arrays["values"]
        seq, mark = arrays["progress"].tolist()
        self.progress = seq, mark

    def _forget(self) -> None:
        self._keys, self._values = np.empty(0, np.uint64), np.empty(0)
        self.progress = 0, 0
        """The event of the log up to which it is current, and the mark of that event."""
