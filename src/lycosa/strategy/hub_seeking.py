"""Hub-Seeking crawler (Pant & Menczer 2003, section 4.5): the DOM crawler that also follows the links of likely hubs.

The seeds are taken for relevant, so a page that points to n of their hosts (fully qualified names; any page of a host
counts) is a good hub:

    hub_score(n) = n (n - 1) / (1 + n^2)            0, 0, .4, .6, .71, .77, ... for n = 0, 1, 2, 3, 4, 5
    link_score_hub = max(hub_score, link_score_dom)

The paper does not say whether a page points to its own host. Here it does not: a seed's own site, whose pages all link
to each other, would need one link to another seed to be taken for a hub, where the paper wants two different entities.
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
    """How good a hub is that points to n seed hosts (figure 3)."""
    return n * (n - 1) / (1 + n * n)


@register("hub-seeking")
@dataclass
class HubSeeking(Dom):
    """Follow the links that sound right, and all links of pages that point to several seed hosts."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds; their hosts are known from now on."""
        self._seed_hosts = frozenset(map(host_of, brief.seeds))
        return super().begin(brief)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """The DOM crawler's tickets, none of them with a score below the page's as a hub."""
        hub = hub_score(self.seed_hosts_among(visit.links, host_of(visit.url)))
        return [
            Ticket(ticket.url, hub, via=visit.url, memo=[hub]) if hub > ticket.score else ticket
            for ticket in super().learn(visit)
        ]

    def seed_hosts_among(self, links: Sequence[str], own: str) -> int:
        """How many seed hosts other than its own a page points to."""
        return len(self._seed_hosts.intersection(map(host_of, links)) - {own})

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The hub score where it was the greater, else what the DOM crawler says."""
        return {"hub": ticket.score} if ticket.memo and len(ticket.memo) == 1 else super().explain(ticket)
