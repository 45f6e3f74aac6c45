"""Judgements of pages, taken from a collection's inbox into the crawl while it runs; a judge who reads makes some."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from lycosa.engine.crawl import Crawl
from lycosa.store.collection import Collection

if TYPE_CHECKING:
    from lycosa.engine.reader import Reader

_EVERY = 0.25
"""Seconds between two reads of the inbox."""


class JudgementListener:
    """Called at every tick of a crawl; reads the inbox at most every _EVERY seconds."""

    def __init__(self, collection: Collection, crawl: Crawl, clock: Callable[[], float]) -> None:
        self._collection = collection
        self._crawl = crawl
        self._clock = clock
        self.read_at = -math.inf
        self._heard: int | None = None
        self.reader = _reader(collection, crawl, clock)
        """Asks the judge of the plan, if that is one who reads."""

    def __call__(self) -> None:
        """Give new judgements to the crawl."""
        answered = self.reader is not None and self.reader()
        if not answered and time.monotonic() - self.read_at < _EVERY:
            return
        self.read_at = time.monotonic()
        inbox, crawl = self._collection.inbox, self._crawl
        if self._heard is None:
            self._heard = crawl.heard
        if inbox.size() < self._heard:
            # An inbox that has become shorter is a new one.
            self._heard = 0
        news = False
        for judgement, end in inbox.read(self._heard):
            self._heard = end
            page = self._collection.log.page(judgement.url)
            if page and crawl.judgements.get(judgement.url) is not judgement.relevant:
                crawl.judged(judgement, self._clock(), end)
                news = True
        if news:
            crawl.rejudge(self._clock())


def _reader(collection: Collection, crawl: Crawl, clock: Callable[[], float]) -> Reader | None:
    judge = crawl.plan.make_judge()
    if not judge.reads:
        return None
    # Imported here, because most hunts ask nobody.
    from lycosa.engine.reader import Reader
    from lycosa.judge.llm import Llm

    assert isinstance(judge, Llm)
    return Reader(collection, crawl, judge, clock, patient=bool(crawl.plan.recorded))
