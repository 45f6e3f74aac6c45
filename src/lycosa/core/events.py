"""What is told to the log. A crawl is the fold of its events; everything else is a reader of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from lycosa.core.nouns import Estimate, Miss, Plain, Redirect, Ticket, Visit


class Began(Struct, frozen=True, tag="began"):
    """A crawl was asked for; the plan holds everything needed to continue it elsewhere."""

    plan: dict[str, Plain]


class Leased(Struct, frozen=True, tag="leased"):
    """A ticket was handed to a scout: its rank among the queued ones, how many those were, and the score's parts."""

    ticket: Ticket
    rank: int = 1
    queued: int = 0
    parts: Mapping[str, float] = {}


class Visited(Struct, frozen=True, tag="visited"):
    """A page came back and was learned from; `sum` is a checksum over the tickets that followed."""

    visit: Visit
    sum: int = 0


class Redirected(Struct, frozen=True, tag="redirected"):
    """A URL pointed elsewhere."""

    redirect: Redirect


class Missed(Struct, frozen=True, tag="missed"):
    """A ticket brought no page; `final` tells whether it is asked for again. `sum` as in Visited."""

    miss: Miss
    final: bool = True
    sum: int = 0


class Asked(Struct, frozen=True, tag="asked"):
    """A host's robots.txt asked for this many seconds between requests."""

    host: str
    pause: float


class Judged(Struct, frozen=True, tag="judged"):
    """A person said whether a page is relevant; `sum` as in Visited."""

    url: str
    relevant: bool | None
    """None: what was said before was taken back."""
    sum: int = 0
    relevance: float | None = None
    """What the judge had said of it."""
    heard: int = 0
    """How far the inbox of judgements was read with this one."""


class Estimated(Struct, frozen=True, tag="estimated"):
    """How many relevant pages there may be, as far as could be told now and then."""

    estimate: Estimate


class Stopped(Struct, frozen=True, tag="stopped"):
    """The crawl came to rest: finished (budget spent, nothing left) or interrupted."""

    reason: str
    finished: bool
    queued: int = 0
    """How many links were left."""
    failed: bool = False
    """It ended by itself without a single page: none of its seeds could be fetched."""
    left_out: Mapping[str, int] = {}
    """How often a link was found that was not followed, by reason."""

    @property
    def state(self) -> Literal["failed", "finished", "stopped"]:
        """How it ended, in a word."""
        return "failed" if self.failed else "finished" if self.finished else "stopped"


Event = Began | Leased | Visited | Redirected | Missed | Asked | Judged | Estimated | Stopped
