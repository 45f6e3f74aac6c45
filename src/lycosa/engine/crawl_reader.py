"""The crawl reader: follows a collection, even while it is crawled, and knows what the crawl knows; writes nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path

import msgspec

from lycosa.core.brief import Brief
from lycosa.core.nouns import Judgement, Plain, Ticket
from lycosa.core.strategy import Strategy
from lycosa.core.urls import host_of
from lycosa.engine.crawl import Crawl
from lycosa.engine.crawl_recovery import catch_up, plan_of, priors_of, recall
from lycosa.engine.relevance import Relevance
from lycosa.store.collection import Collection
from lycosa.system.closable import Closable

_NEAR = 2000
"""Pages considered if the strategy itself has no doubts."""


class CrawlReader(Closable):
    """A copy of a crawl, stopped or running; close it, or use it in a `with` statement.

    The copy only repeats what is in the log. Judgements that are not there yet are given to another copy of the
    strategy and of the page model, which are asked for doubts, so that each judgement already improves the choice of
    the next page.
    """

    def __init__(self, folder: Path) -> None:
        self.collection = Collection.open(folder)
        try:
            self.plan = plan_of(self.collection)
            self._priors = priors_of(self.collection)
            # With a `tell` that does nothing, so that the copy has a census like the crawl.
            self.crawl = Crawl(self.plan, lambda event, at: None)
            self._seq = recall(self.crawl, self.collection, self._priors)
        except BaseException:
            self.collection.close()
            raise
        self._asked: Strategy | None = None
        self._relevance = Relevance(self.plan.topic)
        """The model of that copy."""
        self._said: dict[str, bool | None] = {}
        for heard in self.collection.inbox.read(self.crawl.heard):
            self.judged(heard.judgement)

    @property
    def learns(self) -> bool:
        """Whether the strategy learns from judgements."""
        return learns_from_people(self.crawl.strategy)

    def catch_up(self) -> None:
        """Take in the events since the last call."""
        seq = catch_up(self.crawl, self.collection, self._seq)
        if seq != self._seq:
            self._seq, self._asked = seq, None
            known = self.crawl.judgements
            self._said = {url: word for url, word in self._said.items() if known.get(url) is not word}

    def judged(self, judgement: Judgement) -> None:
        """Take in a judgement, or a withdrawn one, that has not reached the crawl yet."""
        self._said[judgement.url] = judgement.relevant
        if judgement.relevant is None:
            # A new copy is given the remaining judgements, which is more exact than unlearning.
            self._asked = None
        elif self._asked:
            self._hear(self._asked, judgement)

    def doubts(self, count: int) -> Sequence[str]:
        """Pages whose judgement would teach most, without those already judged."""
        words = {**self.crawl.judgements, **self._said}
        done = {url for url, word in words.items() if word is not None}
        found = [url for url in self._strategy().doubts(count + len(done)) if url not in done]
        return (found or self._in_the_middle(count, done))[:count]

    def best(self, count: int) -> list[Ticket]:
        """The best tickets in the frontier."""
        return self.crawl.frontier.best(count)

    def _strategy(self) -> Strategy:
        if self._asked is None:
            asked, plan = self.plan.make_strategy(), self.plan
            asked.prepare(plan.topic, self._priors)
            # Through bytes, as in a checkpoint, so that the copies share no objects with the crawl.
            assert self.crawl.relevance
            self._relevance = Relevance(plan.topic)
            self._relevance.load(_copied(self.crawl.relevance.save()))
            dice = random.Random(plan.seed)
            list(asked.begin(Brief(plan.topic, plan.seeds, dice, self._priors, self._relevance.pages)))
            asked.load(_copied(self.crawl.strategy.save()))
            self._asked = asked
            for url, word in self._said.items():
                if word is not None or url in self.crawl.judgements:
                    self._hear(asked, Judgement(url, word))
        return self._asked

    def _hear(self, asked: Strategy, judgement: Judgement) -> None:
        url, relevant, _ = judgement
        self._relevance.judged(url, relevant)
        list(asked.withdrawn(url) if relevant is None else asked.judged(judgement))

    def _in_the_middle(self, count: int, done: set[str]) -> list[str]:
        """Pages that are about as likely relevant as not, from as many hosts as possible."""
        turns = Counter(map(host_of, done))
        found: list[tuple[int, str]] = []
        for url in self._relevance.doubtful(len(done) + _NEAR):
            if url not in done:
                found.append((turns[host_of(url)], url))
                turns[host_of(url)] += 1
        # A host's second page comes after the first pages of all other hosts.
        return [url for _, url in sorted(found, key=itemgetter(0))[:count]]

    def close(self) -> None:
        """Close the collection."""
        self.collection.close()


def learns_from_people(strategy: Strategy) -> bool:
    """Whether a strategy learns from judgements."""
    return type(strategy).judged is not Strategy.judged


def _copied(state: Plain) -> Plain:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state))
