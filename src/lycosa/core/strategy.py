"""The Strategy interface and the registry in which strategies are found by name.

A strategy is a deterministic fold over visits: tickets in, outcomes in, tickets out. Its randomness comes only from
`brief.rng`, its options are dataclass fields, and it does no I/O: nothing that it is given does any.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from lycosa.core.brief import Brief
from lycosa.core.nouns import Judgement, Miss, Move, Page, Plain, Ticket, Topic, Visit
from lycosa.core.priors import Student
from lycosa.core.registry import Registry


class Strategy(Student):
    """How promising is this link? Subclasses write `learn`; everything else has a default."""

    merge: ClassVar[str] = "max"
    """What a second ticket for a queued URL does to its score: max, last, sum, or nothing at all (first)."""
    full: ClassVar[str] = "keep-best"
    """What a full frontier does with one more ticket: keep-best drops the worst of all, replace-worst lets it in."""
    context: ClassVar[bool] = False
    """Whether `sense` looks at link spans and rings; parsing is cheaper when it does not."""
    reads_pages: ClassVar[bool] = False
    """Whether it reads the page model of the crawl (`brief.pages`); the laboratory makes none for those that do not."""
    tag_paths: ClassVar[bool] = False
    """Whether `sense` looks at the tag paths of links, too; a strategy that sets it must also set `context`."""
    log_odds: ClassVar[bool] = False
    """Whether the scores are log-odds of a relevant page."""
    put_first: ClassVar[float] = math.inf
    """Scores from this one on only put a link first, and do not say how promising it is."""
    own_lanes: ClassVar[bool] = False
    """Whether a URL may wait in several lanes at once (`frontier/own_lanes.py`); otherwise it is in one of them."""
    judge_text: Callable[[str], float]
    """For `sense`: how relevant any text is, such as the words around a link, by the judge of the crawl."""
    batch: int | None = None
    """How many tickets are dequeued together; all of them are fetched before any other (Best-N-First)."""
    capacity: int | None = None
    """How many tickets the frontier holds, where the strategy's paper says so; None leaves it to the user."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The first tickets: the seeds, each with the highest score. A resumed crawl calls it too, before `load`."""
        return [Ticket(url, 1.0) for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """Stateless text work on a page, done by the scouts in parallel; its result reaches `learn` as visit.sense.

        It may read the options, but nothing that was learned: a scout has a strategy of its own, which never learns.
        """
        return None

    def learn(self, visit: Visit) -> Iterable[Ticket | Move]:
        """The tickets that follow from a visit, and moves of queued tickets between lanes."""
        raise NotImplementedError

    def miss(self, miss: Miss) -> Iterable[Ticket | Move]:
        """The tickets that follow from a page that could not be fetched."""
        return ()

    def judged(self, judgement: Judgement) -> Iterable[Ticket | Move]:
        """The tickets that follow from a person's judgement of a visited page."""
        return ()

    def withdrawn(self, url: str) -> Iterable[Ticket | Move]:
        """The tickets that follow when a judgement is withdrawn; strategies that learn from judgements unlearn it.

        Afterwards the strategy should be as close as possible to what it would be without the judgement.
        """
        return ()

    def doubts(self, count: int) -> Sequence[str]:
        """Visited pages whose judgement by a person would teach most; empty if judgements teach it nothing."""
        return ()

    def choose(self, lanes: Mapping[str, Ticket]) -> str:
        """Which lane is next, given the best ready ticket of each: by default the one with the best score.

        It draws no random numbers and learns nothing: a resumed crawl repeats its leases without calling it.
        """
        return max(lanes, key=lambda lane: lanes[lane].score)

    def place_in_batch(self, ticket: Ticket) -> float:
        """Where a ticket comes in its batch: the lowest first, and among equals the best; draws no random numbers."""
        return 0.0

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of a ticket's score, for `why`."""
        return {}

    def portrait(self) -> Plain:
        """What it has learned, as plain data to show to people; None if there is nothing to show."""
        return None

    def save(self) -> Plain:
        """What was learned, as plain data; options and brief.rng are kept by the engine."""
        return None

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""


def best_of_each(tickets: Iterable[Ticket]) -> list[Ticket]:
    """The ticket with the best score for each URL, because a page may link to a URL several times."""
    best: dict[str, Ticket] = {}
    for ticket in tickets:
        known = best.get(ticket.url)
        if known is None or ticket.score > known.score:
            best[ticket.url] = ticket
    return list(best.values())


_registry: Registry[Strategy] = Registry("strategy", "lycosa.strategy", "lycosa.strategies")
register = _registry.register


def strategies() -> Mapping[str, type[Strategy]]:
    """Every strategy there is: one per file of lycosa.strategy, and those of other packages' entry points."""
    return _registry.all()


def make(name: str, settings: Mapping[str, Any] | None = None) -> Strategy:
    """A strategy by name or `module:Class`, with its options set; text values are converted to the option's type."""
    return _registry.make(name, settings or {}, Strategy)
