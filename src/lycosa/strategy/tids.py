"""TIDS crawler (Kumar & Vig 2013, algorithms 1 to 3): a word is worth what it is worth in pages of the domain.

The TIDS score table has a score for each term t of a set of N relevant pages (Relevant_Page_Set):

    TIDS_Score(t) = sum over its pages d of log(1 + tf_td) * log(N / df_t)                            (equations 1 to 3)

First crawl: the set begins with the topic's examples, which are read before the crawl. A page's score is the similarity
of its text to the table. A link's score is that of its page plus that of its anchor; links below Relevancy_Threshold
are dropped. A page that is at least as similar as the pages of the set joins it, and the table is computed again.
Consecutive crawl, when the pages of an earlier crawl are known: the table is made of the relevant ones among them, as
far as they would have joined the set in a first crawl, and does not change. Start pages are scored by their hub score
in the set (equations 4 and 5, core/hubs.py), and the anchor by which a page was found counts for the page as well.
Nothing is dropped.

Our choices where the paper is silent: similarity is the cosine of table and text, whose terms weigh log(1 + tf) as in
equation 2; it does not depend on the length of the text, so the scores of pages and anchors can be added. «Normalize»
means to unit length, which the cosine implies. «The text similarity score of Relevant Page Set pages» is their mean,
with the current table. A link exactly at the threshold is kept, so that 0 drops none. N + smooth replaces N: in a set
of few pages, exactly those words that all of its pages share would otherwise be worthless; among hundreds of pages it
makes no difference.

In the paper, the set was a directory's: the pages of all categories whose names end with «Sports», «cricket» and so on,
200 of which, drawn at random, were the start pages. `filed` and a taxonomy whose categories are marked by their endings
(--good "*sports") do the same: `filed` is how many pages of each good category are in the set from the beginning,
`start` is how many of them are start pages besides the seeds. Their scores are those of their texts, not of the
directory's descriptions of them, which a taxonomy does not have.

The paper cannot start without pages of the domain. Here, if there are no examples, the keywords count as one. If there
are fewer than `few`, the set begins to grow only after `first` pages, with the `few` most similar of them (as in
pseudo-relevance feedback), because one or two pages do not show what other relevant pages look like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log, sqrt
from operator import itemgetter
from typing import ClassVar

from lycosa.core.brief import Brief
from lycosa.core.hubs import hub_scores, mean_relevance
from lycosa.core.nouns import Page, Plain, Ticket, Topic, Visit
from lycosa.core.priors import Priors, ReadPages
from lycosa.core.strategy import Strategy, best_of_each, register
from lycosa.core.words import norm
from lycosa.strategy.relevance_bar import check_bar

_LOG = [log(1 + count) for count in range(1 << 10)]
_NOTHING = 1e-12
"""A table that has less than this share of its weight left is empty: the rest is rounding error."""


def weights(counts: Mapping[str, int]) -> dict[str, float]:
    """The tf weights of a text's terms: log(1 + tf)."""
    return {term: _LOG[count] if count < len(_LOG) else log(1 + count) for term, count in counts.items()}


