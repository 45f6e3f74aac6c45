"""What the pages of each site repeat: navigation, footers, licence lines.

A site is what is in one folder at the top of a host, or at its top itself (places.py). Sequences of words that SHARE of
its pages have belong to its template. COMPARED pages of a site are compared, those whose URLs have the smallest keys:
so the templates depend only on which pages an index has, and not on the order in which they came. All of it is computed
from time to time, like PageRanks; only the LARGEST sites have templates, which bounds what that takes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from pathlib import Path

import numpy as np
from msgspec import Struct

from lycosa.core.keys import key64
from lycosa.core.nouns import Span
from lycosa.core.words import separated_bytes
from lycosa.index.numbers import Arrays, Numbers
from lycosa.index.places import FEWEST, top_folder
from lycosa.index.repeated_words import drawn
from lycosa.index.stored_arrays import StoredArrays

FILE = "templates"
SHARE = 0.3
COMPARED = 16
LARGEST = 1000


class Template(Struct, frozen=True):
    """The sequences of words that the pages of a site repeat."""

    sequences: Numbers
    """Their hashes, sorted."""

    def spans(self, raw: bytes, start: int = 0, end: int | None = None) -> list[Span]:
        """Which bytes of a text in UTF-8, or of the part between two of them, belong to the template."""
        found = drawn(separated_bytes(raw[start:end]))
        at = self.sequences.searchsorted(found.hashes)
        spans = found.spans(self.sequences.take(at, mode="clip") == found.hashes)
        return [(start + first, start + last) for first, last in spans]


class SiteTemplates(StoredArrays):
    """The templates of all sites, as of the last `compute`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE)

    def compute(self, urls: Iterable[str], text: Callable[[str], bytes]) -> None:
        """Compute and store the templates of these pages' sites; `text` gives the text of a page, in UTF-8."""
        sites: defaultdict[str, list[str]] = defaultdict(list)
        for url in urls:
            sites[top_folder(url)].append(url)
        large = nlargest(LARGEST, sites, key=lambda site: (len(sites[site]), site))
        found = {
            key64(site): _repeated([text(url) for url in sorted(sites[site], key=key64)[:COMPARED]])
            for site in large
            if len(sites[site]) >= FEWEST
        }
        keys = sorted(key for key, sequences in found.items() if len(sequences))
        ends = np.cumsum([len(found[key]) for key in keys], dtype=np.int64)
        sequences = np.concatenate([np.empty(0, np.uint32), *(found[key] for key in keys)])
        self._store({"sites": np.array(keys, np.uint64), "ends": ends, "sequences": sequences})

    def of(self, url: str) -> Template | None:
        """The template of a page's site, if it is known."""
        key = np.uint64(key64(top_folder(url)))
        row = int(self._sites.searchsorted(key))
        if row == len(self._sites) or self._sites[row] != key:
            return None
        return Template(self._sequences[int(self._ends[row - 1]) if row else 0 : int(self._ends[row])])

    def _take(self, arrays: Arrays) -> None:
        self._sites, self._ends, self._sequences = arrays["sites"], arrays["ends"], arrays["sequences"]

    def _forget(self) -> None:
        self._sites, self._ends = np.empty(0, np.uint64), np.empty(0, np.int64)
        self._sequences = np.empty(0, np.uint32)


def _repeated(texts: Sequence[bytes]) -> Numbers:
    """The sequences that SHARE of these texts have after their titles, sorted."""
    bodies = [separated_bytes(text[text.find(b"\n") + 1 :]) for text in texts]
    each, times = np.unique(np.concatenate([np.unique(drawn(body).hashes) for body in bodies]), return_counts=True)
    repeated: Numbers = each[times >= SHARE * len(texts)]
    return repeated
