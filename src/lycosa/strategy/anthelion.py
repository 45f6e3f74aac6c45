"""Anthelion (Meusel, Mika & Blanco 2014, «Focused crawling for structured data»): a bandit chooses the next host.

Two decisions lead to the next page. A bandit chooses a host, and within the host the link is taken that an online
classifier thinks best. Each host is an arm, and its value is one of

    success         (good + 1) / (visited + 2)            the share of its pages that were relevant
    best            the classifier's probability for the host's best link
    success-best    success * best
    thompson        a sample of Beta(good + 1, bad + 1)
    thompson-best   thompson * best
    holistic        success * (predicted right + 1) / (visited + 2)

With probability `explore` the host is random instead; with `decay`, this probability is explore / (1 + pages // decay).
The classifier is naive Bayes, learned from one page after the other. It sees the words of a URL's path, with one word
for all numbers, whether the link was found on a relevant or on an irrelevant page (its parent), and whether other links
of that page have led to relevant or to irrelevant pages (its siblings). Its log-odds are the score of a link, fixed
when the link is found.

The original looked for pages with embedded structured data; here, relevant pages take their place. We know the paper by
its abstract and by accounts of it, and the authors' code (github.com/YahooArchive/anthelion), from which come the
features, the hashing trick, the value functions, the rule of decay and the share of .1. Our choices: the words of the
anchor are features too (`anchors`), because a topic is a matter of words; the smoothing of the values; at most `arms`
hosts have an arm of their own, the rest share one, so that a choice stays cheap; and hosts are chosen at random by the
head of their queues, so that several workers do not all go to the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.core.brief import Brief
from lycosa.core.keys import key64
from lycosa.core.nouns import Miss, Page, Plain, Ticket, Topic, Visit
from lycosa.core.strategy import Strategy, best_of_each, register
from lycosa.core.urls import host_of
from lycosa.strategy.link_words import ADDRESS, ANCHOR, link_words, read_words
from lycosa.strategy.relevance_bar import RelevanceBar, check_bar
from lycosa.strategy.word_bayes import WordBayes

_VALUES = ("success", "best", "success-best", "thompson", "thompson-best", "holistic")
_SEEDS, _OTHERS = "seeds", "other hosts"
_ANCHOR, _URL, _KIN = slice(0, 6), slice(6, 14), slice(14, 18)
"""The columns of a link's features."""
_PARTS = ("usual", "anchor", "url", "kin")
_GOOD, _BAD, _RIGHT = range(3)


