"""A gate in front of the scouts of several crawls at once: together they are as polite as one.

Every crawl keeps the pause of each host by itself, but two crawls know nothing of each other. Whoever wants to ask a
host waits here until the one before is back and the host's pause is over. What one of them has brought already is
not asked for again: the gate lets the order pass without asking the host, or answers it at once.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from lycosa.core.nouns import Miss, Outcome, Ticket, Visit
from lycosa.core.urls import host_of
from lycosa.engine.politeness.host_locks import HostLocks
from lycosa.engine.politeness.host_rules import Politeness, PolitenessRules
from lycosa.engine.scout import ScoutOrder

Known = Callable[[Ticket], Outcome | bool]
"""What is known of a page already: its outcome, True where the scouts have it, False where its host must be asked."""

_LATE = 0.001
"""Seconds by which a timer may be early."""


class QueueClient(Protocol):
    """Where the orders of one crawl go that have passed: its pool of scouts."""

    def hand(self, order: ScoutOrder) -> None:
        """Give an order to a scout."""
        ...

    def answer(self, outcome: Outcome) -> None:
        """Take an outcome as if a scout had brought it."""
        ...


class HostQueue:
    """Lets orders pass, those for the same host one after the other.

    Invariant: a host is asked by as many at once as the rules allow, over all crawls, and after each of them it has the
    pause that the rules or its robots.txt say.
    """

    def __init__(
        self,
        rules: PolitenessRules,
        clock: Callable[[], float],
        known: Known = lambda ticket: False,
        locks: HostLocks | None = None,
    ) -> None:
        self.clock = clock
        self._locks = locks or HostLocks(None)
        self.known = known
        # How many pages of a host are enough is for each crawl to say.
        self._politeness = Politeness(replace(rules, per_host=None, per_site=None, spread=1))
        self._waiting: dict[str, deque[tuple[ScoutOrder, QueueClient]]] = {}
        self._inside: dict[QueueClient, set[str]] = {}
        self._wary = float("-inf")

    def wary(self, delay: float) -> None:
        """Nobody knows which hosts were asked a moment ago: take all of them for asked just now."""
        self._wary = self.clock() + delay

    def asked(self, host: str, pause: float) -> None:
        """A host's robots.txt asks for a pause."""
        self._politeness.asked(host, pause)

    def enter(self, order: ScoutOrder, door: QueueClient) -> None:
        """Have an order passed on as soon as its host may be asked."""
        host = host_of(order.ticket.url)
        self._waiting.setdefault(host, deque()).append((order, door))
        self._let_in(host)

    def left(self, outcome: Outcome, door: QueueClient) -> None:
        """An outcome is here, and whatever is worth knowing of it is known."""
        url = outcome.ticket.url
        host = host_of(url)
        if url in self._inside.get(door, ()):
            self._inside[door].remove(url)
            self._end(host, outcome)
        self._let_in(host)

    def gone(self, door: QueueClient) -> None:
        """A crawl is over: nothing of it waits any longer, and nothing of it comes back."""
        hosts = {host_of(url) for url in self._inside.get(door, ())}
        for url in self._inside.pop(door, ()):
            host, now = host_of(url), self.clock()
            self._politeness.end(host, now)
            self._locks.end(host, self._politeness.rest(host, now))
        for host, queue in self._waiting.items():
            stay = [waiting for waiting in queue if waiting[1] is not door]
            queue.clear()
            queue.extend(stay)
            hosts.add(host)
        for host in hosts:
            self._let_in(host)

    def _let_in(self, host: str) -> None:
        queue = self._waiting.get(host)
        while queue:
            order, door = queue[0]
            if known := self.known(order.ticket):
                queue.popleft()
                if known is True:
                    door.hand(order)
                else:
                    door.answer(known)
                continue
            now = self.clock()
            ready = max(self._politeness.ready(host), self._wary)
            if ready <= now:
                ready = now + self._locks.claim(host, self._politeness.pause(host))
            if ready > now:
                if ready != float("inf"):
                    get_running_loop().call_later(ready - now + _LATE, self._let_in, host)
                return
            queue.popleft()
            self._politeness.begin(host, now)
            self._locks.begin(host, self._politeness.rest(host, now))
            self._inside.setdefault(door, set()).add(order.ticket.url)
            door.hand(order)
        self._waiting.pop(host, None)

    def _end(self, host: str, outcome: Outcome) -> None:
        now = self.clock()
        if isinstance(outcome, Miss):
            # Where robots.txt closes a page, the host may just have been asked for it.
            self._politeness.end(host, now, failed=outcome.blames_host, rest=outcome.rest)
        else:
            self._politeness.end(host, now, page=isinstance(outcome, Visit))
        self._locks.end(host, self._politeness.rest(host, now))
