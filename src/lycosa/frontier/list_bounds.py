"""The bounds of sitemap indexes: how deep they may be nested, and how many lists of one host are fetched.

By the protocol an index lists only sitemaps, up to 50,000 of them. Both are too much trust for a crawler: some indexes
list indexes, and a host may serve them without end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from lycosa.core.keys import key64
from lycosa.core.nouns import LISTS, SITEMAP_INDEX, Plain, Ticket, Visit
from lycosa.core.urls import host_of

REASON = "too many sitemaps"
MOST = 50
"""Lists of one host that may have been fetched when an index is followed."""
DEEPEST = 3
"""Indexes on the way to a list, at most."""


class ListBounds:
    """Says which tickets of an index are too much; a fold over visits, empty for a crawl without indexes."""

    def __init__(self) -> None:
        self._fetched: Counter[str] = Counter()
        self._depths: dict[int, int] = {}
        """How many indexes are on the way to each URL that an index lists, by the URL's key."""

    def visited(self, visit: Visit) -> Callable[[Ticket], bool] | None:
        """Take in a visit; if a host now has enough lists, returns a test for the queued tickets to drop."""
        if visit.withheld not in LISTS:
            return None
        host = host_of(visit.url)
        self._fetched[host] += 1
        if visit.withheld == SITEMAP_INDEX:
            depth = self._depths.get(key64(visit.url), 0) + 1
            for url in visit.links:
                self._depths.setdefault(key64(url), depth)
        if self._fetched[host] != MOST or not self._depths:
            return None
        return lambda ticket: host_of(ticket.url) == host and self(ticket) is not None

    def __call__(self, ticket: Ticket) -> str | None:
        """The reason to refuse a ticket, or None; a person's seeds are never refused."""
        if not self._depths or ticket.via is None:
            return None
        depth = self._depths.get(key64(ticket.url), 0)
        return REASON if depth and (depth > DEEPEST or self._fetched[host_of(ticket.url)] >= MOST) else None

    def save(self) -> Plain:
        """Everything as plain data."""
        return {"fetched": dict(self._fetched), "depths": [list(pair) for pair in self._depths.items()]}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._fetched = Counter(state["fetched"])
        self._depths = dict(state["depths"])
