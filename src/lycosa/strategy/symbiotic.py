"""Best-first with the knowledge of a search engine (Pant, Bradshaw & Menczer 2003, section 6: «multiple contexts»).

    score = (1 - w) · relevance of the link's page + w · how well other pages' words about its URL match the query

These words are the contexts of all links to the URL that the engine has indexed, even if the URL was never fetched. How
well they match is the URL's score in the reference-directed index, scaled so that the best URL has 1. It counts
wherever a link to the URL is found. The formula is our own; the paper only names the idea. Without a search engine
this is naive best-first.
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
    """Follow the links of relevant pages, and first those that other pages describe in the words of the query."""

    listens: ClassVar[bool] = True
    weight: float = 0.5
    """w: the weight of other pages' words; the relevance of the link's page has the rest."""

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise self.bad_option("weight", fix="give a number from 0 to 1")

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Take in what the search engine knows; if it knows nothing, only the page counts."""
        self._described = priors.described
        self._weight = self.weight if priors.described else 0.0

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Score each link by its page and by what other pages say about its target."""
        weight, described = self._weight, self._described
        page = (1 - weight) * visit.relevance
        return [Ticket(url, page + weight * described.get(url, 0.0), via=visit.url) for url in visit.links]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The two parts, weighted."""
        if not ticket.via:
            return {}
        by_others = self._weight * self._described.get(ticket.url, 0.0)
        return {"relevance of the linking page": ticket.score - by_others, "words of others": by_others}
