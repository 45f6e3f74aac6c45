"""Which links a crawl does not follow: outside its scope, unreadable, of hosts that are given up, and in traps."""

from __future__ import annotations

from lycosa.core.keys import key64
from lycosa.core.nouns import Plain, Ticket
from lycosa.core.urls import host_of
from lycosa.engine.politeness.host_rules import Politeness
from lycosa.engine.scope.scope import Scope
from lycosa.engine.scope.scope_filter import ScopeFilter
from lycosa.frontier.list_bounds import REASON as TOO_MANY_LISTS
from lycosa.frontier.list_bounds import ListBounds
from lycosa.frontier.mirrors import REASON as MIRROR
from lycosa.frontier.mirrors import Mirrors
from lycosa.frontier.page_addresses import PageAddresses
from lycosa.frontier.repetition import REASON as NOTHING_NEW
from lycosa.frontier.repetition import Repetition
from lycosa.frontier.seen import Seen
from lycosa.frontier.trap_detection import TrapDetector
from lycosa.frontier.url_variants import REASON as ANOTHER_SPELLING
from lycosa.frontier.url_variants import Spellings
from lycosa.web.readers.media_types import refused_by_name

__all__ = ["ANOTHER_SPELLING", "GIVEN_UP", "HOST_FULL", "MIRROR", "NOTHING_NEW", "TOO_MANY_LISTS", "LinkFilter"]

GIVEN_UP = "host given up"
"""The reason of a miss whose host failed too often, or wants to be left alone for too long."""
HOST_FULL = "host full"


class LinkFilter:
    """Called with a ticket, returns the reason why it is refused; None if it may be fetched."""

    def __init__(
        self, politeness: Politeness, scope: Scope | None = None, room: int = 1_000_000, *, by_name: bool = False
    ) -> None:
        """At most `room` links that are too deep are kept, until a shorter path to them is found."""
        self.politeness = politeness
        self.scope = ScopeFilter(scope or Scope(), room)
        self.by_name = by_name
        """Whether links are refused whose suffix names a file that cannot be read."""
        self.traps = TrapDetector()
        self.repetition = Repetition()
        self.spellings = Spellings()
        self.list_bounds = ListBounds()
        self.addresses = PageAddresses()
        self.mirrors = Mirrors()
        self._bodies = Seen()

    def __call__(self, ticket: Ticket) -> str | None:
        if self.scope.limited and (rule := self.scope(ticket)):
            return rule.reason
        host = host_of(ticket.url)
        if self.by_name and (reason := refused_by_name(ticket.url)):
            return reason
        if self.politeness.hopeless(host):
            return GIVEN_UP
        if self.politeness.full(host):
            return HOST_FULL
        return (
            self.traps(ticket.url)
            or self.repetition(ticket)
            or self.spellings(ticket)
            or self.list_bounds(ticket)
            or self.addresses(ticket)
            or self.mirrors(ticket)
        )

    def is_repeated(self, host: str, digest: str, *, shown: bool = True) -> bool:
        """Whether the host has sent the same body before: many URLs for one page are a trap.

        A page that is `shown` does not repeat one that is not.
        """
        if not digest:
            return False
        key = key64(f"{host} {digest}")
        own = key if shown else key64(f"{host} {digest} not shown")
        known = key in self._bodies or own in self._bodies
        self._bodies.add(own)
        return known

    def save(self) -> dict[str, Plain]:
        """Everything as plain data."""
        return {
            "traps": self.traps.save(),
            "repetition": self.repetition.save(),
            "spellings": self.spellings.save(),
            "list_bounds": self.list_bounds.save(),
            "addresses": self.addresses.save(),
            "mirrors": self.mirrors.save(),
            "bodies": self._bodies.save(),
            "scope": self.scope.save(),
        }

    def load(self, state: dict[str, Plain]) -> None:
        """Restore what `save` returned."""
        self.traps.load(state["traps"])
        if "repetition" in state:  # a checkpoint of an older version has none
            self.repetition.load(state["repetition"])
            self.spellings.load(state["spellings"])
        if "list_bounds" in state:
            self.list_bounds.load(state["list_bounds"])
            self.addresses.load(state["addresses"])
            self.mirrors.load(state["mirrors"])
        self._bodies = Seen(state["bodies"])
        if "scope" in state:
            self.scope.load(state["scope"])