class TermTable:
    """The TIDS score table of a growing set of pages; adding a page costs no more than its own terms.

    With m = log(N + smooth) and L the sum of a term's tf weights, its score is m * L - K, where K = L * log df. So the
    squared length of the table, m²·LL - 2m·LK + KK, and the summed similarity of its pages, m·LU - KU, change only by
    the terms of the page that is added; U is the sum of a term's weights in pages of unit length.
    """

    def __init__(self, smooth: float = 0.0) -> None:
        self.smooth = smooth
        self.pages = 0
        self._rows: dict[str, tuple[float, float, float, int]] = {}
        """L, K, U and df of each term."""
        self._sums = [0.0] * 5
        """LL, LK, KK, LU and KU."""

    def add(self, page: Mapping[str, float]) -> None:
        """Add a page to the set, given its tf weights; a page without terms is ignored."""
        length = norm(page)
        if not length:
            return
        ll, lk, kk, lu, ku = self._sums
        for term, weight in page.items():
            total, lessening, unit, df = self._rows.get(term, (0.0, 0.0, 0.0, 0))
            ll, lk, kk = ll - total * total, lk - total * lessening, kk - lessening * lessening
            lu, ku = lu - total * unit, ku - lessening * unit
            total, unit, df = total + weight, unit + weight / length, df + 1
            lessening = total * log(df)
            ll, lk, kk = ll + total * total, lk + total * lessening, kk + lessening * lessening
            lu, ku = lu + total * unit, ku + lessening * unit
            self._rows[term] = total, lessening, unit, df
        self._sums = [ll, lk, kk, lu, ku]
        self.pages += 1

    def similarity(self, text: Mapping[str, float]) -> float:
        """The cosine of the table and a text, given its tf weights."""
        length = self.length * norm(text)
        if not length:
            return 0.0
        rows, m, dot = self._rows, self._m, 0.0
        for term, weight in text.items():
            if row := rows.get(term):
                dot += weight * (m * row[0] - row[1])
        return min(1.0, max(0.0, dot / length))

    def similarity_of_few(self, words: list[str]) -> float:
        """The same for the words of an anchor, of which hardly any occurs twice."""
        if len({*words}) < len(words):
            return self.similarity(weights(Counter(words)))
        length = self.length * sqrt(len(words))
        if not length:
            return 0.0
        m = self._m
        dot = sum([m * row[0] - row[1] for row in map(self._rows.get, words) if row])
        return min(1.0, max(0.0, dot / length))

    @property
    def likeness(self) -> float:
        """The mean similarity of the set's own pages."""
        length = self.length
        return (self._m * self._sums[3] - self._sums[4]) / (length * self.pages) if length else 0.0

    @property
    def length(self) -> float:
        """The Euclidean length of all scores together."""
        if not self.pages:
            return 0.0
        m, (ll, lk, kk, *_) = self._m, self._sums
        square = m * m * ll - 2 * m * lk + kk
        return sqrt(square) if square > _NOTHING * m * m * ll else 0.0

    @property
    def scores(self) -> dict[str, float]:
        """TIDS_Score of each term, not normalised."""
        return {term: self._m * total - lessening for term, (total, lessening, _, _) in self._rows.items()}

    @property
    def _m(self) -> float:
        return log(self.pages + self.smooth)

    def save(self) -> Plain:
        """Everything as plain data."""
        return [self.pages, self._sums, list(self._rows), [list(row) for row in self._rows.values()]]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.pages, self._sums, names, rows = state
        self._rows = {name: tuple(row) for name, row in zip(names, rows, strict=True)}


