"""The popularity of each page: PageRank over all links of an index, computed from time to time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lycosa.core.keys import key64
from lycosa.index.checked_files import pack, unpack
from lycosa.index.index_errors import DamagedFile, damaged
from lycosa.index.link_analysis import apart, pagerank
from lycosa.index.numbers import Floats, Keys
from lycosa.index.references import References
from lycosa.system.file_stamps import FileIdentity, identity

FILE = "popularity"
ENOUGH = 1e-6
"""The sum of changes at which the iteration ends: the order of PageRanks is stable long before."""


class PageRanks:
    """The PageRanks of all URLs, as multiples of the mean, as of the last `compute`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._stamp: FileIdentity | None = None
        self._forget()
        self.reload()

    def reload(self) -> bool:
        """Read what was computed since; return whether there is anything new."""
        try:
            stamp = identity(self._path)
            if stamp == self._stamp:
                return False
            arrays = unpack(self._path)
            self._keys, self._ranks = arrays["keys"], arrays["ranks"]
        except FileNotFoundError:
            # PageRanks were never computed: every page has 0.
            stamp = None
            self._forget()
        except (OSError, DamagedFile) as error:
            raise damaged(self._path, error) from None
        changed, self._stamp = stamp != self._stamp, stamp
        return changed

    def compute(self, references: References) -> None:
        """Compute all PageRanks and store them."""
        urls, tails, heads = references.links()
        keys = keys_of(urls)
        order = np.argsort(keys)
        ranks = len(urls) * pagerank(tails, heads, len(urls), apart(urls, tails, heads), tolerance=ENOUGH)
        pack(self._path, {"keys": keys[order], "ranks": ranks[order]})
        self.reload()

    def clear(self) -> None:
        """Remove all PageRanks."""
        self._path.unlink(missing_ok=True)
        self.reload()

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

    def _forget(self) -> None:
        self._keys, self._ranks = np.empty(0, np.uint64), np.empty(0)


def keys_of(urls: Sequence[str]) -> Keys:
    """The keys of URLs."""
    return np.array([key64(url) for url in urls], np.uint64)
