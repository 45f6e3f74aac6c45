"""Politeness of one crawl: which hosts may be asked, when again, and how many pages of each are enough."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable

from msgspec import Struct, convert, to_builtins
from msgspec.structs import force_setattr

from lycosa.core.nouns import Plain
from lycosa.core.urls import site_of
from lycosa.engine.host_names import HostNames, HostScope, host_name
from lycosa.engine.politeness.host_locks import HostLocks
from lycosa.engine.scope.scope import SiteTable
from lycosa.system.errors import Code, Refused


class PolitenessRules(Struct, frozen=True):
    """What politeness means in this crawl."""

    delay: float = 1.0
    """Seconds between the end of one request to a host and the start of the next."""
    connections: int = 1
    """Requests under way at one host at the same time, at most."""
    spread: int = 1
    """D: any D picks in a row come from D different hosts, as long as there are enough hosts to pick from."""
    per_host: int | None = None
    """Pages at most from one host."""
    per_site: int | None = None
    """Pages at most from one registrable domain."""
    patience: int = 6
    """Failures in a row after which a host is given up."""
    longest_rest: float = 3600.0
    """Seconds; a host that asks for a longer rest, or for a longer pause after each request, is given up as well."""
    within: tuple[str, ...] = ()
    """If any are given, only these hosts are asked: `name` is that host, `.name` that host and all beneath it.

    A name without a port is the host at every port.
    """
    without: tuple[str, ...] = ()
    """Hosts that are never asked, written in the same way."""

    def __post_init__(self) -> None:
        for scope, verb in (("within", "stay within"), ("without", "leave alone")):
            names = [host_name(typed, scope, verb) for typed in getattr(self, scope)]
            force_setattr(self, scope, tuple(dict.fromkeys(names)))
        shut = HostNames(self.without)
        for name in self.within:
            if shut.cover(name):
                problem = f"{name} is a host to stay within and one to leave alone"
                raise Refused(problem, "name it in one of the two", code=Code.CONTRADICTION, field="without")


class HostState(Struct):
    """The state of one host."""

    busy: int = 0
    free_at: float = 0.0
    free_before: float = 0.0
    """The value of `free_at` before the last request began, in case the request is never sent."""
    given_up: bool = False
    pause: float = 0.0
    failures: int = 0
    silent: bool = False
    """Whether the last request had no answer: then the length of the rest is our own caution, not the host's demand."""
    pages: int = 0


_UNKNOWN = HostState()
_LATE = 5.0
"""Seconds after the end of a host's pause from which an answer is late."""


