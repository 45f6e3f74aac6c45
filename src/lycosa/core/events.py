"""The events of the log. The state of a crawl is the fold of its events; everything else only reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from lycosa.core.nouns import PERSON, Estimate, Miss, Outcome, Plain, Redirect, Ticket, Visit


class Began(Struct, frozen=True, tag="began"):
    """A crawl began or was resumed; the plan holds everything needed to continue it on another machine."""

    plan: dict[str, Plain]
    learning: int = 0
    """The version of what is learned from events; another version makes other tickets of the same pages."""


class Leased(Struct, frozen=True, tag="leased"):
    """A ticket was handed to a scout: its rank in the queue, the length of the queue, and the parts of its score."""

    ticket: Ticket
    rank: int = 1
    queued: int = 0
    parts: Mapping[str, float] = {}


class Visited(Struct, frozen=True, tag="visited"):
    """A page was fetched and the strategy learned from it; `sum` is a checksum of the resulting tickets."""

    visit: Visit
    sum: int = 0
    relevance: float | UnsetType | None = UNSET
    """How likely the page was on topic, as far as was known then; None if nothing was, unset if nobody asked."""

    @property
    def shown(self) -> float | None:
        """The relevance that is shown until the page is judged again: in logs of earlier versions the judge's score."""
        return self.visit.relevance if self.relevance is UNSET else self.relevance


class Redirected(Struct, frozen=True, tag="redirected"):
    """A URL answered with a redirect."""

    redirect: Redirect


class Missed(Struct, frozen=True, tag="missed"):
    """A ticket brought no page; if not `final`, it will be tried again. `sum` as in Visited."""

    miss: Miss
    final: bool = True
    sum: int = 0


class Asked(Struct, frozen=True, tag="asked"):
    """A host's robots.txt asked for this many seconds between requests."""

    host: str
    pause: float


class Judged(Struct, frozen=True, tag="judged"):
    """A person, or a machine that reads, said whether a page is relevant; `sum` as in Visited."""

    url: str
    relevant: bool | None
    """None if an earlier judgement was withdrawn."""
    sum: int = 0
    heard: int = 0
    """The position in the inbox of judgements after this one."""
    origin: str = PERSON
    """As in Judgement."""


class Rejudged(Struct, frozen=True, tag="rejudged"):
    """The crawl has learned more, and says again how relevant its pages are."""

    packed: bytes
    """One byte for each of the latest pages, in the order of their visits (`core.rejudging`)."""


class Estimated(Struct, frozen=True, tag="estimated"):
    """The census made a new estimate of how many relevant pages there are."""

    estimate: Estimate


class KeptOut(Struct, frozen=True, tag="kept-out"):
    """How many different links the scope has kept out so far, by rule; told now and then, for people only."""

    links: Mapping[str, int]


class Stopped(Struct, frozen=True, tag="stopped"):
    """The crawl stopped: finished (budget spent, nothing left to fetch) or interrupted."""

    reason: str
    finished: bool
    queued: int = 0
    """How many tickets were still queued."""
    failed: bool = False
    """It ended by itself without a single page: none of its seeds could be fetched."""
    left_out: Mapping[str, int] = {}
    """How many links were not followed, by reason."""

    @property
    def state(self) -> Literal["failed", "finished", "stopped"]:
        """How it ended, in a word."""
        return "failed" if self.failed else "finished" if self.finished else "stopped"


Event = Began | Leased | Visited | Redirected | Missed | Asked | Judged | Rejudged | Estimated | KeptOut | Stopped


def outcome_of(event: Event) -> Outcome | None:
    """The outcome that an event reports; None for other events, and for a miss after which the URL is tried again."""
    match event:
        case Visited(visit=outcome) | Redirected(redirect=outcome) | Missed(miss=outcome, final=True):
            return outcome
    return None
