"""The apprentice's link model: what is known about a URL before it is fetched, and how likely a relevant page is there.

It is a logistic regression over about twenty features of the links to a URL, fitted to the pages fetched so far, with
their relevance by the page model as targets. A fetched page is described as if it had not been fetched: its own
relevance is subtracted from the payoffs of its parents, its words and its host. (Describing it by what was known at the
time costs less and teaches less.) A prior holds the weights near sensible values until there is enough to learn from.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain
from lycosa.core.page_kinds import KINDS, NUMBERS, Kinds
from lycosa.core.page_model import KIND, Floats, Ids, PageModel, log_odds, sigmoid
from lycosa.core.page_terms import TERMS, Terms
from lycosa.strategy.apprentice.link_model import FETCHED, SAID, Links
from lycosa.strategy.apprentice.sense import ADDRESS, ANCHOR, CONTEXT

PARTS = ("usual", "page", "payoff", "beside", "anchor", "context", "url", "host", "way")
"""The parts in `explain`; «payoff» is what the parents' other links led to, «beside» what the links next to it did."""
_BY_LINK = {  # a feature of each link to a URL, by its mean and its maximum: (part, prior weight of either)
    "relevance of the page": ("page", 0.0, 0.0),
    "payoff of the page": ("payoff", 0.0, 0.0),
    "payoff of the links beside it": ("beside", 0.0, 0.0),
    "anchor like the topic": ("anchor", 2.0, 0.0),
    "context like the topic": ("context", 0.0, 0.0),
    "address like the topic": ("url", 0.0, 0.0),
    "words of the anchor paid": ("anchor", 1.0, 0.0),
    "keywords in the anchor": ("anchor", 0.0, 1.0),
}
_BY_URL = {
    "number of parents": ("page", 0.0),
    "relevant parents": ("page", 0.0),
    "agreement of the parents": ("payoff", 1.0),
    "kind of the address": ("url", 0.5),
    "such addresses paid": ("url", 0.5),
    "payoff of the host": ("host", 0.0),
    "irrelevant pages on the way": ("way", 0.0),
}
_parts = ["usual", *(row[0] for row in _BY_LINK.values() for _ in "ab"), *(row[0] for row in _BY_URL.values())]
PART = np.array([[part == name for name in PARTS] for part in _parts], np.float64)
"""Which part each feature belongs to."""
PRIOR = np.array([0.0, *(w for row in _BY_LINK.values() for w in row[1:]), *(row[1] for row in _BY_URL.values())])

KAPPA = 3.0
"""The weight of a prior, in links, in the payoff of a page or a host."""
NEIGHBOURS = np.array([-4, -3, -2, -1, 1, 2, 3, 4])
_NEARNESS = 1 / np.abs(NEIGHBOURS)
"""The neighbours of a link on its page, weighted by their nearness."""
STIFFNESS = 9.0
"""How strongly the prior holds the weights."""
DEEPEST = 12
"""Longer sequences of irrelevant pages count as this long."""
LESSON = 600
"""How many fetched pages the weights are fitted to: the latest."""
ODDS = 30_000
"""How many links with known outcomes the words of anchors are learned from: the latest."""
# Sums over the words of a link's anchor, context and URL as matrix products: numpy is slow at short sums.
_SPLIT = np.repeat(np.eye(3), [ANCHOR, CONTEXT, ADDRESS], axis=0)
_SIX = np.ones(ANCHOR)


_LEARNED = ("weights", "word_paid", "word_tried", "kind_paid", "kind_tried", "host_paid", "host_tried")


