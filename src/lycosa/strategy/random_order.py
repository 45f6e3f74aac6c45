"""Random: the frontier's links in random order, the floor below which no strategy should fall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from lycosa.core.brief import Brief
from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import Strategy, register


@register("random")
@dataclass
class RandomOrder(Strategy):
    """Follow any link, whatever it says."""

    merge: ClassVar[str] = "first"
    """A link found often is no likelier to be next: its first draw stands."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds, and from now on the brief's dice."""
        self._rng = brief.rng
        return super().begin(brief)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """A draw for each link."""
        return [Ticket(url, self._rng.random(), via=visit.url) for url in visit.links]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """Nothing but the dice."""
        return {"luck": ticket.score} if ticket.via else {}
