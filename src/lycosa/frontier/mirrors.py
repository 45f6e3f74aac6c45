"""Mirrors: hosts whose pages are those of another host, at the same paths. Each path is fetched from only one of them.

A host is a mirror if most of its pages so far are copies of pages that other hosts of one group had before at the same
path, and its front page, if it was fetched, is one of them. It then belongs to the group, and a path that was visited
at, or is queued for, one host of a group is not fetched from another. A path that only the mirror has is still fetched,
so no page is lost if a host only begins like another. Texts are compared by their sketches (`core.shingles`), so that a
copy may name its own host.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import unpack
from typing import NamedTuple

from msgspec import Struct

from lycosa.core.keys import key64
from lycosa.core.nouns import Plain, Ticket
from lycosa.core.urls import host_of, site_of
from lycosa.frontier.seen import Seen

REASON = "mirror"
ENOUGH, SHARE = 3, 0.75
"""Copies from one group that make a mirror, and the share of its pages that they must be."""
_PARTS, _ALIKE = 3, 2
"""Hashes of a sketch by which a page is recognised, and how many of them must be known from the same host."""
MOST = 100_000
"""Pages that are remembered with their paths."""


class MirrorNews(NamedTuple):
    """What a page says about mirrors."""

    copied: bool = False
    """Whether it is a copy of a page of another site, on a host that may be a mirror."""
    gone: Callable[[Ticket], bool] | None = None
    """If its host turned out to be a mirror: which queued tickets to drop."""


class _MirrorHost(Struct):
    pages: int = 0
    copies: int = 0
    like: int = -1
    """The number of the host that it is like: the one that had its first copy before."""
    own: bool = False
    """Whether its front page is its own: then it is no mirror, however many licences and manuals it holds."""
    hidden: int = 0
    """How many of its pages are not shown: if it is most of them, as on the draft of a site, the others are needed."""


class Mirrors:
    """Says which tickets lead to a path that is known from another host; a fold over queued tickets and visits."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        """Hosts by number, and their numbers."""
        self._hosts: list[_MirrorHost] = []
        self._first: dict[int, int] = {}
        """Which host had a part of a text first, by the key of its hash and its path."""
        self._visited: dict[int, list[int]] = {}
        """The hosts where a path was visited, by its key."""
        self._groups: dict[int, int] = {}
        """The group of each mirror and of its original; its number is that of a host."""
        self._queued = Seen()
        """Keys of a group and a path, of the tickets that were let in."""
        self._dropped: set[int] = set()

    def visited(self, url: str, sketch: bytes, *, shown: bool = True) -> MirrorNews:
        """Take in a page; one that is not `shown` is no reason not to fetch its path from another host."""
        parts = unpack(f"<{len(sketch) // 4}I", sketch)[1 : 1 + _PARTS]
        if len(parts) < _PARTS or len(self._first) >= _PARTS * MOST:
            return MirrorNews()
        name, path = host_of(url), _path_of(url)
        number = self._number(name)
        host, keys = self._hosts[number], [key64(f"{part} {path}") for part in parts]
        owners = [self._first.setdefault(key, number) for key in keys]
        if shown:
            self._visited.setdefault(key64(path), []).append(number)
        host.pages += 1
        host.hidden += not shown
        owner = max(owners, key=owners.count)
        if owner == number or owners.count(owner) < _ALIKE:
            host.own = host.own or path == "/"
            return MirrorNews()
        elsewhere, group = site_of(self._names[owner]) != site_of(name), self._like(owner)
        if group == number:  # the owner is a copy of this host
            return MirrorNews(elsewhere)
        if host.own:
            return MirrorNews()
        if host.like < 0:
            host.like = group
        host.copies += self._like(host.like) == group
        copied = elsewhere and host.copies >= SHARE * host.pages
        if number in self._groups or host.copies < max(ENOUGH, SHARE * host.pages):
            return MirrorNews(copied)
        if any(2 * each.hidden > each.pages for each in (host, self._hosts[group])):
            return MirrorNews(copied)
        return MirrorNews(copied, self._join(number, group))

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._names)
            self._names.append(name)
            self._hosts.append(_MirrorHost())
        return number

    def _like(self, number: int) -> int:
        """The host that a host is like in the end; itself if it is an original."""
        for _ in range(len(self._hosts)):
            like = self._hosts[number].like
            if like < 0:
                break
            number = like
        return number

    def _join(self, mirror: int, original: int) -> Callable[[Ticket], bool]:
        """Add a mirror to the group of its original; only hosts that are new in it have tickets to be dropped."""
        new = {self._names[host] for host in (mirror, original) if host not in self._groups}
        self._groups[mirror] = self._groups.setdefault(original, original)
        return lambda ticket: host_of(ticket.url) in new and self(ticket) is not None

    def __call__(self, ticket: Ticket) -> str | None:
        """The reason to refuse a ticket, or None: then its host is the one from which this path is fetched."""
        if not self._groups or ticket.via is None:
            return None
        group = self._groups.get(self._numbers.get(host_of(ticket.url), -1))
        if group is None:
            return None
        path = _path_of(ticket.url)
        if any(self._groups.get(host) == group for host in self._visited.get(key64(path), ())):
            return REASON
        place = key64(f"{group} {path}")
        if place in self._queued and place not in self._dropped:
            return REASON
        self._queued.add(place)
        self._dropped.discard(place)
        return None

    def dropped(self, url: str) -> None:
        """A ticket was dropped from the queue unfetched, so the path may be fetched from another host."""
        group = self._groups.get(self._numbers.get(host_of(url), -1)) if self._groups else None
        if group is not None:
            self._dropped.add(key64(f"{group} {_path_of(url)}"))

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "names": self._names,
            "hosts": [[host.pages, host.copies, host.like, host.own, host.hidden] for host in self._hosts],
            "first": [list(pair) for pair in self._first.items()],
            "visited": [[path, hosts] for path, hosts in self._visited.items()],
            "groups": [list(pair) for pair in self._groups.items()],
            "queued": self._queued.save(),
            "dropped": sorted(self._dropped),
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._names = list(state["names"])
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._hosts = [_MirrorHost(*counts) for counts in state["hosts"]]
        self._first, self._groups = dict(state["first"]), dict(state["groups"])
        self._visited = {path: list(hosts) for path, hosts in state["visited"]}
        self._queued = Seen(state["queued"])
        self._dropped = set(state["dropped"])


def _path_of(url: str) -> str:
    return url[url.index("/", 8) :]