class Promise:
    """Estimates how promising URLs are."""

    def __init__(self, keywords: list[int]) -> None:
        self.is_keyword = np.zeros(TERMS)
        self.is_keyword[keywords] = 1.0
        self.weights = PRIOR.copy()
        self.rate = 0.1
        """The mean relevance of links' targets, and how it depends on the relevance of their page."""
        self.slope, self.centre = 0.5, 0.1
        self.word_paid: Floats = np.zeros(TERMS)
        self.word_tried: Floats = np.zeros(TERMS)
        self.kind_paid: Floats = np.zeros(NUMBERS)
        self.kind_tried: Floats = np.zeros(NUMBERS)
        self.host_paid: Floats = np.zeros(1)
        self.host_tried: Floats = np.zeros(1)
        self._usual = 0.0
        self._pages: PageModel | None = None
        self._odds = np.zeros(TERMS)
        self._topic = self._rarity = np.zeros(TERMS)

    def look_up(self, pages: PageModel) -> None:
        """Compute the tables for words, with the page model's weights."""
        self._pages = pages
        self._usual = float(log_odds(self.rate))
        self._odds = log_odds((self.word_paid + 2 * self.rate) / (self.word_tried + 2)) - self._usual
        self._odds[0] = 0.0
        self._topic = pages.weights * pages.idf
        self._rarity = pages.idf**2

    def read_words(self, links: Links, places: Ids) -> None:
        """Score the words of these links by the current tables, and keep the scores with the links."""
        words = links.words[places]
        rarity = self._rarity.take(words) @ _SPLIT
        anchor = words[:, :ANCHOR]
        length = np.sqrt(np.maximum((anchor > 0) @ _SIX, 1.0))
        said = np.empty((len(places), SAID))
        said[:, :3] = self._topic.take(words) @ _SPLIT / np.sqrt(np.maximum(rarity, 1e-9))
        said[:, 3] = self._odds.take(anchor) @ _SIX / length
        said[:, 4] = self.is_keyword.take(anchor) @ _SIX / length
        links.said[places] = said

    def features(self, links: Links, rows: Ids, place: Ids, parents: Ids, blind: bool = False) -> Floats:
        """A row of features for each of these URLs, given the links to them by URL, and the number of links to each.

        Either all of them were fetched or none; with `blind`, fetched ones are described as if they had not been.
        """
        first = np.cumsum(parents) - parents
        source = links.source[place]
        page = links.topical[source]
        paid, tried, said = links.paid[source], links.tried[source], links.said[place]
        if blind:
            own = np.repeat(links.relevance[rows], parents)
            paid, tried = paid - own, tried - 1.0
            said[:, 3] = self._odds_without(links.words[place, :ANCHOR], own)
        expected = np.minimum(np.maximum(self.rate + self.slope * (page - self.centre), 0.005), 0.995)
        payoff = (paid + KAPPA * expected) / (tried + KAPPA)
        log_payoff = log_odds(payoff)
        by_link = np.empty((len(place), 9))
        by_link[:, 0] = page
        by_link[:, 1] = log_payoff
        by_link[:, 2] = log_odds(self._beside(links, place, source, payoff))
        by_link[:, 3:8] = said
        by_link[:, 8] = log_payoff - self._usual
        total = np.add.reduceat(by_link, first, axis=0)
        most = np.maximum.reduceat(by_link[:, :8], first, axis=0)
        found = np.empty((len(rows), len(PRIOR)))
        found[:, 0] = 1.0
        found[:, 1:17:2] = total[:, :8] / parents[:, None]
        found[:, 2:18:2] = most
        found[:, 17] = np.log(parents)
        found[:, 18] = np.sqrt(total[:, 0])
        found[:, 19] = total[:, 8] / np.sqrt(parents)
        found[:, 20] = self._kind(links.kinds[rows])
        found[:, 21] = self._kinds_paid(links.kinds[rows], links.relevance[rows], blind)
        found[:, 22] = self._host(links.host[rows], links.relevance[rows], blind)
        found[:, 23] = np.minimum(np.minimum.reduceat(links.distance[source], first), DEEPEST)
        return found

    def _kind(self, kinds: Kinds) -> Floats:
        """By how much the kinds of these addresses change the log-odds of the page judge."""
        if self._pages is None:
            return np.zeros(len(kinds))
        return KIND * self._pages.page_kinds.scores(kinds) / max(self._pages.width, 0.5)

    def _kinds_paid(self, kinds: Kinds, own: Floats, blind: bool) -> Floats:
        """What addresses of the same kinds led to; nothing unless known pages say that kinds matter.

        Without a teacher, kinds would only amplify what the page model happens to believe.
        """
        there = kinds > 0
        paid, tried = self.kind_paid[kinds], self.kind_tried[kinds]
        if blind:
            paid, tried = paid - own[:, None], tried - 1.0
        odds = log_odds((np.maximum(paid, 0.0) + KAPPA * self.rate) / (np.maximum(tried, 0.0) + KAPPA)) - self._usual
        trust = self._pages.page_kinds.weight if self._pages else 0.0
        return np.asarray(trust * (odds * there).sum(1) / np.sqrt(np.maximum(there.sum(1), 1)))

    def _odds_without(self, anchors: Terms, own: Floats) -> Floats:
        paid, tried = self.word_paid[anchors] - own[:, None], self.word_tried[anchors] - 1.0
        odds = log_odds((paid + 2 * self.rate) / (np.maximum(tried, 0.0) + 2)) - self._usual
        there = anchors > 0
        return np.asarray((odds * there).sum(1) / np.sqrt(np.maximum(there.sum(1), 1)))

    def _beside(self, links: Links, place: Ids, source: Ids, payoff: Floats) -> Floats:
        """What the nearest links of the same page led to; if none was followed, what all its links led to."""
        there = place[:, None] + NEIGHBOURS
        np.maximum(there, 0, out=there)
        np.minimum(there, links.count - 1, out=there)
        other = links.target.take(there)
        counts = links.state.take(other) == FETCHED
        counts &= links.source.take(there) == source[:, None]
        counts &= other != links.target[place][:, None]
        paid = (counts * links.relevance.take(other)) @ _NEARNESS
        return np.asarray((payoff + paid) / (1.0 + counts @ _NEARNESS))

    def fetched_of(self, host: Ids) -> Floats:
        """How many pages of these hosts had been fetched by the last lesson."""
        known = host < len(self.host_tried)
        return np.asarray(np.where(known, self.host_tried[np.where(known, host, 0)], 0.0))

    def _host(self, host: Ids, own: Floats, blind: bool) -> Floats:
        known = host < len(self.host_tried)
        host = np.where(known, host, 0)
        paid, tried = self.host_paid[host] * known, self.host_tried[host] * known
        if blind:
            paid, tried = np.maximum(paid - own, 0.0), np.maximum(tried - 1.0, 0.0)
        return log_odds((paid + KAPPA * self.rate) / (tried + KAPPA)) - self._usual

    def fit(self, links: Links, pages: PageModel) -> None:
        """Learn from the links whose pages were fetched."""
        tried = links.outcomes()[-ODDS:]
        size = len(links.urls)
        if len(tried) > 10:
            target, source = links.target[tried], links.source[tried]
            paid, page = links.relevance[target], links.topical[source]
            self.rate = float(np.clip(paid.mean(), 0.005, 0.995))
            self.centre = float(page.mean())
            spread = float(page.var())
            covariance = float(((page - page.mean()) * (paid - paid.mean())).mean())
            self.slope = float(np.clip(covariance / (spread + 1e-6), 0.0, 1.0))
            # A page has one vote, however many links lead to it.
            vote = 1 / np.bincount(target, minlength=size)[target]
            anchors = links.words[tried, :ANCHOR]
            self.word_paid = _sums(anchors.ravel(), np.repeat(vote * paid, ANCHOR), TERMS)
            self.word_tried = _sums(anchors.ravel(), np.repeat(vote, ANCHOR), TERMS)
        fetched = np.flatnonzero(links.state[:size] == FETCHED)
        host, relevance = links.host[fetched], links.relevance[fetched]
        self.host_tried = _sums(host, np.ones(len(host)), len(links.hosts))
        self.host_paid = _sums(host, relevance, len(links.hosts))
        kinds = links.kinds[fetched]
        self.kind_tried = _sums(kinds.ravel(), np.ones(kinds.size), NUMBERS)
        self.kind_paid = _sums(kinds.ravel(), np.repeat(relevance, KINDS), NUMBERS)
        self.look_up(pages)
        found = fetched[links.degree[fetched] > 0]
        if len(found) >= 10:
            lesson = found[np.argsort(links.page[found], kind="stable")[-LESSON:]]
            place, parents = links.links_to(lesson)
            self.read_words(links, place)
            self._regress(self.features(links, lesson, place, parents, blind=True), links.relevance[lesson])

    def _regress(self, features: Floats, relevance: Floats) -> None:
        """Newton's method on the logistic loss with fractions as labels, starting from the prior."""
        mean, scale = features.mean(0), features.std(0) + 1e-3
        mean[0], scale[0] = 0.0, 1.0
        standard = (features - mean) / scale
        prior = PRIOR * scale
        prior[0] = log_odds(relevance.mean())
        stiffness = np.full(len(prior), STIFFNESS)
        stiffness[0] = 0.1
        weights = prior.copy()
        for _ in range(4):
            chance = sigmoid(standard @ weights)
            curve = (standard.T * (chance * (1 - chance) + 0.02)) @ standard + np.diag(stiffness)
            slope = standard.T @ (relevance - chance) - stiffness * (weights - prior)
            weights = weights + np.linalg.solve(curve, slope)
        self.weights = weights / scale
        self.weights[0] = weights[0] - (self.weights[1:] * mean[1:]).sum()

    def save(self) -> Plain:
        """Everything as plain data."""
        return {name: getattr(self, name).tobytes() for name in _LEARNED} | {
            "line": [self.rate, self.slope, self.centre]
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned; `look_up` must follow."""
        for name in _LEARNED:
            setattr(self, name, np.frombuffer(state[name], np.float64).copy())
        self.rate, self.slope, self.centre = state["line"]


def _sums(which: NDArray[Any], amounts: Floats, size: int) -> Floats:
    return np.bincount(which, amounts, minlength=size).astype(np.float64)