class Politeness:
    """Keeps every host's pause, whatever the order of tickets.

    Invariant: between the end of a request to a host and the start of the next one are at least `pause` seconds, the
    larger of the crawl's delay and the host's Crawl-delay; also across a restart, because it is rebuilt from the log.
    """

    def __init__(self, rules: PolitenessRules, sites: SiteTable | None = None) -> None:
        """`sites` are hosts to which other delays and numbers of pages apply."""
        self.rules = rules
        self._exceptions = sites or None
        self._hosts: dict[str, HostState] = {}
        self._clock = -math.inf
        """When a request last began or ended, at any host."""
        self._sites: dict[str, int] = {}
        """Pages of each site, including those under way; counted only if their number is limited anywhere."""
        self._busy_sites: Counter[str] = Counter()
        self._count_sites = rules.per_site is not None or bool(sites and sites.has("per_site"))
        self._recent: deque[str] = deque(maxlen=max(0, rules.spread - 1))
        self._scope = HostScope(rules.within, rules.without)
        self.locks: HostLocks | None = None
        """Locks on hosts, shared with other processes of this user; not part of the state that is saved."""

    def _state_of(self, host: str) -> HostState:
        state = self._hosts.get(host)
        if state is None:
            state = self._hosts[host] = HostState(pause=self.delay(host))
        return state

    def outside(self, host: str) -> bool:
        """Whether the crawl may not ask the host: it is not in `within`, or it is in `without`."""
        return bool(self._scope.outside(host))

    def delay(self, host: str) -> float:
        """The least pause between two requests to a host."""
        site = self._exceptions.at(host) if self._exceptions else None
        return self.rules.delay if site is None or site.delay is None else site.delay

    def _most(self, host: str) -> tuple[int | None, int | None]:
        """How many pages of a host and of its registrable domain are enough."""
        rules, site = self.rules, self._exceptions.at(host) if self._exceptions else None
        if site is None:
            return rules.per_host, rules.per_site
        return site.per_host or rules.per_host, site.per_site or rules.per_site

    def ready(self, host: str) -> float:
        """The time from which the host may be asked; infinity while no more requests are allowed there."""
        state = self._hosts.get(host) or _UNKNOWN
        if state.busy >= self.rules.connections or not self._room(host, state):
            return math.inf
        return state.free_at

    def worth_waiting(self, host: str) -> bool:
        """Whether better links make it worth waiting for a host: not if it failed last or its answer is late."""
        state = self._hosts.get(host) or _UNKNOWN
        return not (state.failures or (state.busy and self._clock > state.free_at + _LATE))

    def spread(self, host: str) -> float:
        """As `ready`, but NaN for a host among the last D - 1 picks, which must not be picked."""
        return math.nan if host in self._recent else self.ready(host)

    def free(self, ready: Callable[[str], float], now: float) -> Callable[[str], float]:
        """As `ready`, but also wait for hosts that another process asks or has just asked."""
        if self.locks is None:
            return ready

        def when(host: str) -> float:
            at = ready(host)
            return now + self.claim(host) if at <= now else at

        return when

    def claim(self, host: str) -> float:
        """Seconds until it is worth claiming the host again from other processes; 0: it may be asked now."""
        return self.locks.claim(host, self.pause(host)) if self.locks else 0.0

    def _room(self, host: str, state: HostState) -> bool:
        # Requests under way count, or several connections could exceed a cap.
        per_host, per_site = self._most(host)
        if per_host is not None and state.pages + state.busy >= per_host:
            return False
        return per_site is None or self._sites.get(site_of(host), 0) < per_site

    def begin(self, host: str, now: float) -> None:
        """A request to the host starts."""
        self._clock = now
        state = self._state_of(host)
        state.busy += 1
        state.free_before = state.free_at
        state.free_at = max(state.free_at, now + state.pause)
        self._recent.append(host)
        if self._count_sites:
            site = site_of(host)
            self._sites[site] = self._sites.get(site, 0) + 1
            self._busy_sites[site] += 1
        if self.locks:
            self.locks.begin(host, state.free_at - now)

    def end(
        self,
        host: str,
        now: float,
        *,
        page: bool = False,
        failed: bool = False,
        rest: float | None = None,
        asked: bool = True,
        silent: bool = False,
    ) -> None:
        """A request to the host has ended: with a page or not, with a fault, or with a demand for rest.

        `asked` is false if no request was sent; `silent` says that the host did not answer.
        """
        self._clock = now
        state = self._state_of(host)
        state.busy = max(0, state.busy - 1)
        state.pages += page
        if self._count_sites:
            site = site_of(host)
            self._sites[site] -= not page
            self._busy_sites[site] -= 1
        if not asked and not state.busy:
            state.free_at = state.free_before
        else:
            state.failures, state.silent = state.failures + 1 if failed else 0, silent
            state.given_up |= state.failures >= self.rules.patience or (rest or 0.0) > self.rules.longest_rest
            if rest is None:
                rest = min(300.0, max(1.0, state.pause) * 2 ** (state.failures - 1)) if failed else 0.0
            state.free_at = max(state.free_at, now + max(state.pause, rest))
        if self.locks:
            self.locks.end(host, state.free_at - now)

    def asked(self, host: str, pause: float) -> None:
        """The host's robots.txt asks for a longer pause."""
        state = self._state_of(host)
        state.pause = max(self.delay(host), pause)
        state.given_up |= pause > self.rules.longest_rest

    def pause(self, host: str) -> float:
        """Seconds that the host rests after every request."""
        return state.pause if (state := self._hosts.get(host)) else self.delay(host)

    def hopeless(self, host: str) -> bool:
        """Whether the host failed so often in a row, or asked for so long a rest, that it is given up."""
        state = self._hosts.get(host)
        return state is not None and state.given_up

    def forgive(self, now: float) -> None:
        """Reset the failures of all hosts; the rest of a host that has answered still holds."""
        for state in self._hosts.values():
            if state.silent:
                state.free_at = min(state.free_at, now + state.pause)
            state.failures, state.given_up = 0, state.free_at - now > self.rules.longest_rest

    def full(self, host: str) -> bool:
        """Whether the crawl has as many pages of the host or its site as it may have."""
        per_host, per_site = self._most(host)
        if per_host is not None and (state := self._hosts.get(host)) and state.pages >= per_host:
            return True
        if per_site is None:
            return False
        site = site_of(host)
        # A site's count includes requests under way, which may still bring no page.
        return self._sites.get(site, 0) >= per_site and self._busy_sites[site] == 0

    def __len__(self) -> int:
        return len(self._hosts)

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "hosts": to_builtins(self._hosts),
            "sites": self._sites,
            "busy_sites": dict(self._busy_sites),
            "recent": list(self._recent),
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._hosts = convert(state["hosts"], dict[str, HostState])
        self._sites, self._busy_sites = dict(state["sites"]), Counter(state["busy_sites"])
        self._recent.extend(state["recent"])
