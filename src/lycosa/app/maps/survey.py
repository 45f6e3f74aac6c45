"""Read a collection for maps: its pages with their relevance, and the links between all URLs it knows."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lycosa.app.communities import current_collection
from lycosa.app.maps.map_data import Flags, Floats, Ids
from lycosa.core.urls import host_of
from lycosa.engine.crawl_recovery import plan_of
from lycosa.store.collection import Collection
from lycosa.store.known_pages import KnownPages

_MOVES = 10
"""Redirects in a row that are followed, at most."""
_WORDS = 5000
"""Pages ranked by other keywords than the hunt's, at most."""


@dataclass(frozen=True)
class Survey:
    """A collection as arrays: every URL it knows has a number, which is its index in the arrays."""

    keywords: str
    seq: int
    """The last event of the log that was read: surveys with the same number are the same."""
    urls: list[str]
    titles: list[str]
    fetched: Flags
    relevance: Floats
    """How likely pages are on topic; 0 if they were not fetched or nothing is known of them."""
    known: Flags
    """Whether the relevance of a page is known."""
    tails: Ids
    heads: Ids
    """Links from pages, each once and none to the page itself; redirects are resolved."""
    ends: Ids
    """The number that a URL leads to: its own, or the target of its redirects."""
    asked: bool = False
    """Whether the relevance is how well pages answer other keywords, relative to the best page."""

    @property
    def shade(self) -> Floats:
        """How strongly pages are drawn, 0 to 1: a probability as it is, so that maps can be compared.

        Answers to other keywords are relative to the 0.98 quantile of those that answer at all, so that no single page
        sets the scale.
        """
        if not self.asked:
            return self.relevance
        found = self.relevance[self.fetched]
        found = found[found > 0]
        return np.clip(self.relevance / np.quantile(found, 0.98), 0, 1) if len(found) else np.zeros(len(self.urls))

    def columns(self, numbers: Ids) -> dict[str, Any]:
        """The columns of a map that shows these pages, in this order."""
        some = numbers.tolist()
        return {
            "keywords": self.keywords,
            "asked": self.asked,
            "urls": [self.urls[number] for number in some],
            "titles": [self.titles[number] for number in some],
            "fetched": self.fetched[numbers],
            "relevance": self.relevance[numbers],
            "known": self.known[numbers],
            "shade": self.shade[numbers],
        }

    def among(self, numbers: Ids) -> tuple[Ids, Ids]:
        """The links between some pages, by their places in `numbers`."""
        place = np.full(len(self.urls), -1)
        place[numbers] = np.arange(len(numbers))
        tails, heads = place[self.tails], place[self.heads]
        both = (tails >= 0) & (heads >= 0)
        return tails[both], heads[both]


@dataclass(frozen=True)
class SurveyedSite:
    """A host of a collection: how many of its pages were fetched, and their mean and best relevance."""

    host: str
    pages: int
    relevance: float | None
    """None while nothing is known of its pages."""
    best: float | None


def survey(folder: str | Path, keywords: str = "") -> Survey:
    """Read a collection, or the current generation of a community, whether a crawl runs in it or not.

    With other keywords, relevance is how well a page answers them, relative to the best page.
    """
    with current_collection(folder) as place, Collection.open(place) as collection:
        collection.graph.catch_up()
        urls, starts, links = collection.graph.arrays()
        numbers = {url: number for number, url in enumerate(urls)}
        fetched, known = np.zeros(len(urls), bool), np.zeros(len(urls), bool)
        relevance, titles = np.zeros(len(urls)), [""] * len(urls)
        certain = KnownPages(collection.log, collection.inbox.in_force())
        for row in collection.log.pages(order="time"):
            number = numbers.get(row.url)
            # A page fetched while we read is left to the next survey.
            if number is not None:
                shown = certain.of(row).relevance
                fetched[number], titles[number] = True, row.title
                relevance[number], known[number] = shown or 0.0, shown is not None
        topic, seq = plan_of(collection).topic.keywords, collection.log.last_seq()
    tails = np.repeat(np.arange(len(urls)), np.diff(starts))
    found = Survey(topic, seq, urls, titles, fetched, relevance, known, *_seen_through(tails, links, fetched))
    return _about(found, folder, keywords) if keywords.strip() else found


def sites(found: Survey) -> list[SurveyedSite]:
    """The hosts of a collection, those with most pages first."""
    by_host: dict[str, list[int]] = defaultdict(list)
    for number in np.flatnonzero(found.fetched).tolist():
        by_host[host_of(found.urls[number])].append(number)
    some = []
    for host, numbers in by_host.items():
        sure = [float(found.relevance[number]) for number in numbers if found.known[number]]
        mean, best = (sum(sure) / len(sure), max(sure)) if sure else (None, None)
        some.append(SurveyedSite(host, len(numbers), mean, best))
    return sorted(some, key=lambda site: (-site.pages, site.host))


def _seen_through(tails: Ids, heads: Ids, fetched: Flags) -> tuple[Ids, Ids, Ids]:
    """Links from page to page with redirects resolved, and the number that each URL leads to."""
    moved = ~fetched[tails]
    leads_to = np.arange(len(fetched))
    leads_to[tails[moved]] = heads[moved]
    ends = leads_to
    for _ in range(_MOVES):
        ends = leads_to[ends]
    tails, heads = tails[~moved], ends[heads[~moved]]
    # A repeated link keeps its first place, because links are in the order of the page.
    _, first = np.unique(tails * len(fetched) + heads, return_index=True)
    first = np.sort(first)
    first = first[tails[first] != heads[first]]
    return tails[first], heads[first], ends


def _about(found: Survey, folder: str | Path, keywords: str) -> Survey:
    """The same pages, with the score of a search for `keywords` as relevance."""
    from lycosa.app.search import asking, must_have_words
    from lycosa.index.search_types import Question

    must_have_words(keywords)
    with asking(folder) as index:
        hits = index.search(Question(keywords, by="content", limit=_WORDS, twins=True, verbatim=True)).hits
    scores = {hit.url: hit.score for hit in hits}
    best = max(scores.values(), default=0.0) or 1.0
    relevance = np.array([scores.get(url, 0.0) / best for url in found.urls]) * found.fetched
    return replace(found, keywords=keywords, relevance=relevance, known=found.fetched, asked=True)
