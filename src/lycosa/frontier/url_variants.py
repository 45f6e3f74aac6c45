"""Spellings: at many hosts /a, /a/, /A and /a/index.html are one page; whether they are is learned for each host.

If a host has sent the same text under two spellings of a path several times, and hardly ever different texts, one
spelling of each path is enough. Until then every spelling is fetched, because at other hosts they are different pages.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, convert, to_builtins

from lycosa.core.keys import key64
from lycosa.core.nouns import Plain, Ticket
from lycosa.core.shingles import FEW
from lycosa.core.urls import host_of, identity, without_index_page
from lycosa.frontier.seen import Seen

REASON = "another spelling"
ENOUGH = 3
"""Pages with the same text under two spellings before one spelling is enough for a host."""
DOUBT = 8
"""How many such pages it takes to outweigh one whose spellings have different texts."""


class _Host(Struct):
    same: int = 0
    other: int = 0
    one: bool = False
    """Whether one spelling is enough."""


def plain(url: str) -> str:
    """A URL in its plainest spelling: lower-case path, no index page, no final slash."""
    path, mark, query = identity(url).partition("?")
    start = path.index("/", 8)
    return path[:start] + without_index_page(path[start:]).rstrip("/").lower() + mark + query


class Spellings:
    """Says which tickets are only another spelling of a known URL; a fold over queued tickets and visits."""

    def __init__(self) -> None:
        self._hosts: dict[str, _Host] = {}
        self._queued = Seen()
        """Plain spellings of all URLs that were queued at hosts where one spelling is enough."""
        self._dropped: set[int] = set()
        """Those whose ticket was dropped again."""
        self._visited = Seen()
        self._words = Seen()
        """Plain spellings of visited pages, and the same together with their sketches."""

    def visited(self, url: str, sketch: bytes) -> Callable[[Ticket], bool] | None:
        """Take in a page; if one spelling is now enough at its host, returns a test for the queued tickets to drop."""
        if not sketch:
            return None
        name = plain(url)
        place, words = key64(name), key64(f"{name} {sketch[:FEW].hex()}")
        known, same = place in self._visited, words in self._words
        self._visited.add(place)
        self._words.add(words)
        if not known:
            return None
        at = host_of(url)
        host = self._hosts.setdefault(at, _Host())
        host.same, host.other = host.same + same, host.other + (not same)
        if host.one or host.same < ENOUGH or host.same < DOUBT * host.other:
            return None
        host.one = True
        return lambda ticket: host_of(ticket.url) == at and self(ticket) is not None

    def __call__(self, ticket: Ticket) -> str | None:
        """The reason to refuse a ticket, or None: then its spelling is the one used for its page."""
        host = self._hosts.get(host_of(ticket.url))
        if host is None or not host.one or ticket.via is None:
            return None
        place = key64(plain(ticket.url))
        if place in self._visited or (place in self._queued and place not in self._dropped):
            return REASON
        self._queued.add(place)
        self._dropped.discard(place)
        return None

    def dropped(self, url: str) -> None:
        """A ticket was dropped from the queue unfetched, so another spelling of its page may enter."""
        host = self._hosts.get(host_of(url))
        if host is not None and host.one:
            self._dropped.add(key64(plain(url)))

    def save(self) -> Plain:
        """Everything as plain data."""
        seen = [keys.save() for keys in (self._queued, self._visited, self._words)]
        return {"hosts": to_builtins(self._hosts), "seen": seen, "dropped": sorted(self._dropped)}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._hosts = convert(state["hosts"], dict[str, _Host])
        self._queued, self._visited, self._words = map(Seen, state["seen"])
        self._dropped = set(state["dropped"])
