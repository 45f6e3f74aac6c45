"""Sets of hosts as people write them: `www.example.org` is that host, `.example.org` that host and all beneath it."""

from __future__ import annotations

from functools import lru_cache

from lycosa.core.urls import typed_host
from lycosa.system.errors import Code, Refused

_REMEMBERED = 1 << 14
"""Hosts for which an answer is cached: links lead to the same hosts again and again."""


def host_name(typed: str, field: str, verb: str) -> str:
    """The canonical form of a name, with its leading dot; raises Refused about this field of a request."""
    name = typed.strip()
    dot, bare = ("." if name.startswith(".") else ""), name.removeprefix(".")
    host = typed_host(bare)
    if host is None:
        fix = "write it like www.example.org, or .example.org"
        raise Refused(f"{typed!r} is not a host to {verb}", fix, code=Code.BAD_VALUE, field=field)
    return dot + host


class HostNames:
    """A set of hosts; lookup takes the same time for a thousand names as for one."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = frozenset(name.removeprefix(".") for name in names)
        self._beneath = frozenset(name for name in names if name.startswith("."))

    def __contains__(self, host: str) -> bool:
        if host in self._names or self._are_above(host):
            return True
        name, colon, _ = host.rpartition(":")
        return bool(colon) and (name in self._names or self._are_above(name))

    def _are_above(self, host: str) -> bool:
        at = host.find(".") if self._beneath else -1
        while at >= 0:
            if host[at:] in self._beneath:
                return True
            at = host.find(".", at + 1)
        return False

    def cover(self, name: str) -> bool:
        """Whether every host that a name stands for is in the set."""
        if not name.startswith("."):
            return name in self
        return self._are_above(name) or self._are_above(name.rpartition(":")[0])


class HostScope:
    """Which hosts a crawl may ask: all, or those of `within`, and none of `without`."""

    def __init__(self, within: tuple[str, ...], without: tuple[str, ...]) -> None:
        self.limited = bool(within or without)
        """Whether there are hosts that may not be asked."""
        self._bounded = bool(within)
        self._within, self._without = HostNames(within), HostNames(without)
        self._leaves_out = lru_cache(_REMEMBERED)(self._leaves_out_unseen)

    def outside(self, host: str) -> str:
        """Why the host may not be asked: `without`, `within`, or empty if it may."""
        return self._leaves_out(host) if self.limited else ""

    def _leaves_out_unseen(self, host: str) -> str:
        if host in self._without:
            return "without"
        return "within" if self._bounded and host not in self._within else ""