@register("tids")
@dataclass
class Tids(Strategy):
    """Follow links whose page and anchor use the words of pages known to be about the topic."""

    context: ClassVar[bool] = True
    threshold: float = 0.0
    """Relevancy_Threshold: links with a lower score are dropped in a first crawl; scores go from 0 to 2."""
    likeness: float = 1.0
    """A page joins the relevant ones if it is this many times as similar as they are on average."""
    smooth: float = 1.0
    """Added to N in the inverse document frequency; 0 is the paper's equation."""
    few: int = 5
    """Number of examples that are enough to recognise other relevant pages."""
    first: int = 100
    """With fewer examples: the best of this many first pages join the relevant ones before any other can."""
    most: int = 10000
    """Most relevant pages from which the table is made."""
    terms: int = 300
    """Most terms of a page that count: the most frequent."""
    past: int = 200
    """Most pages of earlier crawls that are read: the most relevant."""
    relevant: float = -1.0
    """The relevance from which a page of an earlier crawl is relevant; -1 = the mean relevance of that crawl."""
    again: bool = True
    """Whether pages of earlier crawls are fetched again."""
    filed: int = 0
    """Most pages of each good category of a taxonomy that are relevant from the beginning; 0 needs no taxonomy."""
    start: int = 200
    """How many of these pages, drawn at random, are start pages besides the seeds of a first crawl."""

    def __post_init__(self) -> None:
        for name in ("threshold", "likeness", "smooth", "few", "first", "past", "filed", "start"):
            if not getattr(self, name) >= 0:
                raise self.bad_option(name, fix="give 0 or more")
        for name in ("most", "terms"):
            if getattr(self, name) < 1:
                raise self.bad_option(name, fix="give at least 1")
        check_bar(self)
        self.taxonomy = self.filed > 0

    def study(self, topic: Topic, priors: Priors) -> Iterable[ReadPages]:
        """The examples, those of a taxonomy, and the most relevant pages of earlier crawls."""
        wanted = (*topic.examples, *self._directory(priors), *self._earlier(priors))
        return [ReadPages(url) for url in dict.fromkeys(wanted)]

    def _directory(self, priors: Priors) -> list[str]:
        return priors.taxonomy.good_examples(self.filed) if self.filed and priors.taxonomy else []

    def _earlier(self, priors: Priors) -> list[str]:
        best = sorted(relevant_pages(priors.past, self.relevant), key=lambda visit: -visit.relevance)
        return [visit.url for visit in best[: self.past]]

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """Make the first table; the score of a seed is the similarity of its text, or its hub score."""
        priors = brief.priors
        self._table = TermTable(self.smooth)
        self._best: list[tuple[float, dict[str, float]]] = []
        self._tried = 0
        directory = self._directory(priors)
        self._known = {*brief.topic.examples, *directory}
        self._consecutive = bool(priors.past)
        self._gone = frozenset() if self.again else frozenset(visit.url for visit in priors.past)
        terms = brief.topic.analysis.terms
        known = dict.fromkeys((*brief.topic.examples, *directory))
        texts = {url: self._weights(terms(priors.text(url))) for url in known}
        for text in texts.values():
            self._table.add(text)
        self._waits = self._table.pages < self.few
        if not self._table.pages:
            self._table.add(weights(terms(brief.topic.keywords)))
        # Not all pages that were read: a judge may have requested pages of other topics.
        for url in self._earlier(priors):
            if url not in self._known:
                text = self._weights(terms(priors.text(url)))
                self._welcome(text, self._table.similarity(text))
        if self._consecutive:
            self._take_best()
            pages = relevant_pages(priors.past, self.relevant)
            hubs = hub_scores({visit.url: visit.links for visit in pages})
            return [Ticket(url, hubs.get(url, 1.0), memo={"hub": hubs.get(url, 1.0)}) for url in brief.seeds]
        found = {url: self._table.similarity(text) for url, text in texts.items() if text}
        readable = [url for url in directory if url in found]
        drawn = brief.rng.sample(readable, min(self.start, len(readable))) if readable else []
        return [
            Ticket(url, found.get(url, 1.0), memo={"page": found[url]} if url in found else None)
            for url in dict.fromkeys((*brief.seeds, *drawn))
        ]

    def _weights(self, bag: Counter[str]) -> dict[str, float]:
        return weights(dict(_common(bag, self.terms)))

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The most frequent terms of the page, how often each occurs, and the terms of each anchor."""
        common = _common(topic.analysis.terms(page.text), self.terms)
        known = {text: " ".join(topic.analysis.sequence(text)) for text in {page.anchor(link) for link in page.links}}
        anchors = [known[page.anchor(link)] for link in page.links]
        return [" ".join([term for term, _ in common]), [count for _, count in common], anchors]

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """A ticket for each URL that is promising enough; before that, the page may join the relevant ones."""
        names, counts, anchors = visit.sense
        text = weights(dict(zip(names.split(), counts, strict=True)))
        by_page = self._table.similarity(text)
        memo = visit.ticket.memo
        if self._consecutive:
            by_page += memo[1] if isinstance(memo, list) else 0.0
        elif not (isinstance(memo, dict) or visit.url in self._known):
            self._welcome(text, by_page)
        similarity = {anchor: self._table.similarity_of_few(anchor.split()) for anchor in {*anchors}}
        least = 0.0 if self._consecutive else self.threshold
        return best_of_each(
            Ticket(url, by_page + similarity[anchor], via=visit.url, memo=[by_page, similarity[anchor]])
            for url, anchor in zip(visit.links, anchors, strict=True)
            if by_page + similarity[anchor] >= least and url not in self._gone
        )

    def _welcome(self, text: dict[str, float], similarity: float) -> None:
        """Add a page to the relevant ones if it is similar to them."""
        table = self._table
        if self._waits:
            self._best = sorted([*self._best, (similarity, text)], key=itemgetter(0), reverse=True)[: self.few]
            self._tried += 1
            if self._tried >= self.first:
                self._take_best()
        elif table.pages < self.most and similarity >= self.likeness * table.likeness:
            table.add(text)

    def _take_best(self) -> None:
        """Add the best of the first pages to the relevant ones."""
        for similarity, text in self._best:
            if similarity > 0:
                self._table.add(text)
        self._best, self._waits = [], False

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of page and anchor; for a start page, the score of its text or its links."""
        memo = ticket.memo
        return memo if isinstance(memo, dict) else dict(zip(("page", "anchor"), memo, strict=True)) if memo else {}

    def save(self) -> Plain:
        """The table, and the best of the first pages."""
        return [self._table.save(), self._waits, self._tried, [list(each) for each in self._best]]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        table, self._waits, self._tried, best = state
        self._table.load(table)
        self._best = [(similarity, text) for similarity, text in best]


def _common(counts: Mapping[str, int], most: int) -> list[tuple[str, int]]:
    """The most frequent terms; among equals those that come first."""
    found = list(counts.items())
    return found if len(found) <= most else sorted(found, key=itemgetter(1), reverse=True)[:most]


def relevant_pages(past: Iterable[Visit], least: float) -> list[Visit]:
    """R: the relevant pages of earlier crawls; with -1, those that are at least as relevant as the mean."""
    visits = list(past)
    bar = least if least >= 0 else mean_relevance(visits)
    return [visit for visit in visits if visit.relevance >= bar]
