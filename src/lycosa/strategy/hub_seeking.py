"""Hub-Seeking crawler (Pant & Menczer 2003, section 4.5): the DOM crawler that also follows the links of likely hubs.

The seeds are assumed to be relevant, so a page that links to n of their hosts (fully qualified names; any page of a
host counts) is a good hub:

    hub_score(n) = n (n - 1) / (1 + n^2)            0, 0, .4, .6, .71, .77, ... for n = 0, 1, 2, 3, 4, 5
    link_score_hub = max(hub_score, link_score_dom)

The paper does not say whether a page's own host counts. Here it does not: the pages of a site all link to each other,
so a seed's own site would need only one link to another seed to become a hub, and the paper asks for two different
entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lycosa.core.brief import Brief
from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import register
from lycosa.core.urls import host_of
from lycosa.strategy.dom import Dom


def hub_score(n: int) -> float:
    """The hub score of a page that links to n seed hosts (figure 3)."""
    return n * (n - 1) / (1 + n * n)


@register("hub-seeking")
@dataclass
class HubSeeking(Dom):
    """Follow links with a context about the topic, and all links of pages that link to several seed hosts."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds; their hosts are remembered."""
        self._seed_hosts = frozenset(map(host_of, brief.seeds))
        return super().begin(brief)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """The DOM crawler's tickets, each with at least the page's hub score."""
        hub = hub_score(self.seed_hosts_among(visit.links, host_of(visit.url)))
        return [
            Ticket(ticket.url, hub, via=visit.url, memo=[hub]) if hub > ticket.score else ticket
            for ticket in super().learn(visit)
        ]

    def seed_hosts_among(self, links: Sequence[str], own: str) -> int:
        """How many seed hosts a page links to, without its own."""
        return len(self._seed_hosts.intersection(map(host_of, links)) - {own})

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The hub score if it was higher, else the parts of the DOM crawler's score."""
        return {"hub": ticket.score} if ticket.memo and len(ticket.memo) == 1 else super().explain(ticket)
