"""A queue in front of the scouts of several crawls at once: together they are as polite as one.

Every crawl keeps the pause of each host by itself, but two crawls know nothing of each other. An order waits here until
the one before it has been answered and the host's pause is over. A page that one of the crawls has fetched already is
not requested again: the queue passes the order on without waiting for the host, or answers it at once.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from lycosa.core.nouns import RESTING, Miss, Outcome, Ticket, Visit
from lycosa.core.urls import host_of
from lycosa.engine.politeness.host_locks import HostLocks
from lycosa.engine.politeness.host_rules import Politeness, PolitenessRules
from lycosa.engine.scout import ScoutOrder

Known = Callable[[Ticket], Outcome | bool]
"""What is known of a page already: its outcome, True if the scouts have it, False if its host must be asked."""

_LONG = 10.0
"""Seconds that an order waits for the crawls of other processes; for longer it goes back to its crawl."""
_LATE = 0.001
"""Seconds by which a timer may be early."""


class QueueClient(Protocol):
    """Where the queue sends the orders of one crawl: its pool of scouts."""

    def hand(self, order: ScoutOrder) -> None:
        """Give an order to a scout."""
        ...

    def answer(self, outcome: Outcome) -> None:
        """Take an outcome as if a scout had brought it."""
        ...


class HostQueue:
    """Passes orders on, those for the same host one after the other.

    Invariant: over all crawls a host gets at most as many requests at once as the rules allow, and after each of them
    it has the pause that the rules or its robots.txt require.
    """

    def __init__(
        self,
        rules: PolitenessRules,
        clock: Callable[[], float],
        known: Known = lambda ticket: False,
        locks: HostLocks | None = None,
    ) -> None:
        self.clock = clock
        self.known = known
        # Each crawl decides by itself how many pages of a host are enough.
        self._politeness = Politeness(replace(rules, per_host=None, per_site=None, spread=1))
        self._politeness.locks = locks
        self._waiting: dict[str, deque[tuple[ScoutOrder, QueueClient]]] = {}
        self._inside: dict[QueueClient, set[str]] = {}
        self._wary = float("-inf")

    def wary(self, delay: float) -> None:
        """Let every host rest for `delay` seconds, because it is not known which were asked a moment ago."""
        self._wary = self.clock() + delay

    def asked(self, host: str, pause: float) -> None:
        """A host's robots.txt asks for a pause."""
        self._politeness.asked(host, pause)

    def enter(self, order: ScoutOrder, client: QueueClient) -> None:
        """Pass an order on as soon as its host may be asked."""
        host = host_of(order.ticket.url)
        self._waiting.setdefault(host, deque()).append((order, client))
        self._let_in(host)

    def left(self, outcome: Outcome, client: QueueClient) -> None:
        """An outcome has arrived, and what it tells about its page has been recorded."""
        url = outcome.ticket.url
        host = host_of(url)
        if url in self._inside.get(client, ()):
            self._inside[client].remove(url)
            self._end(host, outcome)
        self._let_in(host)

    def gone(self, client: QueueClient) -> None:
        """A crawl has ended: drop its waiting orders and expect no outcomes of those under way."""
        hosts = {host_of(url) for url in self._inside.get(client, ())}
        for url in self._inside.pop(client, ()):
            self._politeness.end(host_of(url), self.clock())
        for host, queue in self._waiting.items():
            stay = [waiting for waiting in queue if waiting[1] is not client]
            queue.clear()
            queue.extend(stay)
            hosts.add(host)
        for host in hosts:
            self._let_in(host)

    def _let_in(self, host: str) -> None:
        queue = self._waiting.get(host)
        while queue:
            order, client = queue[0]
            if known := self.known(order.ticket):
                queue.popleft()
                if known is True:
                    client.hand(order)
                else:
                    client.answer(known)
                continue
            now = self.clock()
            ready = max(self._politeness.ready(host), self._wary)
            if ready <= now and (wait := self._politeness.claim(host)) > 0:
                if wait > _LONG:
                    # The crawl has something better to do than to wait for others.
                    queue.popleft()
                    client.answer(Miss(order.ticket, RESTING, again=True, rest=wait))
                    continue
                ready = now + wait
            if ready > now:
                if ready != float("inf"):
                    get_running_loop().call_later(ready - now + _LATE, self._let_in, host)
                return
            queue.popleft()
            self._politeness.begin(host, now)
            self._inside.setdefault(client, set()).add(order.ticket.url)
            client.hand(order)
        self._waiting.pop(host, None)

    def _end(self, host: str, outcome: Outcome) -> None:
        if isinstance(outcome, Miss):
            # If robots.txt forbids a page, the host may just have been asked for robots.txt.
            self._politeness.end(host, self.clock(), failed=outcome.blames_host, rest=outcome.rest)
        else:
            self._politeness.end(host, self.clock(), page=isinstance(outcome, Visit))
