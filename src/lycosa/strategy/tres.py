"""TRES (Kontogiannis et al. 2021, «Tree-based focused web crawling with reinforcement learning»): tree and Q-network.

A link is described by what led to it and by what it looks like: whether its page is relevant, the inverse of the
distance from the last relevant page on the path, the share of relevant pages on the path; whether its URL and its
anchor contain keywords, whether its anchor contains all of them; the share of relevant pages of its host (.5 if there
are none yet) and whether that is unknown; and how relevant its words seem. A Q-network estimates the discounted reward
of following it, where a relevant page is a reward of 1. It learns from random earlier steps by double Q-learning,

    Q(link) -> reward + gamma * Q'(the best link of its page)        the best according to Q; Q' is an older copy of Q

Too many links wait to compare all of them. A regression tree (tree_frontier.py) therefore divides them into leaves of
links like which followed ones have led to similar rewards. After every page, a random link of each leaf is drawn, and
the one with the highest Q-value is next. For the first `start` pages, the leaf is random, too.

We know the paper by its abstract and by accounts of it, and the authors' code (github.com/ddaedalus/tres). From there
come the features, in steps of a tenth; the network (30 and 15 leaky rectifiers, Adam); batches of 60 every 3 pages;
gamma; leaves that are split from 5 experiences on, down to depth 18. In the original, keywords are expanded by word
vectors and a recurrent network, trained on a thousand labelled pages, says whether a page is relevant (the reward) and
how relevant the words of a link are. Here the judge says the former, and naive Bayes over the words of the pages of the
crawl the latter. The original explores 300 to 500 of 20,000 pages and renews Q' every 500; our crawls are shorter, and
so are `start` and `renew`. It fetches at most 100 pages of a site, which is left to the user. The first link to a URL
counts, unless a later one is on a relevant page and the first was not. With several workers, links that are not next
are followed in the order of the Q-values that they had when they were found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.core.brief import Brief
from lycosa.core.keys import key64
from lycosa.core.nouns import Miss, Page, Plain, Ticket, Topic, Visit
from lycosa.core.strategy import Strategy, register
from lycosa.core.urls import host_of
from lycosa.strategy.link_words import ADDRESS, ANCHOR, Words, page_words, read_words, words_in
from lycosa.strategy.q_network import Floats, QNetwork
from lycosa.strategy.relevance_bar import RelevanceBar, check_bar
from lycosa.strategy.tree_frontier import STEPS, TreeFrontier, WaitingLinks
from lycosa.strategy.word_bayes import WordBayes

_FEATURES = 9
_PARENT, _DISTANCE, _RATIO, _URL, _SOME, _ALL, _HOST, _UNKNOWN, _LIKELY = range(_FEATURES)
_PAGE = 128
"""Words of a page from which the words of relevant pages are learned: the most frequent."""
_BATCH = 60
"""Steps that are learned together."""
_SPLIT, _DEPTH = 5, 18
_CODE = (STEPS + 1) ** np.arange(_FEATURES, dtype=np.int64)
"""Makes one number of a row of features."""
_NEXT, _SEED = 1000.0, 10_000.0
"""What is added to the score of the link that is next, and the score of a seed."""


@register("tres")
@dataclass
class Tres(Strategy):
    """Learn by reinforcement what following a link is worth, and compare only one link of each kind."""

    context: ClassVar[bool] = True
    merge: ClassVar[str] = "last"
    gamma: float = 0.99
    """The discount of later rewards."""
    start: int = 50
    """Pages before Q-values are learned and used."""
    renew: int = 100
    """Pages after which the older copy of the network is renewed."""
    period: int = 3
    """Pages from one lesson of the network to the next."""
    rate: float = 0.001
    """The learning rate of the network."""
    relevant: float = -1.0
    """The relevance from which a page is relevant; -1 = the mean relevance of the crawl so far."""
    buffer: int = 20_000
    """How many steps are remembered to learn from: the latest."""
    memory: int = 200_000
    """Most links that wait in the tree; more wait outside it."""

    def __post_init__(self) -> None:
        if not 0 <= self.gamma < 1:
            raise self.bad_option("gamma", fix="give a number from 0 to less than 1")
        check_bar(self)
        if not 0 < self.rate < 1:
            raise self.bad_option("rate", fix="give a number above 0 and below 1")
        for name, least in (("start", 0), ("renew", 1), ("period", 1), ("buffer", _BATCH), ("memory", 1)):
            if getattr(self, name) < least:
                raise self.bad_option(name, fix=f"give at least {least}")

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds."""
        self._rng = brief.rng
        self._keywords = np.array(sorted(set(words_in(brief.topic.keywords, brief.topic.analysis))), np.uint16)
        self._bar = RelevanceBar(brief.topic.examples, self.relevant)
        self._network = QNetwork(_FEATURES, brief.rng, self.rate)
        self._words = WordBayes(2, (slice(0, _PAGE),))
        self._tree = TreeFrontier(_FEATURES, split=_SPLIT, depth=_DEPTH)
        self._hosts: dict[str, list[int]] = {}
        """By host: relevant pages, and all pages."""
        self._steps: list[tuple[bytes, float, bytes]] = []
        """The features of a followed link, its reward, and the features of the links of its page."""
        self._links: dict[str, int] = {}
        """The numbers of the links that wait in the tree."""
        self._left: set[int] = {key64(url) for url in brief.seeds}
        """The keys of URLs that were chosen, fetched or given up: they wait no more."""
        self._waiting = WaitingLinks(_FEATURES)
        self._pages = 0
        return [Ticket(url, _SEED) for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The frequent words of the page, and the words of each link."""
        return list(page_words(page, _PAGE, topic.analysis))

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Learn from the step that led here, let the page's links wait, and choose the next one."""
        frequent, linked = visit.sense
        good = self._bar.passes(visit.url, visit.relevance)
        self._drop(visit.url)
        host = self._hosts.setdefault(host_of(visit.url), [0, 0])
        host[0] += good
        host[1] += 1
        self._words.add(np.frombuffer(frequent, np.uint16), int(good))
        memo = visit.ticket.memo
        path = _onward(memo[1:4] if memo else [0, 0, 0], good)
        features = self._features(visit.links, read_words(linked), path, good)
        if memo:
            step = np.frombuffer(memo[0], np.uint8)
            self._steps.append((memo[0], float(good), _distinct(features).tobytes()))
            if len(self._steps) > self.buffer:
                del self._steps[: len(self._steps) - self.buffer]
            self._tree.learn(step, float(good), self._waiting.features)
        self._pages += 1
        if self._pages > self.start and self._pages % self.period == 0:
            self._lesson()
        if self._pages % self.renew == 0:
            self._network.renew()
        tickets = self._wait(visit, features, path)
        return [*tickets, *self._next()]

    def miss(self, miss: Miss) -> Iterable[Ticket]:
        """Stop waiting for a page that cannot be fetched, and choose another one."""
        self._drop(miss.ticket.url)
        return self._next()

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The Q-value, and what was added because the link is the best of those that were drawn."""
        if not ticket.memo:
            return {}
        value = ticket.memo[4]
        parts = {"expected reward, discounted": value}
        return parts | ({"drawn and best": ticket.score - value} if ticket.score != value else {})

    def save(self) -> Plain:
        """Network, tree, words, steps and waiting links."""
        return {
            "bar": self._bar.save(),
            "network": self._network.save(),
            "words": self._words.save(),
            "tree": self._tree.save(),
            "hosts": self._hosts,
            "steps": [list(step) for step in self._steps],
            "links": self._links,
            "left": np.array(sorted(self._left), np.uint64).tobytes(),
            "waiting": self._waiting.save(),
            "pages": self._pages,
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._bar.load(state["bar"])
        self._network.load(state["network"])
        self._words.load(state["words"])
        self._tree.load(state["tree"])
        self._hosts, self._links, self._pages = state["hosts"], state["links"], state["pages"]
        self._steps = [(features, reward, links) for features, reward, links in state["steps"]]
        self._waiting.load(state["waiting"])
        self._left = set(np.frombuffer(state["left"], np.uint64).tolist())

    def _features(self, links: Iterable[str], words: Words, path: list[int], good: bool) -> NDArray[np.uint8]:
        """The features of a page's links, in tenths."""
        relevant, irrelevant, distance = path
        found = np.zeros((len(words), _FEATURES), np.uint8)
        found[:, _PARENT] = STEPS * good
        found[:, _DISTANCE] = STEPS // distance
        found[:, _RATIO] = STEPS * relevant // (relevant + irrelevant)
        anchors = np.isin(words[:, ANCHOR], self._keywords)
        found[:, _URL] = STEPS * np.isin(words[:, ADDRESS], self._keywords).any(axis=1)
        found[:, _SOME] = STEPS * anchors.any(axis=1)
        every = [(words[:, ANCHOR] == word).any(axis=1) for word in self._keywords]
        found[:, _ALL] = STEPS * np.logical_and.reduce(every) if every else 0
        shares = [self._host_features(url) for url in links]
        if shares:
            found[:, _HOST], found[:, _UNKNOWN] = np.array(shares, np.uint8).T
        if self._words.examples.all():
            logs = self._words.evidence(np.hstack([words[:, ANCHOR], words[:, ADDRESS]]))[:, :, 0]
            odds = np.clip(logs[:, 1] - logs[:, 0], -30, 30)
            found[:, _LIKELY] = np.floor(np.round(STEPS / (1 + np.exp(-odds)), 6))
        else:
            found[:, _LIKELY] = STEPS // 2
        return found

    def _host_features(self, url: str) -> tuple[int, int]:
        relevant, pages = self._hosts.get(host_of(url), (0, 0))
        return (STEPS * relevant // pages, 0) if pages else (STEPS // 2, STEPS)

    def _wait(self, visit: Visit, features: NDArray[np.uint8], path: list[int]) -> Iterator[Ticket]:
        """Add the links that are not known yet, or that were known only from an irrelevant page."""
        values = self._values(features)
        for place, url in enumerate(visit.links):
            known = self._links.get(url)
            if known is None and key64(url) in self._left:
                continue
            memo = [features[place].tobytes(), *path, values[place]]
            if known is None and len(self._links) >= self.memory:
                # It waits outside the tree, where nothing but its value says when it is its turn.
                yield Ticket(url, values[place], via=visit.url, memo=memo)
                continue
            if known is not None:
                if features[place, _PARENT] <= self._waiting.features[known, _PARENT]:
                    continue
                self._drop(url)
                self._left.discard(key64(url))
            number = self._links[url] = self._waiting.add(url, features[place], [*path, visit.url])
            self._tree.add(number, features[place])
            yield Ticket(url, values[place], via=visit.url, memo=memo)

    def _drop(self, url: str) -> None:
        self._left.add(key64(url))
        number = self._links.pop(url, None)
        if number is not None:
            self._tree.remove(number)
            self._waiting.remove(number)

    def _values(self, features: NDArray[np.uint8]) -> list[float]:
        # Rounded, so that machines that add in another order agree.
        _, first, of = np.unique(features @ _CODE, return_index=True, return_inverse=True)
        values: list[float] = np.round(self._network.values(_inputs(features[first])), 6)[of].tolist()
        return values

    def _next(self) -> list[Ticket]:
        """The best of one random link of each leaf; at first, any of them."""
        drawn = self._tree.sample(self._rng)
        if not drawn:
            return []
        features = self._waiting.features[drawn]
        urls = [self._waiting.urls[number] for number in drawn]
        features[:, [_HOST, _UNKNOWN]] = [self._host_features(url) for url in urls]
        values = self._values(features)
        best = int(np.argmax(values)) if self._pages >= self.start else int(self._rng.random() * len(drawn))
        number = drawn[best]
        *path, via = self._waiting.paths[number]
        self._drop(urls[best])
        memo = [features[best].tobytes(), *path, values[best]]
        return [Ticket(urls[best], values[best] + _NEXT, via=via, memo=memo)]

    def _lesson(self) -> None:
        """Learn from a batch of random earlier steps."""
        count = len(self._steps)
        if not count:
            return
        batch = [self._steps[int(self._rng.random() * count)] for _ in range(min(_BATCH, count))]
        targets = np.array([reward for _, reward, _ in batch])
        onward = [np.frombuffer(links, np.uint8).reshape(-1, _FEATURES) for _, _, links in batch]
        sizes = np.array([len(links) for links in onward])
        if sizes.any():
            inputs = _inputs(np.concatenate(onward))
            values, older = self._network.values(inputs), self._network.values(inputs, copy=True)
            ends = np.cumsum(sizes)
            for place, (start, end) in enumerate(zip(ends - sizes, ends, strict=True)):
                if end > start:
                    targets[place] += self.gamma * older[start + int(np.argmax(values[start:end]))]
        steps = np.frombuffer(b"".join([features for features, _, _ in batch]), np.uint8).reshape(-1, _FEATURES)
        self._network.train(_inputs(steps), targets)


def _distinct(features: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each row once: most links of a page look like others."""
    return features[np.unique(features @ _CODE, return_index=True)[1]]


def _inputs(features: NDArray[np.uint8]) -> Floats:
    return features / float(STEPS)


def _onward(path: list[int], good: bool) -> list[int]:
    """The path to a page's links: relevant and irrelevant pages, and the distance from the last relevant one."""
    relevant, irrelevant, distance = path
    return [relevant + good, irrelevant + (not good), 1 if good else distance + 1]
