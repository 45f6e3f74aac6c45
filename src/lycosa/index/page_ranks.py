"""The popularity of each page: PageRank over all links of an index, computed from time to time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lycosa.core.keys import key64
from lycosa.index.link_analysis import apart, pagerank
from lycosa.index.numbers import Arrays, Floats, Keys
from lycosa.index.references import References
from lycosa.index.stored_arrays import StoredArrays

FILE = "popularity"
ENOUGH = 1e-6
"""The sum of changes at which the iteration ends: the order of PageRanks is stable long before."""


class PageRanks(StoredArrays):
    """The PageRanks of all URLs, as multiples of the mean, as of the last `compute`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE)

    def compute(self, references: References) -> None:
        """Compute all PageRanks and store them."""
        urls, tails, heads = references.links()
        keys = keys_of(urls)
        order = np.argsort(keys)
        ranks = len(urls) * pagerank(tails, heads, len(urls), apart(urls, tails, heads), tolerance=ENOUGH)
        self._store({"keys": keys[order], "ranks": ranks[order]})

    def of(self, keys: Keys) -> Floats:
        """The PageRank of each URL, given its key; 0 for one without links in either direction."""
        if not len(self._keys):
            return np.zeros(len(keys))
        at = np.searchsorted(self._keys, keys).clip(max=len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._ranks[at], 0.0)

    def best(self, limit: int) -> tuple[Keys, Floats]:
        """The keys of the URLs with the highest PageRanks, and these, best first."""
        order = np.argsort(-self._ranks, kind="stable")[:limit]
        return self._keys[order], self._ranks[order]

    def _take(self, arrays: Arrays) -> None:
        self._keys, self._ranks = arrays["keys"], arrays["ranks"]

    def _forget(self) -> None:
        self._keys, self._ranks = np.empty(0, np.uint64), np.empty(0)


def keys_of(urls: Sequence[str]) -> Keys:
    """The keys of URLs."""
    return np.array([key64(url) for url in urls], np.uint64)
