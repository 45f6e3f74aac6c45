"""Apprentice, Lycosa's own strategy: it learns during the crawl which pages are relevant, and which links lead to them.

It needs keywords and seeds, but no labels. Two models teach each other (the idea of an apprentice that learns from a
critic is that of Chakrabarti et al. 2002, which we know by accounts of it; models and features are our choice):

- The page model of the crawl (core/page_model.py), which the engine owns, begins with the keywords and teaches itself
  from the best pages so far. The topic's examples and the pages that a person has judged are certain.
- The link model (promise.py) learns from every fetched page what its links had looked like: the relevance and number of
  the pages that contain them; what other links of these pages, and the links beside them, led to; the words of anchor,
  context and URL, by the judge's weights and by what such anchors led to; the host; and the distance from the last
  relevant page. Its output, the log-odds of a relevant page, is the score.

A lesson of the page model is one of the link model too. It costs a few lookups for each of the latest 50,000 pages, a
fit to at most 1,000 pages and 600 links, and one look at all scores that the frontier knows. Only the best links
(1,000, or 16 for each page until the next lesson) are scored again, and of these the frontier learns only about those
that will come next or were about to. So the cost of lessons per page does not grow with the crawl. Between lessons, a
page's own links and those beside the links that led to it are scored at once.

Links behind more than `tunnel` irrelevant pages in a row lose a part of their odds with every further page. If pages
turn out less relevant than expected, the strategy explores, and the hosts that disappoint most are trusted less
(greed.py), as are hosts and kinds of addresses from which hardly a page has come. As long as no page is known to be
relevant, some links are followed for their keywords alone (hedge.py). What leads to relevant pages need not be one: a
page is credited as a source of links for its text, and as an outcome also for its kind (core/page_kinds.py). With
`breadth`, every further page of a host is worth less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lycosa.core.brief import Brief
from lycosa.core.nouns import Judgement, Miss, Page, Plain, Ticket, Topic, Visit
from lycosa.core.page_model import Ids, sigmoid
from lycosa.core.page_terms import terms_in
from lycosa.core.query import no_topic
from lycosa.core.strategy import Strategy, register
from lycosa.strategy.apprentice.greed import Greed
from lycosa.strategy.apprentice.hedge import TRIED, Hedge
from lycosa.strategy.apprentice.link_model import FAR, FETCHED, GONE, QUEUED, UNTOLD, Links
from lycosa.strategy.apprentice.promise import NEIGHBOURS, PART, PARTS, Promise
from lycosa.strategy.apprentice.sense import read, sensed

_BEST, _AHEAD = 1000, 16
"""Links that are scored again in a lesson: at least this many, or this many for each page until the next lesson."""
_RELEVANT = 0.5
_SEED, _KEYWORDS, _NEXT = 100.0, 60.0, 50.0
"""The scores of a seed, and of links chosen for their keywords and for exploration: above all others."""
_PUT_FIRST = {_KEYWORDS: "keywords", _NEXT: "explored"}
"""What the part of the score is called that puts a link first."""
_APPEALING = 256
"""Links of the largest appeal that are compared when one is followed for its keywords."""
_NOTICED, _NOTICED_IN_LESSONS = 0.1, 0.02
"""By how much a score must change before the frontier is given the new one."""


@register("apprentice")
@dataclass
class Apprentice(Strategy):
    """Follow the links that are most likely to lead to relevant pages, by everything seen so far."""

    context: ClassVar[bool] = True
    merge: ClassVar[str] = "last"
    reads_pages: ClassVar[bool] = True
    log_odds: ClassVar[bool] = True
    put_first: ClassVar[float] = _NEXT
    explore: float = 0.2
    """The largest share of pages spent on exploring; it is reached when predictions fail."""
    tunnel: int = 4
    """How many irrelevant pages in a row may precede a link before its score is lowered."""
    breadth: float = 0.0
    """How much the log-odds of a link fall whenever the number of fetched pages of its host has about tripled."""
    memory: int = 500_000
    """Most links that are remembered."""

    def __post_init__(self) -> None:
        if not 0 <= self.explore <= 1:
            raise self.bad_option("explore", fix="give a number from 0 to 1")
        if self.tunnel < 0:
            raise self.bad_option("tunnel", fix="give at least 0")
        if not 0 <= self.breadth < float("inf"):
            raise self.bad_option("breadth", fix="give 0 or more")
        if self.memory < 1000:
            raise self.bad_option("memory", fix="give at least 1000")

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds."""
        topic = brief.topic
        keywords = terms_in(topic.keywords, topic.analysis)
        if not keywords:
            raise no_topic(topic.keywords)
        assert brief.pages is not None
        self._pages, self._lessons = brief.pages, brief.pages.lessons
        self._seeds = frozenset(brief.seeds)
        self._links = Links(self.memory)
        self._promise = Promise(keywords)
        self._greed = Greed(self.explore)
        self._hedge = Hedge()
        self._best = np.zeros(0, np.int64)
        """The best links at the last lesson."""
        return [Ticket(url, _SEED) for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The terms of its links, as numbers."""
        return sensed(page, topic.analysis)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Credit the links that led to the page, and score its own links and those beside the former."""
        links, words = self._links, read(visit.sense, visit.links)
        number, relevance = self._pages.seen - 1, self._pages.arrived
        row = links.row(visit.url)
        ways = self._arrived(row, number, relevance)
        requested = links.rows.get(visit.ticket.via or "")
        if requested is not None and links.state[requested] == QUEUED:  # the requested URL was redirected here
            ways = np.concatenate([ways, self._arrived(requested, number, relevance)])
        targets = links.add(row, visit.links, words) if len(words) else np.zeros(0, np.int64)
        self._promise.read_words(links, np.arange(links.count - len(targets), links.count))
        if len(targets) and not self._pages.liked:
            pages = self._pages
            page = pages.terms[number % pages.memory]
            np.maximum.at(links.appeal, targets, self._hedge.appeal(words, pages.keywords, pages.keyness, page))
        if self._pages.lessons != self._lessons:
            return [*self._study(targets), *self._by_keywords()]
        near = (ways[:2, None] + NEIGHBOURS).ravel()
        beside = links.target[near[(near >= 0) & (near < links.count)]]
        tickets = self._tickets(np.unique(np.concatenate([targets, beside])))
        return [*tickets, *self._by_keywords(), *self._curiosity()]

    def _arrived(self, row: int, number: int, relevance: float) -> Ids:
        """Note that a URL was fetched; returns the places of the links that led to it."""
        links = self._links
        topical = float(self._pages.topical[number % self._pages.memory])
        ways = links.fetched(row, number, relevance, topical)
        if len(ways):
            self._greed.outcome(int(links.host[row]), links.kinds[row], float(sigmoid(links.told[row])), relevance)
        nearest = int(links.distance[links.source[ways]].min()) if len(ways) else 0
        links.distance[row] = 0 if topical >= _RELEVANT else min(FAR, nearest + 1)
        return ways

    def _study(self, fresh: Ids) -> list[Ticket]:
        """After a lesson of the page model: fit the link model, and score again the links that come next."""
        pages, links, interval = self._pages, self._links, self._pages.interval
        self._lessons = pages.lessons
        links.judge_again(pages.contrast[: len(pages)], pages.topical[: len(pages)], pages.seen)
        self._promise.fit(links, pages)
        waiting, most = links.queued(), max(_BEST, _AHEAD * interval)
        if len(waiting) > most:
            waiting = np.sort(waiting[np.argpartition(-links.told[waiting], most)[:most]])
        tickets = self._tickets(np.unique(np.concatenate([fresh, waiting])), ahead=4 * interval + 24)
        self._best = waiting[np.argsort(-links.told[waiting], kind="stable")[: 4 * interval + 24]]
        if links.full():
            links.forget()
            self._best = self._best[:0]
        return tickets

    def _tickets(self, rows: Ids, ahead: int = 0) -> list[Ticket]:
        """Tickets for those of these URLs that wait and whose score has changed noticeably.

        With `ahead`, in a lesson, the words of links are read again, and only URLs that were or are among the best
        `ahead` get tickets: the others get theirs when they come near the front.
        """
        links = self._links
        rows = rows[(links.state[rows] == QUEUED) & (links.degree[rows] > 0)]
        if not len(rows):
            return []
        place, parents = links.links_to(rows)
        if ahead:
            self._promise.read_words(links, place)
        features = self._promise.features(links, rows, place, parents)
        evidence = features * self._promise.weights
        evidence[:, -2] -= self._greed.grudge(links.host[rows]) + self._greed.deadness(links.host[rows])
        evidence[:, -3] -= self._greed.deadness_of_kinds(links.kinds[rows])
        if self.breadth:
            evidence[:, -2] -= self.breadth * np.log1p(self._promise.fetched_of(links.host[rows]))
        evidence[:, -1] -= np.maximum(features[:, -1] - self.tunnel, 0.0)
        # Rounded, so that machines that add in another order agree.
        scores = np.round(evidence.sum(1), 6)
        news = np.abs(scores - links.told[rows]) > (_NOTICED_IN_LESSONS if ahead else _NOTICED)
        if len(rows) > ahead > 0:
            bar = -np.partition(-scores, ahead)[ahead]
            news &= (scores >= bar) | (links.told[rows] >= bar) | (links.told[rows] == UNTOLD)
        rows, scores = rows[news], scores[news]
        links.told[rows] = scores
        links.parts[rows] = evidence[news] @ PART
        latest = links.source[place[np.cumsum(parents)[news] - 1]].tolist()
        urls = links.urls
        return [
            Ticket(url, score, via=urls[page])
            for row, score, page in zip(rows.tolist(), scores.tolist(), latest, strict=True)
            if (url := urls[row]) not in self._seeds
        ]

    def _curiosity(self) -> Iterable[Ticket]:
        """From time to time, the link among the best whose page has been tried least comes next."""
        links = self._links
        waiting = self._best[links.state[self._best] == QUEUED]
        if len(waiting) and self._greed.wants_to_explore():
            place, parents = links.links_to(waiting)
            row = int(waiting[np.argmin(links.tried[links.source[place[np.cumsum(parents) - 1]]])])
            self._best = waiting[waiting != row]
            if links.urls[row] not in self._seeds:
                yield Ticket(links.urls[row], _NEXT, via=links.latest(row))

    def _by_keywords(self) -> Iterable[Ticket]:
        """While little was found, now and then the most appealing link on the hosts tried least comes next."""
        links, greed = self._links, self._greed
        # Who has examples knows more than the keywords say.
        if self._pages.liked or not self._hedge.page(self._pages.relevances()):
            return
        rows = links.queued()
        if not len(rows):
            return
        appeal = links.appeal[rows] - TRIED * np.log1p(greed.requests(links.host[rows]))
        if len(rows) > _APPEALING:
            best = np.sort(np.argpartition(-appeal, _APPEALING)[:_APPEALING])
            rows, appeal = rows[best], appeal[best]
        appeal = appeal - greed.deadness(links.host[rows]) - greed.deadness_of_kinds(links.kinds[rows])
        row = int(rows[np.argmax(appeal)])
        links.appeal[row] = 0.0  # it has had its turn, also where many pages are fetched before it
        if links.urls[row] not in self._seeds:
            yield Ticket(links.urls[row], _KEYWORDS, via=links.latest(row))

    def miss(self, miss: Miss) -> Iterable[Ticket]:
        """Stop waiting for a page that cannot be fetched."""
        row = self._links.rows.get(miss.ticket.url)
        if row is not None:
            self._links.state[row] = GONE
            self._greed.dead(int(self._links.host[row]), self._links.kinds[row])
        return ()

    def judged(self, judgement: Judgement) -> Iterable[Ticket]:
        """What a person says about a page is certain from now on, and a lesson has followed."""
        return self._corrected()

    def withdrawn(self, url: str) -> Iterable[Ticket]:
        """A page is as uncertain as before: the link model too is fitted to what is known now.

        What happened meanwhile stays: the fetched pages, and the trust in hosts.
        """
        return self._corrected()

    def _corrected(self) -> Iterable[Ticket]:
        return self._study(np.zeros(0, np.int64)) if self._pages.lessons != self._lessons else ()

    def doubts(self, count: int) -> Sequence[str]:
        """The pages that are neither clearly relevant nor clearly irrelevant, and that have many links."""
        links = self._links
        rows = np.flatnonzero(links.state[: len(links.urls)] == FETCHED)
        relevance = links.relevance[rows]
        doubt = relevance * (1 - relevance) * np.log(2 + links.links[rows])
        best = rows[np.argsort(-doubt, kind="stable")]
        found = [(links.urls[row], int(links.page[row])) for row in best.tolist()]
        # A URL that was redirected is not a page of its own.
        return [url for url, page in found if self._pages.unsure(page) and self._pages.number(url) == page][:count]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of the score, in log-odds."""
        row = self._links.rows.get(ticket.url)
        if row is None or ticket.url in self._seeds:
            return {}
        parts = dict(zip(PARTS, self._links.parts[row].tolist(), strict=True))
        if first := _PUT_FIRST.get(ticket.score):
            parts[first] = ticket.score - float(self._links.told[row])
        return parts

    def save(self) -> Plain:
        """Everything that was learned."""
        return {
            "links": self._links.save(),
            "promise": self._promise.save(),
            "greed": self._greed.save(),
            "hedge": self._hedge.save(),
            "lessons": self._lessons,
            "best": self._best.tobytes(),
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._links.load(state["links"])
        self._promise.load(state["promise"])
        self._promise.look_up(self._pages)
        self._greed.load(state["greed"])
        self._hedge.load(state["hedge"])
        self._lessons = state["lessons"]
        self._best = np.frombuffer(state["best"], np.int64).copy()
