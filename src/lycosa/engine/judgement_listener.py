"""People's judgements, taken from a collection's inbox into the crawl while it runs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from lycosa.engine.crawl import Crawl
from lycosa.store.collection import Collection

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

    def __call__(self) -> None:
        """Give new judgements to the crawl."""
        if time.monotonic() - self.read_at < _EVERY:
            return
        self.read_at = time.monotonic()
        inbox, crawl = self._collection.inbox, self._crawl
        if self._heard is None:
            self._heard = crawl.heard
        if inbox.size() < self._heard:
            # An inbox that has become shorter is a new one.
            self._heard = 0
        for judgement, end in inbox.read(self._heard):
            self._heard = end
            page = self._collection.log.page(judgement.url)
            if page and crawl.judgements.get(judgement.url) is not judgement.relevant:
                crawl.judged(judgement, self._clock(), page.relevance, end)
