"""Slows a crawl down while this machine is short of something or has no network, and gives up in the end.

This is not part of the crawl's state: a resumed crawl begins at full speed and finds out for itself.
"""

from __future__ import annotations

from lycosa.core.nouns import LOST, RESTING, Miss, Outcome

_FIRST, _LONGEST = 0.5, 15.0
"""Seconds of the first pause, and of the longest; each is twice the one before."""
_GROWTH = 0.25
"""Orders under way that every answer adds to a crawl that was slowed down."""


class OutageWait:
    """How many orders may be under way, and from when on.

    A failure of our own side stops leasing for a moment and halves the orders under way; every answer adds a fraction
    of one. So a crawl settles at what the machine can bear, and tries a single page from time to time while nothing
    works.
    """

    def __init__(self, workers: int, patience: float) -> None:
        self.workers = workers
        self.patience = patience
        self.reason = ""
        """What is lacking; empty while all is well."""
        self.until = 0.0
        """Nothing is leased before this time."""
        self._since = 0.0
        self._pause = 0.0
        self._width = float(workers)

    @property
    def width(self) -> int:
        """How many orders may be under way."""
        return int(self._width)

    def saw(self, outcome: Outcome, now: float, under_way: int) -> None:
        """Take note of an outcome; `under_way` orders are still open."""
        if isinstance(outcome, Miss) and outcome.ours:
            self.struck(outcome.reason, now, under_way)
        elif not isinstance(outcome, Miss) or (outcome.asked and outcome.reason not in (LOST, RESTING)):
            self.reason, self._pause = "", 0.0
            self._width = min(float(self.workers), self._width + _GROWTH)

    def struck(self, reason: str, now: float, under_way: int) -> None:
        """Our own side failed."""
        if not self.reason:
            self._since = now
        self.reason = reason
        if now >= self.until:
            # Orders that fail within a pause were sent before it: this is one shortage, not many.
            self._pause = min(2 * self._pause or _FIRST, _LONGEST)
            self.until = now + self._pause
            self._width = max(1.0, min(self._width, under_way) // 2)

    def is_over(self, now: float) -> bool:
        """Whether the outage has lasted longer than `patience` seconds."""
        return bool(self.reason) and now - self._since >= self.patience

    def said(self, now: float) -> str:
        """The message shown while the outage lasts; empty while all is well."""
        return f"waiting for {now - self._since:.0f} s: {self.reason}" if self.reason else ""