@register("anthelion")
@dataclass
class Anthelion(Strategy):
    """Choose the host that has paid off most, and in it the link whose address and anchor look best."""

    context: ClassVar[bool] = True
    value: str = "success-best"
    """What a host is worth: success, best, success-best, thompson, thompson-best or holistic."""
    explore: float = 0.1
    """The share of pages for which the host is chosen at random."""
    decay: int = 0
    """After so many pages that share is halved, after twice as many it is a third, and so on; 0 = it stays."""
    anchors: bool = True
    """Whether the classifier sees the words of anchors; the original sees only those of URLs."""
    arms: int = 1000
    """Most hosts that are chosen one by one; all others are chosen together."""
    relevant: float = -1.0
    """The relevance from which a page is relevant; -1 = the mean relevance of the crawl so far."""
    memory: int = 100_000
    """How many pages are remembered as parents and siblings: the latest."""

    def __post_init__(self) -> None:
        if self.value not in _VALUES:
            raise self.bad_option("value", fix=f"choose one of: {', '.join(_VALUES)}")
        if not 0 <= self.explore <= 1:
            raise self.bad_option("explore", fix="give a number from 0 to 1")
        check_bar(self)
        for name, least in (("decay", 0), ("arms", 1), ("memory", 1)):
            if getattr(self, name) < least:
                raise self.bad_option(name, fix=f"give at least {least}")

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds, before anything else."""
        self._rng = brief.rng
        self._bar = RelevanceBar(brief.topic.examples, self.relevant)
        self._bayes = WordBayes(2, (_ANCHOR, _URL, _KIN))
        self._hosts: dict[str, list[int]] = {}
        self._samples: dict[str, float] = {}
        self._outcomes: dict[str, bool] = {}
        self._pages = 0
        self._dice, self._salt = 0.0, 0
        self._roll()
        return [Ticket(url, 1.0, _SEEDS) for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The words of each link."""
        return link_words(page, topic.analysis)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Reward the host and teach the classifier, then estimate the page's links."""
        good = self._bar.passes(visit.url, visit.relevance)
        arm = self._hosts.setdefault(self._lane(visit.url), [0, 0, 0])
        arm[_GOOD if good else _BAD] += 1
        if visit.ticket.memo:
            arm[_RIGHT] += (visit.ticket.score > 0) == good
            self._bayes.add(np.frombuffer(visit.ticket.memo[0], np.uint16), int(good))
        self._pages += 1
        self._outcomes.pop(visit.url, None)
        self._outcomes[visit.url] = good
        while len(self._outcomes) > self.memory:
            del self._outcomes[next(iter(self._outcomes))]
        tickets = self._tickets(visit, good)
        self._roll()
        return tickets

    def miss(self, miss: Miss) -> Iterable[Ticket]:
        """A page that cannot be fetched teaches nothing, but the next choice is another one."""
        self._roll()
        return ()

    def choose(self, lanes: Mapping[str, Ticket]) -> str:
        """The seeds first; then the host with the highest value, or a random one."""
        if _SEEDS in lanes:
            return _SEEDS
        share = self.explore / (1 + self._pages // self.decay) if self.decay else self.explore
        if self._dice < share:
            return min(lanes, key=lambda lane: key64(f"{self._salt} {lanes[lane].url}"))
        return max(lanes, key=lambda lane: (self._value(lane, lanes[lane].score), lanes[lane].score))

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of the log-odds; the bandit's choice of the host is not among them."""
        return dict(zip(_PARTS, ticket.memo[1:], strict=True)) if ticket.memo else {}

    def save(self) -> Plain:
        """Hosts, classifier and outcomes, and the dice of the next choice."""
        return {
            "bar": self._bar.save(),
            "bayes": self._bayes.save(),
            "hosts": self._hosts,
            "samples": self._samples,
            "outcomes": self._outcomes,
            "pages": self._pages,
            "dice": [self._dice, self._salt],
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._bar.load(state["bar"])
        self._bayes.load(state["bayes"])
        self._hosts, self._samples = state["hosts"], state["samples"]
        self._outcomes, self._pages = state["outcomes"], state["pages"]
        self._dice, self._salt = state["dice"]

    def _roll(self) -> None:
        """Draw the random numbers of the next choice, because `choose` may draw none."""
        self._dice, self._salt = self._rng.random(), self._rng.getrandbits(63)
        if self.value.startswith("thompson"):
            draw = self._rng.betavariate
            self._samples = {host: draw(arm[_GOOD] + 1, arm[_BAD] + 1) for host, arm in self._hosts.items()}

    def _lane(self, url: str) -> str:
        host = host_of(url)
        return host if host in self._hosts or len(self._hosts) < self.arms else _OTHERS

    def _value(self, lane: str, score: float) -> float:
        good, bad, right = self._hosts.get(lane, (0, 0, 0))
        visited = good + bad
        success = (good + 1) / (visited + 2)
        best = 1 / (1 + exp(-max(-500.0, score)))
        match self.value:
            case "success":
                return success
            case "best":
                return best
            case "success-best":
                return success * best
            case "holistic":
                return success * (right + 1) / (visited + 2)
        sample = self._samples.get(lane, self._dice)  # Beta(1, 1) of a host without pages is uniform
        return sample * best if self.value == "thompson-best" else sample

    def _tickets(self, visit: Visit, good: bool) -> Iterable[Ticket]:
        if not visit.links:
            return []
        features = self._features(visit, good)
        logs = self._bayes.evidence(features)
        prior = self._bayes.priors()
        usual = float(prior[1] - prior[0])
        parts = np.round(logs[:, 1] - logs[:, 0], 6)
        for url in visit.links:
            lane = self._lane(url)
            if lane not in self._hosts:
                self._hosts[lane] = [0, 0, 0]
        return best_of_each(
            Ticket(url, usual + sum(part), self._lane(url), visit.url, [row.tobytes(), usual, *part])
            for url, row, part in zip(visit.links, features, parts.tolist(), strict=True)
        )

    def _features(self, visit: Visit, good: bool) -> NDArray[np.uint16]:
        words = read_words(visit.sense)
        features = np.zeros((len(words), _KIN.stop), np.uint16)
        if self.anchors:
            features[:, _ANCHOR] = words[:, ANCHOR]
        features[:, _URL] = words[:, ADDRESS]
        features[:, _KIN.start + (not good)] = 1 + (not good)  # a relevant parent, an irrelevant parent
        kin = {outcome for url in visit.links if (outcome := self._outcomes.get(url)) is not None}
        for outcome in kin:
            features[:, _KIN.start + 2 + (not outcome)] = 3 + (not outcome)
        return features
