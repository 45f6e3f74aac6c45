"""Breadth-first (Pant & Menczer 2003, section 4.2): links are followed in the order in which they were found.

The frontier is a first-in first-out queue; once it is full, new links are taken only while there is room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import Strategy, register


@register("breadth-first")
@dataclass
class BreadthFirst(Strategy):
    """Follow links in the order of their discovery."""

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """All links get the same score, so the order is that of discovery."""
        return [Ticket(url, 0.0, via=visit.url) for url in visit.links]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """No link is preferred to another."""
        return {"found in its turn": ticket.score} if ticket.via else {}
