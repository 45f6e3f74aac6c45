"""Word vectors trained on the pages of a collection: words that occur on the same pages are close together.

Latent semantic analysis (Deerwester et al. 1990): the matrix of words and pages, weighted by TF-IDF and with pages of
length 1, is reduced to its largest singular values. The vector of a word is its row of U·S with length 1, multiplied by
the word's IDF, so that common words count little in the sum of a text. Memory is bounded: by pages, by words per page
and by words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import nlargest, nsmallest
from importlib.util import find_spec
from math import log
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lycosa.app.communities import current_collection
from lycosa.core.keys import key64
from lycosa.core.word_vectors import WordVectors
from lycosa.core.words import terms
from lycosa.engine.archived import archived
from lycosa.judge.vector_folder import check_place, write_vectors
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Damaged, Refused, check_range
from lycosa.system.progress import StageProgress, no_progress

PAGES = 20_000
"""Pages that are read at most; of more, those with the smallest keys, which are as good as a random sample."""
PER_PAGE = 300
"""Words of a page that count: the most frequent ones."""
WORDS = 30_000
"""Words that get a vector at most: those on the most pages."""
TIE_BREAK = 0.001
"""By how much, at most, the weight of a word is changed so that no two singular values are equal."""
DECIMALS = 6
LEAST_PAGES = 10
"""Fewer pages say nothing about which words belong together."""
LEAST_USE = 2
"""A word on fewer pages gets no vector."""
LARGEST_SIZE = 1000


class TrainedWords(Struct, frozen=True):
    """What a training has made."""

    folder: str
    pages: int
    """How many pages were read."""
    damaged: int
    """How many more could not be read, because their records are damaged."""
    words: int
    """How many words have a vector."""
    size: int
    """Numbers per vector; fewer than asked for if there are few pages or words."""


def train(
    folder: str | Path, *, out: str | Path | None = None, size: int = 100, progress: StageProgress = no_progress
) -> TrainedWords:
    """Train word vectors on the pages of a collection, and write them to a folder (COLLECTION-vectors by default)."""
    check_range("size", size, 2, LARGEST_SIZE)
    if find_spec("scipy") is None:
        fix = "install the extra lycosa[lab], for example with pip"
        raise Refused("the training of word vectors needs the package scipy", fix, code=Code.NEEDS_PACKAGE)
    home = Path(folder).resolve()
    place = Path(out) if out else home.with_name(f"{home.name}-vectors")
    check_place(place)
    with current_collection(folder) as current, Collection.open(current) as collection:
        reading = _Reading(collection, progress)
        bags = list(reading)
    if len(bags) < LEAST_PAGES:
        problem = f"{folder} has {len(bags)} pages with text, and at least {LEAST_PAGES} are needed"
        raise Refused(problem, "name a larger collection", code=Code.EMPTY, field="folder")
    progress("computing the vectors", 0, 0)
    found = vectors_of(bags, size)
    if found is None:
        problem = f"the pages of {folder} have no words in common"
        raise Refused(problem, "name another collection", code=Code.EMPTY, field="folder")
    about = write_vectors(place, found, source=home.name, pages=len(bags))
    return TrainedWords(str(place), about.pages, reading.damaged, about.words, about.size)


class _Reading:
    """The most frequent terms of each page with text."""

    def __init__(self, collection: Collection, progress: StageProgress) -> None:
        self.collection = collection
        self.progress = progress
        self.damaged = 0

    def __iter__(self) -> Iterator[dict[str, int]]:
        repository = self.collection.repository
        stored = ((row.url, row.where) for row in self.collection.log.pages(order="time") if row.where)
        chosen = nsmallest(PAGES, stored, key=lambda page: (key64(page[0]), page[0]))
        for done, (url, where) in enumerate(chosen, 1):
            try:
                bag = terms(archived(repository, url, where).text)
            except Damaged:
                self.damaged += 1
                continue
            if bag:
                yield dict(nlargest(PER_PAGE, bag.items(), key=lambda one: (one[1], one[0])))
            self.progress("reading pages", done, len(chosen))


def vectors_of(bags: list[dict[str, int]], size: int) -> WordVectors | None:
    """The vectors of the words of some pages, given as counts; None if the pages have too few words in common."""
    holding = Counter(word for bag in bags for word in bag)
    # A word on every page tells nothing about any.
    usable = ((pages, word) for word, pages in holding.items() if LEAST_USE <= pages < len(bags))
    words = sorted(word for _, word in nlargest(WORDS, usable))
    size = min(size, len(words) - 1, len(bags) - 1)
    if size < 2:
        return None
    rarity = np.array([log(len(bags) / holding[word]) for word in words])
    reduced = _reduced(bags, words, rarity, size)
    lengths = np.linalg.norm(reduced, axis=1, keepdims=True)
    # What a word has in the dimensions that were left out may be all that it has.
    directions = np.divide(reduced, lengths, out=np.zeros_like(reduced), where=lengths > 1e-9)
    # Rounded, so that machines that add in another order agree.
    return WordVectors(words, (directions * rarity[:, None]).round(DECIMALS).astype(np.float32))


def _reduced(
    bags: list[dict[str, int]], words: list[str], rarity: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """U·S of the matrix of words and pages."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import svds

    row_of = {word: row for row, word in enumerate(words)}
    # Where subjects mirror each other, singular values are equal and any rotation of their vectors is as good. A small
    # difference between words makes the result the same every time.
    rarity = rarity * np.random.default_rng(0).uniform(1 - TIE_BREAK, 1 + TIE_BREAK, len(words))
    rows: list[NDArray[np.int32]] = []
    weights: list[NDArray[np.float64]] = []
    for bag in bags:
        known = [(row_of[word], count) for word, count in bag.items() if word in row_of]
        at = np.array([row for row, _ in known], np.int32)
        weight = (1 + np.log(np.array([count for _, count in known], np.float64))) * rarity[at]
        rows.append(at)
        weights.append(weight / (np.linalg.norm(weight) or 1.0))
    ends = np.cumsum([0, *map(len, rows)])
    matrix = csc_array((np.concatenate(weights), np.concatenate(rows), ends), shape=(len(words), len(bags)))
    # The same start gives the same result every time.
    start = np.random.default_rng(0).uniform(0.5, 1.5, min(matrix.shape))
    u, s, _ = svds(matrix, k=size, v0=start, rng=np.random.default_rng(0))
    order = np.argsort(-s, kind="stable")
    reduced: NDArray[np.float64] = u[:, order] * s[order]
    # The sign of a dimension is arbitrary; its largest number is made positive.
    largest = reduced[np.argmax(np.abs(reduced), axis=0), np.arange(size)]
    return reduced * np.where(largest < 0, -1.0, 1.0)
