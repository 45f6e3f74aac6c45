"""The pages of a world as arrays: words, links, hosts and sizes by page number, in files that processes share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.core.judge import Bags
from lycosa.core.nouns import Page
from lycosa.core.urls import host_of
from lycosa.core.words import norm, terms
from lycosa.lab.comparison import Floats, Ids
from lycosa.web.source import BedTopic

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class SparseRows(NamedTuple):
    """A sparse matrix as its arrays: row n holds `data` in the columns `indices`, from `indptr[n]` to `indptr[n + 1]`.

    A process that only crawls needs no more, and importing scipy would take a third of its start-up time.
    """

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: NDArray[Any]
    columns: int

    def matrix(self) -> csr_array:
        """The same as a scipy matrix."""
        from scipy.sparse import csr_array

        return csr_array(self[:3], shape=(len(self.indptr) - 1, self.columns), copy=False)


class Corpus:
    """Every page of a world: `counts` has a row of stem counts for each page, `edges` a 1 for each link."""

    def __init__(
        self,
        urls: Sequence[str],
        stems: Mapping[str, int],
        counts: SparseRows,
        norms: Floats,
        edges: SparseRows,
        hosts: Ids,
        sizes: NDArray[np.int64],
        number: Callable[[str], int] | None = None,
    ) -> None:
        self.urls = urls
        self.stems = stems
        """The column of each stem in `counts`."""
        self.counts = counts
        self.norms = norms
        """The Euclidean length of each row of `counts`."""
        self.edges = edges
        self.hosts = hosts
        """A number for each host, by page."""
        self.sizes = sizes
        """Body bytes, by page."""
        self.number = number or _numbers(urls)
        """The number of the page at a URL, redirects followed, or -1."""

    def __len__(self) -> int:
        return len(self.urls)

    @cached_property
    def terms(self) -> csr_array:
        """`counts` as a scipy matrix."""
        return self.counts.matrix()

    @cached_property
    def links(self) -> csr_array:
        """`edges` as a scipy matrix."""
        return self.edges.matrix()

    @cached_property
    def in_links(self) -> tuple[NDArray[np.int64], Ids]:
        """The pages that link to each page, as `indptr` and `indices` of a sparse matrix."""
        back = self.links.T.tocsr()
        return back.indptr.astype(np.int64), back.indices

    @cached_property
    def names(self) -> list[str]:
        """The stem of each column."""
        return sorted(self.stems, key=self.stems.__getitem__)

    @cached_property
    def ends(self) -> list[int]:
        """Where the row of each page begins in `counts`, and where the last one ends."""
        ends: list[int] = self.counts.indptr.tolist()
        return ends

    def bag(self, page: int) -> Mapping[str, int]:
        """How often each term occurs in a page."""
        return _Row(self, self.ends[page], self.ends[page + 1])

    def numbers(self, urls: Iterable[str]) -> Ids:
        """The numbers of those URLs that are pages here, each once, in this order."""
        found = dict.fromkeys(number for url in urls if (number := self.number(url)) >= 0)
        return np.fromiter(found, np.int32, len(found))

    def count(self, text: str) -> dict[int, int]:
        """How often each known stem occurs in a text, by its column."""
        return {self.stems[stem]: times for stem, times in terms(text).items() if stem in self.stems}

    def row(self, text: str) -> csr_array:
        """A text as one row of `terms`."""
        found = self.count(text)
        data, columns = np.array(list(found.values()), np.int32), np.array(list(found), np.int32)
        return SparseRows(data, columns, np.array([0, len(columns)]), self.counts.columns).matrix()


def labelled(topic: BedTopic) -> tuple[str, ...]:
    """The pages that are known to be about a topic: examples, targets, and those the description was made from."""
    return tuple(dict.fromkeys((*topic.examples, *topic.targets, *topic.described)))


def rows_of(ends: NDArray[Any], values: Ids, rows: NDArray[Any]) -> Ids:
    """The values of some rows of a sparse matrix, one row after another."""
    lengths = (ends[rows + 1] - ends[rows]).astype(np.int64)
    before = np.cumsum(lengths) - lengths
    found: Ids = values[np.repeat(ends[rows] - before, lengths) + np.arange(lengths.sum())]
    return found


def _numbers(urls: Sequence[str]) -> Callable[[str], int]:
    known = {url: number for number, url in enumerate(urls)}
    return lambda url: known.get(url, -1)


class CorpusBags(Bags):
    """The terms of a corpus' pages, for judges: looked up in the corpus instead of counted again."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__()
        self._corpus = corpus
        # Computed here once, not in every copy of the process.
        self._made = corpus.names, corpus.ends

    def of(self, page: Page) -> tuple[Mapping[str, float], float]:
        """The terms of a page and their norm."""
        number = self._corpus.number(page.url)
        if number < 0:
            return super().of(page)
        return self._corpus.bag(number), float(self._corpus.norms[number])


