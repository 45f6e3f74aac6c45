"""All that is known about a topic when its crawls are over: what the metrics measure against."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.corpus import Corpus, labelled
from lycosa.lab.metrics.pagerank import pagerank, within
from lycosa.lab.metrics.vectors import Vectors, augmented, like, logarithmic
from lycosa.web.source import BedTopic

Importance = Callable[["Evidence"], Floats]
"""A number for each page of a topic's pool."""


class Haul:
    """The pages that all crawls of all topics fetched together, with PageRank over them."""

    def __init__(self, corpus: Corpus, tracks: Iterable[Track]) -> None:
        self.pages = pool(tracks)
        self.pagerank = pagerank(within(corpus.links, self.pages))


class Evidence:
    """A topic after its crawls; numbers by page are in the order of `pool`. Everything is made when first asked for."""

    def __init__(
        self,
        corpus: Corpus,
        topic: BedTopic,
        tracks: Iterable[Track],
        budget: int,
        haul: Haul | None = None,
        oracle: Track | None = None,
    ) -> None:
        tracks = list(tracks)
        self.corpus = corpus
        self.topic = topic
        self.pool = pool(tracks)
        """The pages that any of the tracks holds, by number, rising."""
        self.budget = budget
        """The pages a crawl might fetch."""
        self.haul = haul or Haul(corpus, tracks)
        self.oracle = oracle
        """The oracle's crawl from the same start pages as the one that is measured."""
        self.seconds = _common_time(tracks)
        """Until when all crawls were still running, in virtual seconds; 0 if they had no clock."""
        self._known: dict[Importance, Floats] = {}

    def of(self, importance: Importance) -> Floats:
        """The importance of each page of the pool, found out once."""
        if importance not in self._known:
            self._known[importance] = importance(self)
        return self._known[importance]

    def along(self, track: Track, importance: Importance) -> Floats:
        """The importance of each page of a track, in its order."""
        return self.of(importance)[np.searchsorted(self.pool, track.pages)]

    @cached_property
    def targets(self) -> Ids:
        """The targets that the world holds."""
        return self.corpus.numbers(self.topic.targets)

    @cached_property
    def target_count(self) -> int:
        """The number of targets, those that the world does not hold included; URLs of the same page are one."""
        return len(self.targets) + sum(self.corpus.number(url) < 0 for url in set(self.topic.targets))

    @cached_property
    def relevant(self) -> Ids:
        """The pages labelled as relevant: targets, examples and those the description was made from."""
        return self.corpus.numbers(labelled(self.topic))

    @cached_property
    def examples(self) -> Ids:
        """The start pages known to be relevant; for a topic without examples its other start pages."""
        return self.corpus.numbers(self.topic.examples or self.topic.neighbors)

    @cached_property
    def terms(self) -> csr_array:
        """How often each stem occurs, a row a page."""
        return self.corpus.terms[self.pool]

    @cached_property
    def keywords_held(self) -> Floats:
        """The number of distinct keywords on each page."""
        wanted = np.zeros(self.terms.shape[1])
        wanted[list(self.corpus.count(self.topic.keywords))] = 1
        return np.asarray(like(self.terms, np.ones(self.terms.nnz)) @ wanted)

    @cached_property
    def augmented(self) -> Vectors:
        """The pages with the weights of the business intelligence paper's equation 2."""
        return Vectors(augmented(self.terms))

    @cached_property
    def smart(self) -> Vectors:
        """The pages with the weights that SMART calls ltc: logarithmic tf, idf, cosine normalisation."""
        return Vectors(logarithmic(self.terms))

    @cached_property
    def pagerank(self) -> Floats:
        """The PageRank of each page over the haul."""
        return self.haul.pagerank[np.searchsorted(self.haul.pages, self.pool)]


def _common_time(tracks: Iterable[Track]) -> float:
    """When the quickest of the crawls had spent its budget; if none has, when the last one ended."""
    timed = [(track.ended, track.seconds) for track in tracks if track.seconds is not None and len(track.seconds)]
    ends = [(ended, float(seconds[-1])) for ended, seconds in timed]
    spent = [end for ended, end in ends if ended.startswith("budget")]
    return min(spent) if spent else max((end for _, end in ends), default=0.0)


def pool(tracks: Iterable[Track]) -> Ids:
    """The pages that any of the tracks holds, by number, rising."""
    return np.unique(np.concatenate([np.zeros(0, np.int32), *(track.pages for track in tracks)]))
