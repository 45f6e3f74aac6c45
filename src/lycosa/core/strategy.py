"""The Strategy interface and the shelf on which strategies are found by name.

A strategy is a deterministic fold over visits: tickets in, outcomes in, tickets out. Its randomness comes only from
`brief.rng`, its options are dataclass fields, and it can do no I/O: nothing it is given can.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, ClassVar, TypeVar

from lycosa.core.errors import Refused
from lycosa.core.nouns import Brief, Miss, Move, Page, Plain, Ticket, Topic, Visit


class Strategy:
    """How promising is this link? Subclasses write `learn`; everything else has a default."""

    name: ClassVar[str] = ""
    merge: ClassVar[str] = "max"
    """What a second ticket for a queued URL does to its score: max, last, sum, or nothing at all (first)."""
    full: ClassVar[str] = "keep-best"
    """What a full frontier does with one more ticket: keep-best drops the worst of all, replace-worst lets it in."""
    context: ClassVar[bool] = False
    """Whether `sense` looks at link spans and rings; parsing is cheaper when it does not."""
    batch: int = 1
    """How many tickets are dequeued together before new ones may overtake them (Best-N-First)."""
    capacity: int | None = None
    """How many tickets the frontier holds, where the strategy's paper says so; None leaves it to the user."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The first tickets: the seeds, each with the highest score. Called before `load` too, when a crawl resumes."""
        return [Ticket(url, 1.0) for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """Stateless text work on a page, done by the scout in parallel; its result reaches `learn` as visit.sense.

        It may read the options, but nothing that was learned: a scout's strategy is another one, which never learns.
        """
        return None

    def learn(self, visit: Visit) -> Iterable[Ticket | Move]:
        """The tickets that follow from a visit, and the moves of those that wait already from lane to lane."""
        raise NotImplementedError

    def miss(self, miss: Miss) -> Iterable[Ticket | Move]:
        """The tickets that follow from a page that could not be had."""
        return ()

    def choose(self, lanes: Mapping[str, Ticket]) -> str:
        """Which lane is next, given the best ready ticket of each: by default the one with the best score.

        It throws no dice and learns nothing: a resumed crawl repeats its leases without asking again.
        """
        return max(lanes, key=lambda lane: lanes[lane].score)

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of a ticket's score, for `why`."""
        return {}

    def save(self) -> Plain:
        """What was learned, as plain data; options and brief.rng are kept by the engine."""
        return None

    def load(self, state: Plain) -> None:
        """Take up what `save` returned."""


def best_of_each(tickets: Iterable[Ticket]) -> list[Ticket]:
    """For each URL its ticket with the best score: a page may link to a URL from several places."""
    best: dict[str, Ticket] = {}
    for ticket in tickets:
        known = best.get(ticket.url)
        if known is None or ticket.score > known.score:
            best[ticket.url] = ticket
    return list(best.values())


S = TypeVar("S", bound=type[Strategy])
_shelf: dict[str, type[Strategy]] = {}


def register(name: str) -> Callable[[S], S]:
    """Put a strategy on the shelf under the name users type."""

    def put(strategy: S) -> S:
        strategy.name = name
        _shelf[name] = strategy
        return strategy

    return put


def strategies() -> Mapping[str, type[Strategy]]:
    """Every strategy there is: one per file of lycosa.strategy, and those of other packages' entry points."""
    room = import_module("lycosa.strategy")
    for module in iter_modules(room.__path__):
        import_module(f"lycosa.strategy.{module.name}")
    for entry in entry_points(group="lycosa.strategies"):
        found = entry.load()
        _shelf.setdefault(entry.name, found)
    return dict(sorted(_shelf.items()))


def options(strategy: type[Strategy]) -> Sequence[dataclasses.Field[Any]]:
    """The options of a strategy: its dataclass fields."""
    return dataclasses.fields(strategy) if dataclasses.is_dataclass(strategy) else ()


def make(name: str, settings: Mapping[str, Any] | None = None) -> Strategy:
    """A strategy by name, or by `module:Class`, with its options set; text values are read as the option's type."""
    kind = _imported(name) if ":" in name else strategies().get(name)
    if kind is None:
        raise Refused(f"unknown strategy {name!r}", f"choose one of: {', '.join(strategies())}")
    fields = {field.name: field for field in options(kind)}
    values = {}
    for key, value in (settings or {}).items():
        if key not in fields:
            known = ", ".join(fields) or "none"
            raise Refused(f"strategy {name} has no option {key!r}", f"its options: {known}")
        values[key] = _read(name, fields[key], value)
    return kind(**values)


def _imported(place: str) -> type[Strategy]:
    module, _, name = place.partition(":")
    try:
        kind = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise Refused(f"strategy {place} cannot be imported ({error})", "write module:Class") from None
    if not (isinstance(kind, type) and issubclass(kind, Strategy)):
        raise Refused(f"{place} is no strategy", "name a subclass of lycosa.Strategy")
    return kind


def _read(name: str, field: dataclasses.Field[Any], value: Any) -> Any:
    kind = field.type if isinstance(field.type, str) else field.type.__name__
    try:
        if kind == "bool" and isinstance(value, str):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        return {"int": int, "float": float, "str": str}.get(kind, lambda v: v)(value)
    except (KeyError, ValueError):
        raise Refused(
            f"option {field.name} of {name} takes {kind}, not {value!r}", f"for example {field.name}={field.default}"
        ) from None