class _Row(Mapping[str, int]):
    """One page's counts: single ones are looked up in the arrays, all of them are read at once."""

    __slots__ = ("_corpus", "_end", "_start")

    def __init__(self, corpus: Corpus, start: int, end: int) -> None:
        self._corpus, self._start, self._end = corpus, start, end

    def __getitem__(self, stem: str) -> int:
        if found := self._count(stem):
            return found
        raise KeyError(stem)

    def __contains__(self, stem: object) -> bool:
        return self._count(stem) > 0

    def __iter__(self) -> Iterator[str]:
        return map(self._corpus.names.__getitem__, self._corpus.counts.indices[self._start : self._end].tolist())

    def items(self) -> ItemsView[str, int]:
        """All terms with their counts."""
        return dict(zip(self, self._counts(), strict=True)).items()

    def values(self) -> ValuesView[int]:
        """All counts."""
        return dict(enumerate(self._counts())).values()

    def _counts(self) -> list[int]:
        counts: list[int] = self._corpus.counts.data[self._start : self._end].tolist()
        return counts

    def __len__(self) -> int:
        return self._end - self._start

    def _count(self, stem: object) -> int:
        column = self._corpus.stems.get(stem)  # type: ignore[call-overload]
        if column is None:
            return 0
        counts = self._corpus.counts
        place = bisect_left(counts.indices, column, self._start, self._end)
        return int(counts.data[place]) if place < self._end and counts.indices[place] == column else 0


def of_pages(pages: Iterable[Page]) -> Corpus:
    """A small corpus in memory."""
    from scipy.sparse import csr_array

    pages = list(pages)
    height = len(pages)

    def sparse(values: NDArray[Any], rows: Sequence[int], columns: Sequence[int], width: int) -> SparseRows:
        made = csr_array((values, (rows, columns)), shape=(height, width))
        return SparseRows(made.data, made.indices, made.indptr, width)

    numbers = {page.url: number for number, page in enumerate(pages)}
    stems: dict[str, int] = {}
    hosts: dict[str, int] = {}
    bags = [terms(page.text) for page in pages]
    words = [(row, stems.setdefault(stem, len(stems)), n) for row, bag in enumerate(bags) for stem, n in bag.items()]
    edges = [
        (row, numbers[url])
        for row, page in enumerate(pages)
        for url in {link.url for link in page.links} & numbers.keys()
    ]
    rows, columns, counts = zip(*words, strict=True) if words else ((), (), ())
    tails, heads = zip(*edges, strict=True) if edges else ((), ())
    return Corpus(
        [page.url for page in pages],
        stems,
        sparse(np.array(counts, np.int32), rows, columns, len(stems)),
        np.array([norm(bag) for bag in bags]),
        sparse(np.ones(len(edges), np.int8), tails, heads, height),
        np.array([hosts.setdefault(host_of(page.url), len(hosts)) for page in pages], np.int32),
        np.array([page.size for page in pages], np.int64),
    )
