"""The pages of a world as arrays: words, links, hosts and sizes by page number, in files that processes share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from lycosa.core.nouns import Page
from lycosa.core.urls import host_of
from lycosa.core.words import terms
from lycosa.lab.nouns import Ids


class Corpus:
    """Every page of a world. `terms` counts stems (a row a page, a column a stem), `links` has a 1 for each link."""

    def __init__(
        self,
        urls: Sequence[str],
        stems: Mapping[str, int],
        terms: csr_array,
        links: csr_array,
        hosts: Ids,
        sizes: NDArray[np.int64],
    ) -> None:
        self.urls = urls
        self.stems = stems
        """The column of each stem in `terms`."""
        self.terms = terms
        self.links = links
        self.hosts = hosts
        """A number for each host, by page."""
        self.sizes = sizes
        """Body bytes, by page."""
        self._numbers = {url: number for number, url in enumerate(urls)}

    def __len__(self) -> int:
        return len(self.urls)

    def number(self, url: str) -> int:
        """The number of a page, or -1."""
        return self._numbers.get(url, -1)

    def numbers(self, urls: Iterable[str]) -> Ids:
        """The numbers of those pages that are there."""
        found = [number for url in urls if (number := self.number(url)) >= 0]
        return np.array(found, np.int32)

    def count(self, text: str) -> dict[int, int]:
        """How often each known stem occurs in a text, by its column."""
        return {self.stems[stem]: times for stem, times in terms(text).items() if stem in self.stems}


def of_pages(pages: Iterable[Page]) -> Corpus:
    """A small corpus in memory."""
    pages = list(pages)
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
    size = len(pages)
    return Corpus(
        [page.url for page in pages],
        stems,
        csr_array((np.array(counts, np.int32), (rows, columns)), shape=(size, len(stems))),
        csr_array((np.ones(len(edges), np.int8), (tails, heads)), shape=(size, size)),
        np.array([hosts.setdefault(host_of(page.url), len(hosts)) for page in pages], np.int32),
        np.array([page.size for page in pages], np.int64),
    )
