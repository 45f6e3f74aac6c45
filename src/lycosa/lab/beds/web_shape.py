"""The shape of a web: how similar linked pages are, how far goals are, which pages link to them.

What would take long on a million pages is estimated from a sample with its own random seed, so it is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.sparse import csr_array

from lycosa.lab.comparison import Floats, Ids
from lycosa.lab.corpus import Corpus, rows_of

PAIRS = 5_000
"""Pairs of pages whose similarity is measured; the mean is then accurate to about .002."""
AT_ONCE = 64
"""Searches that share one pass over the links: one bit each."""


class Spread(Struct):
    """The distribution of a number over pages."""

    mean: float
    median: float
    most: int


class Locality(Struct):
    """Topical locality (Davison 2000; Menczer 2004): the mean cosine of TF-IDF vectors of pairs of pages."""

    linked: float
    """Of pairs in which one page links to the other."""
    linked_abroad: float
    """Of those pairs whose pages are on different hosts."""
    random: float
    """Of any two pages."""


class WebShape:
    """Measures the links of a corpus."""

    def __init__(self, corpus: Corpus, seed: int = 1, closed: NDArray[np.bool_] | None = None) -> None:
        self.corpus = corpus
        self.closed = np.zeros(len(corpus), bool) if closed is None else closed
        """By page: whether no crawler may fetch it. Only distances use it: no path leads there or past it."""
        self._rng = np.random.default_rng(seed)

    @cached_property
    def out_links(self) -> NDArray[np.int64]:
        """How many pages each page links to."""
        ends: NDArray[np.int64] = self.corpus.links.indptr.astype(np.int64)
        return np.diff(ends)

    @cached_property
    def in_links(self) -> NDArray[np.int64]:
        """How many pages link to each page."""
        return np.diff(self.corpus.in_links[0])

    def repeats(self) -> int:
        """How many pages have the same words, in any order, as another one."""
        terms = self.corpus.terms
        # A random number for each word makes a 64-bit sum that only equal bags share; it may overflow.
        marks = self._rng.integers(-(1 << 62), 1 << 62, terms.shape[1])
        sums = (terms @ marks)[np.diff(terms.indptr) > 0]
        return len(sums) - len(np.unique(sums))

    def locality(self, pairs: int = PAIRS) -> Locality:
        """How similar linked pages are, compared with any two pages."""
        corpus, rng = self.corpus, self._rng
        links, size = corpus.links, len(corpus)
        if size < 2:
            return Locality(0.0, 0.0, 0.0)
        first = rng.integers(0, size, pairs)
        other = (first + rng.integers(1, size, pairs)) % size
        edges = np.arange(links.nnz) if links.nnz <= pairs else rng.integers(0, links.nnz, pairs)
        tails = np.searchsorted(links.indptr, edges, "right") - 1
        heads = links.indices[edges]
        weights = self._weights(first)
        linked = self._cosines(tails, heads, weights)
        abroad = linked[corpus.hosts[tails] != corpus.hosts[heads]]
        return Locality(_mean(linked), _mean(abroad), _mean(self._cosines(first, other, weights)))

    def _weights(self, sample: NDArray[np.int64]) -> Floats:
        """The inverse document frequency of each stem, from a sample of pages."""
        seen = np.bincount(self.corpus.terms[sample].indices, minlength=self.corpus.terms.shape[1])
        return np.log((1 + len(sample)) / (1 + seen))

    def _cosines(self, first: NDArray[np.int64], other: Ids, weights: Floats) -> Floats:
        a, b = (_scaled(self.corpus.terms[rows], weights) for rows in (first, other))
        return np.asarray(a.multiply(b).sum(axis=1)).ravel()

    def follows(self, pages: Ids) -> tuple[float, float]:
        """The probability that a link from one of these pages leads to another of them, and that any link does."""
        links = self.corpus.links
        chosen = np.zeros(len(self.corpus), bool)
        chosen[pages] = True
        from_them = chosen[rows_of(links.indptr, links.indices, pages)]
        to_them = len(rows_of(*self.corpus.in_links, pages))
        return _mean(from_them), to_them / links.nnz if links.nnz else 0.0

    def hubs(self, pages: Ids, most: int = 5) -> list[tuple[int, int]]:
        """The pages that link to the most of these pages, and to how many."""
        found, counts = np.unique(rows_of(*self.corpus.in_links, pages), return_counts=True)
        best = np.lexsort((found, -counts))[:most]
        return list(zip(found[best].tolist(), counts[best].tolist(), strict=True))

    def distances(self, starts: Sequence[Ids], goals: Sequence[Ids]) -> list[Ids]:
        """How many links each goal is from the nearest of its starts, -1 if there is no path; many searches at once."""
        found = [np.full(len(goal), -1, np.int32) for goal in goals]
        for begin in range(0, len(goals), AT_ONCE):
            bits = {search: np.uint64(1 << search - begin) for search in range(begin, min(begin + AT_ONCE, len(goals)))}
            fresh = np.zeros(len(self.corpus), np.uint64)
            for search, bit in bits.items():
                fresh[starts[search]] |= bit
            fresh[self.closed] = 0
            reached, hops = fresh.copy(), 0
            while fresh.any():
                for search, bit in bits.items():
                    found[search][(fresh[goals[search]] & bit) > 0] = hops
                fresh = self._onward(fresh) & ~reached
                reached |= fresh
                hops += 1
        return found

    def _onward(self, marks: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The marks of pages, passed on along their links."""
        links, pages = self.corpus.links, np.flatnonzero(marks)
        onward = np.zeros_like(marks)
        handed = np.repeat(marks[pages], self.out_links[pages])
        np.bitwise_or.at(onward, rows_of(links.indptr, links.indices, pages), handed)
        onward[self.closed] = 0
        return onward


def spread(values: NDArray[np.int64]) -> Spread:
    """Mean, median and maximum."""
    return Spread(_mean(values), float(np.median(values)), int(values.max())) if len(values) else Spread(0.0, 0.0, 0)


def _mean(values: NDArray[np.generic]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _scaled(terms: csr_array, weights: Floats) -> csr_array:
    """Counts as TF-IDF vectors of length 1."""
    weighed = terms.astype(np.float64)
    weighed.data *= weights[weighed.indices]
    lengths = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
    weighed.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(weighed.indptr))
    return weighed
