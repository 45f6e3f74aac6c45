"""Best-first with what a search engine knows (Pant, Bradshaw & Menczer 2003, section 6: «multiple contexts»).

    score = (1 - w) · relevance of the link's page + w · how well others' words about its URL fit the query

The words of others are the contexts of all links to the URL that the engine has indexed, also if it was never fetched:
its score in the reference-directed index, the best one being 1. Such a URL is as good as said wherever a link to it
turns up. The formula is ours; the paper names the idea. Without an engine this is naive best-first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from lycosa.core.nouns import Ticket, Topic, Visit
from lycosa.core.priors import Priors
from lycosa.core.strategy import Strategy, register


@register("symbiotic")
@dataclass
class Symbiotic(Strategy):
    """Follow the links of relevant pages, first those of which other pages speak in the words of the query."""

    listens: ClassVar[bool] = True
    weight: float = 0.5
    """w: how much others' words count against the relevance of the page."""

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise self.bad_option("weight", fix="give a number from 0 to 1")

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Hear what the engine knows; where it knows nothing the page alone counts."""
        self._described = priors.described
        self._weight = self.weight if priors.described else 0.0

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Each link by its page and by what others say of its target."""
        weight, described = self._weight, self._described
        page = (1 - weight) * visit.relevance
        return [Ticket(url, page + weight * described.get(url, 0.0), via=visit.url) for url in visit.links]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The two parts, weighted."""
        if not ticket.via:
            return {}
        said = self._weight * self._described.get(ticket.url, 0.0)
        return {"relevance of the linking page": ticket.score - said, "words of others": said}
