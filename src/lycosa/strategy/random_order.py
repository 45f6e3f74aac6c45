"""Random order: a baseline of our own, below which no strategy should fall."""

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
    """Follow any link, whatever its words."""

    merge: ClassVar[str] = "first"
    """A link that is found often is not more likely to be next: it keeps its first random number."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds."""
        self._rng = brief.rng
        return super().begin(brief)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """A random number for each link."""
        return [Ticket(url, self._rng.random(), via=visit.url) for url in visit.links]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """Only chance."""
        return {"luck": ticket.score} if ticket.via else {}
