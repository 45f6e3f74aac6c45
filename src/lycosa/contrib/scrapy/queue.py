"""The queue: the spider's requests in the strategy's order."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from lycosa.core.keys import key64
from lycosa.core.nouns import Move, Ticket
from lycosa.core.strategy import Strategy
from lycosa.core.urls import host_of, identity
from lycosa.frontier.frontier import Choose, Lease, Ready, merge
from lycosa.frontier.own_lanes import frontier_for

R = TypeVar("R")

_MOST_UNREQUESTED = 200_000
"""Most tickets kept without a request: the spider may request these URLs later, or never."""
_STALE = 1000
"""After so many dropped tickets their requests are dropped, too."""


class Queue(Generic[R]):
    """A frontier that holds only tickets for which there is a request.

    Invariants: each ticket of the frontier has at least one request in `_waiting`; a ticket for a URL that the spider
    has not requested is in `_unrequested`, and enters the frontier together with the first request for it.
    """

    def __init__(self, strategy: Strategy, capacity: int) -> None:
        self.frontier = frontier_for(strategy, capacity)
        self._choose: Choose = strategy.choose
        self._waiting: dict[str, deque[tuple[R, Ticket]]] = {}
        self._unrequested: dict[str, Ticket] = {}
        self._last: deque[tuple[R, Ticket]] = deque()
        """Requests that are sent only when nothing else is left."""
        self._swept = 0

    def __len__(self) -> int:
        return len(self.frontier) + len(self._last)

    @property
    def dropped(self) -> int:
        """How many tickets the frontier had no room for."""
        return self.frontier.dropped["frontier full"]

    def knows(self, url: str) -> bool:
        """Whether the spider has requested the URL."""
        key = identity(url)
        return key in self._waiting or key64(key) in self.frontier.taken

    def apply(self, decisions: Iterable[Ticket | Move]) -> None:
        """Apply what the strategy returned, tickets before moves."""
        asked: list[Ticket] = []
        moves: list[Move] = []
        for ticket in decisions:
            if isinstance(ticket, Move):
                moves.append(ticket)
            elif (key := identity(ticket.url)) in self._waiting:
                asked.append(ticket)
            elif key64(key) not in self.frontier.taken:
                self._keep(key, ticket)
        self.frontier.put(asked)
        for move in moves:
            self.frontier.move(*move)
            self._move_unrequested(*move)

    def add(self, request: R, ticket: Ticket) -> bool:
        """Queue a request; returns whether the strategy has named its URL, else the ticket given here counts."""
        key = identity(ticket.url)
        known = self._waiting.get(key)
        if known is not None:
            known.append((request, ticket))
            return True
        self._waiting[key] = deque([(request, ticket)])
        if key64(key) in self.frontier.taken:
            self.frontier.put_first(ticket)
            return True
        scored = self._unrequested.pop(key, None)
        self.frontier.put([scored or ticket])
        self._sweep()
        return scored is not None

    def again(self, request: R, ticket: Ticket) -> None:
        """Queue a request that was sent before, or to which another was redirected, ahead of its equals."""
        key = identity(ticket.url)
        if key in self._waiting:
            self._waiting[key].append((request, ticket))
        else:
            self._waiting[key] = deque([(request, ticket)])
            self.frontier.put_first(ticket)

    def add_last(self, request: R, ticket: Ticket) -> None:
        """Queue a request behind everything that the strategy may ever name."""
        self._last.append((request, ticket))

    def reseat(self, tickets: Iterable[Ticket]) -> None:
        """Replace the tickets of waiting requests by these; the first of them will be first."""
        for ticket in reversed(list(tickets)):
            if identity(ticket.url) in self._waiting:
                self.frontier.take(ticket)
                self.frontier.put_first(ticket)

    def pop(self, ready: Ready, now: float, reach: int, *, idle: bool) -> tuple[R, Ticket] | float:
        """The best request whose host is ready, with its ticket; or the time at which to ask again."""
        while len(self.frontier):
            lease = self.frontier.lease(self._choose, ready, now, reach, idle=idle)
            if not isinstance(lease, Lease):
                return lease
            key = identity(lease.ticket.url)
            requests = self._waiting.pop(key, None)
            if not requests:  # it could not be pickled when the job was saved
                continue
            request, _ = requests.popleft()
            if requests:  # another request for the same URL waits with its own ticket
                self._waiting[key] = requests
                self.frontier.put_first(requests[0][1])
            return request, lease.ticket
        if not self._last:
            return math.inf
        when = ready(host_of(self._last[0][1].url))
        return self._last.popleft() if when <= now else when

    def save(self, plain: Callable[[R], Any]) -> dict[str, Any]:
        """Everything as plain data; requests that `plain` cannot convert are left out."""
        self._sweep(always=True)
        return {
            "frontier": self.frontier.save(),
            "waiting": {key: _all(requests, plain) for key, requests in self._waiting.items()},
            "last": _all(self._last, plain),
            "wishes": self._unrequested,
        }

    def load(self, state: dict[str, Any], made: Callable[[Any], R]) -> None:
        """Restore what `save` returned."""
        self.frontier.load(state["frontier"])
        self._unrequested = dict(state["wishes"])
        self._waiting = {key: deque(_all(requests, made)) for key, requests in state["waiting"].items()}
        self._last = deque(_all(state["last"], made))

    def _keep(self, key: str, ticket: Ticket) -> None:
        old = self._unrequested.get(key)
        if old is not None:
            ticket = merge(old, ticket, self.frontier.merge) or old
        elif len(self._unrequested) >= _MOST_UNREQUESTED:
            del self._unrequested[next(iter(self._unrequested))]
        self._unrequested[key] = ticket

    def _move_unrequested(self, lane: str, to: str, every: int = 1) -> None:
        movers = sorted(
            (ticket for ticket in self._unrequested.values() if ticket.lane == lane), key=lambda ticket: -ticket.score
        )
        for ticket in movers[every - 1 :: every]:
            self._unrequested[identity(ticket.url)] = replace(ticket, lane=to)

    def _sweep(self, always: bool = False) -> None:
        """Drop the requests whose tickets the frontier had no room for."""
        if self.dropped - self._swept < (1 if always else _STALE):
            return
        self._swept = self.dropped
        alive = {identity(ticket.url) for ticket in self.frontier.best(len(self.frontier))}
        taken = self.frontier.taken
        for key in [key for key in self._waiting if key not in alive and key64(key) not in taken]:
            del self._waiting[key]


def _all(requests: Iterable[tuple[Any, Ticket]], turned: Callable[[Any], Any]) -> list[tuple[Any, Ticket]]:
    """Requests converted to another form, without those that cannot be."""
    both = ((turned(request), ticket) for request, ticket in requests)
    return [(request, ticket) for request, ticket in both if request is not None]
