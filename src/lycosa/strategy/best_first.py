"""Naive best-first (Pant, Srinivasan & Menczer 2004, section 3.1; Pant & Menczer 2003, section 4.3).

A link is as promising as the page it is on: its score is the page's relevance, the cosine of keywords and page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import Strategy, register


@register("best-first")
@dataclass
class BestFirst(Strategy):
    """Follow the links of the most relevant pages first."""

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Each link inherits the relevance of its page."""
        return [Ticket(url, visit.relevance, via=visit.url) for url in visit.links]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The score has only one part."""
        return {"relevance of the linking page": ticket.score} if ticket.via else {}
