"""The frontier: tickets in the order in which a strategy wants them fetched."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from sortedcontainers import SortedList

from lycosa.core.keys import key64
from lycosa.core.nouns import Plain, Ticket
from lycosa.core.urls import host_of, identity
from lycosa.frontier.seen import Seen

Entry = tuple[float, int, Ticket]
"""(-score, turn, ticket): sorts best first, and among equal scores the one that had it first."""

Choose = Callable[[Mapping[str, Ticket]], str]
Ready = Callable[[str], float]
"""When a host may be asked: a time up to now means now, infinity means after the requests under way there have ended,
and NaN means that this host must not be picked."""

_SOON = 30.0
"""Seconds that it is worth waiting for the host of a better ticket."""
_WALK = 2000
"""Tickets examined in one lane at most, so that a resting host with many of them costs little."""


class Lease(NamedTuple):
    """A ticket handed out, with its rank in the queue when it was picked."""

    ticket: Ticket
    rank: int
    queued: int


class Frontier:
    """Named queues (lanes) of tickets, bounded together, each URL in at most one of them.

    Invariants: a URL whose ticket was handed out is in `taken` for good and is never queued by `put` again; a queued
    URL has exactly one entry, found through `_queued`; the number of entries never exceeds the capacity (except for
    tickets that the engine gives back). A URL that was dropped for lack of room is forgotten, and may be found again.
    """

    def __init__(
        self,
        capacity: int = 1_000_000,
        *,
        merge: str = "max",
        full: str = "keep-best",
        batch: int | None = None,
        place: Callable[[Ticket], float] = lambda ticket: 0.0,
        refuses: Callable[[Ticket], str | None] = lambda ticket: None,
    ) -> None:
        self.capacity = capacity
        self.merge = merge
        self.full = full
        self.batch = batch
        self.place = place
        self.refuses = refuses
        self.taken = Seen()
        self.dropped: Counter[str] = Counter()
        self._lanes: dict[str, Any] = {}
        self._queued: dict[Hashable, Entry] = {}
        self._turn = 0
        self._early = 0
        self._drawn: list[Lease] = []

    def __len__(self) -> int:
        return len(self._queued) + len(self._drawn)

    def put(self, tickets: Iterable[Ticket], *, trusted: bool = False) -> None:
        """Queue the tickets of one page: new URLs enter, queued ones are re-scored, taken ones are skipped.

        Trusted tickets, a person's seeds, are not checked by `refuses`.
        """
        batch = list(tickets)
        keys = [key64(identity(ticket.url)) for ticket in batch]
        taken = self.taken.among(keys)
        queued = self._queued
        for key, ticket in zip(keys, batch, strict=True):
            if key in taken:
                continue
            slot = self._slot(key, ticket.lane)
            entry = queued.get(slot)
            if entry is not None:
                self._rescore(slot, entry, ticket)
            elif not trusted and (reason := self.refuses(ticket)):
                self.dropped[reason] += 1
            else:
                self._turn += 1
                self._enter(slot, (-ticket.score, self._turn, ticket))

    def put_first(self, ticket: Ticket) -> None:
        """Queue a ticket again, before others with the same score, although its URL was handed out before."""
        self._early -= 1
        self._insert(self._slot_of(ticket), (-ticket.score, self._early, ticket))

    def put_back(self, ticket: Ticket) -> None:
        """Queue a ticket again that was handed out in vain, as if it had not been: a batch has it again."""
        if self.batch is None:
            self.put_first(ticket)
        else:
            self._drawn = sorted([*self._drawn, Lease(ticket, 1, len(self) + 1)], key=self._place_of)

    def follow(self, ticket: Ticket) -> bool:
        """Queue the target of a redirect from `via`, in the place of `via`; False if it was handed out before.

        A site that adds a session id redirects a URL to one with the same identity, which is followed nevertheless.
        """
        key, slot = self._key(ticket), self._slot_of(ticket)
        waits = slot in self._queued
        if not waits and key in self.taken and identity(ticket.via or "") != identity(ticket.url):
            return False
        if self.batch is not None:
            # To the crawler of the paper, a redirect and its target are one fetch of one batch.
            self._hand_out(key)
            self._drawn.insert(0, Lease(ticket, 1, len(self) + 1))
        elif waits:
            self._rescore(slot, self._queued[slot], ticket)
        else:
            self.put_first(ticket)
        return True

    def lease(
        self,
        choose: Choose,
        ready: Ready,
        now: float,
        reach: int,
        worth_waiting: Callable[[str], bool] = lambda host: True,
        *,
        idle: bool = True,
    ) -> Lease | float:
        """The best ticket whose host is ready, at most `reach` tickets down; or the time at which to ask again.

        Tickets whose host rests for long or is not worth waiting for do not count: the others do not wait for it.
        `idle` says that nothing is under way: only then is the next batch of a Best-N-First crawl drawn.
        """
        if self.batch is not None:
            return self._lease_drawn(choose, ready, now, idle)
        heads: dict[str, Ticket] = {}
        ranks: dict[str, int] = {}
        soonest = math.inf
        for name, lane in self._lanes.items():
            looked = 0
            for rank, entry in enumerate(lane.islice(0, max(reach, _WALK)), 1):
                host = host_of(entry[2].url)
                when = ready(host)
                if when <= now:
                    heads[name], ranks[name] = entry[2], rank
                    break
                if when > now:
                    soonest = min(soonest, when)
                looked += (when <= now + _SOON or when == math.inf) and worth_waiting(host)
                if looked >= reach:
                    break
        if not heads:
            return soonest
        name = choose(heads) if len(heads) > 1 else next(iter(heads))
        lease = Lease(heads[name], ranks[name], len(self))
        self.take(heads[name])
        return lease

    def _lease_drawn(self, choose: Choose, ready: Ready, now: float, idle: bool) -> Lease | float:
        if idle:
            self._draw(choose)
        soonest = math.inf
        for at, lease in enumerate(self._drawn):
            when = ready(host_of(lease.ticket.url))
            if when <= now:
                del self._drawn[at]
                return lease
            if when > now:
                soonest = min(soonest, when)
        return soonest

    def _draw(self, choose: Choose) -> None:
        """Best-N-First: dequeue the best N together, in the order of their places."""
        if self._drawn or self.batch is None:
            return
        while self._queued and len(self._drawn) < self.batch:
            heads = {name: lane[0][2] for name, lane in self._lanes.items()}
            ticket = heads[choose(heads)]
            self._drawn.append(Lease(ticket, len(self._drawn) + 1, len(self)))
            self._hand_out(self._key(ticket))
        self._drawn.sort(key=self._place_of)

    def _place_of(self, lease: Lease) -> float:
        return self.place(lease.ticket)

    def take(self, ticket: Ticket, choose: Choose | None = None) -> None:
        """Hand out exactly this ticket; a resumed crawl repeats its leases this way."""
        if choose is not None:
            self._draw(choose)
            self._drawn = [lease for lease in self._drawn if lease.ticket.url != ticket.url]
        self._hand_out(self._key(ticket))

    def _hand_out(self, key: int) -> None:
        if key in self._queued:
            self._remove(key)
        self.taken.add(key)

    def move(self, lane: str, to: str, every: int = 1) -> None:
        """Move every nth ticket of a lane, best first, to another lane; score and turn stay as they are."""
        queue = self._lanes.get(lane)
        if queue is None or lane == to:
            return
        handed = [(score, turn, replace(ticket, lane=to)) for score, turn, ticket in queue[every - 1 :: every]]
        self._queued.update((self._slot_of(entry[2]), entry) for entry in handed)
        del queue[every - 1 :: every]
        if not queue:
            del self._lanes[lane]
        if handed:
            self._lanes.setdefault(to, SortedList()).update(handed)

    def purge(self, gone: Callable[[Ticket], bool], reason: str) -> list[Ticket]:
        """Drop and return every queued ticket for which `gone` is true; slow, because it walks the whole queue."""
        # In an order that a resumed crawl has too, because `gone` may depend on the tickets before.
        doomed = [ticket for lane in self._lanes.values() for _, _, ticket in lane if gone(ticket)]
        for ticket in doomed:
            self._remove(self._slot_of(ticket))
        drawn = [lease.ticket for lease in self._drawn if gone(lease.ticket)]
        self._drawn = [lease for lease in self._drawn if lease.ticket not in drawn]
        dropped = list({ticket.url: ticket for ticket in (*doomed, *drawn)}.values())
        if dropped:
            self.dropped[reason] += len(dropped)
        return dropped

    def knows(self, url: str) -> bool:
        """Whether a URL is queued or was handed out."""
        key = key64(identity(url))
        return key in self._queued or key in self.taken

    def best(self, count: int) -> list[Ticket]:
        """The best queued tickets over all lanes, for display."""
        heads = sorted(entry for lane in self._lanes.values() for entry in lane.islice(0, count))
        return [ticket for _, _, ticket in heads[:count]]

    def scores(self) -> NDArray[np.float64]:
        """The scores of all queued tickets, the best first."""
        return -np.sort(np.fromiter((entry[0] for entry in self._queued.values()), np.float64, len(self._queued)))

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "taken": self.taken.save(),
            "turn": self._turn,
            "early": self._early,
            "queued": [[turn, *_flat(ticket)] for lane in self._lanes.values() for _, turn, ticket in lane],
            "drawn": [[lease.rank, lease.queued, *_flat(lease.ticket)] for lease in self._drawn],
            "dropped": dict(self.dropped),
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.taken = Seen(state["taken"])
        self._turn, self._early = state["turn"], state["early"]
        self.dropped = Counter(state["dropped"])
        for turn, *flat in state["queued"]:
            ticket = Ticket(*flat)
            self._insert(self._slot_of(ticket), (-ticket.score, turn, ticket))
        self._drawn = [Lease(Ticket(*flat), rank, queued) for rank, queued, *flat in state["drawn"]]

    @staticmethod
    def _key(ticket: Ticket) -> int:
        return key64(identity(ticket.url))

    def _slot(self, key: int, lane: str) -> Hashable:
        """Where the entry of a URL is found in `_queued`."""
        return key

    def _slot_of(self, ticket: Ticket) -> Hashable:
        return self._slot(self._key(ticket), ticket.lane)

    def _rescore(self, slot: Hashable, entry: Entry, ticket: Ticket) -> None:
        merged = merge(entry[2], ticket, self.merge)
        if merged is None:
            return
        self._remove(slot)
        self._turn += 1
        self._insert(slot, (-merged.score, self._turn, merged))

    def _enter(self, slot: Hashable, entry: Entry) -> None:
        if len(self._queued) >= self.capacity:
            worst = max(lane[-1] for lane in self._lanes.values())
            self.dropped["frontier full"] += 1
            if self.full == "keep-best" and entry > worst:
                return
            self._remove(self._slot_of(worst[2]))
        self._insert(slot, entry)

    def _insert(self, slot: Hashable, entry: Entry) -> None:
        lane = self._lanes.get(entry[2].lane)
        if lane is None:
            lane = self._lanes[entry[2].lane] = SortedList()
        lane.add(entry)
        self._queued[slot] = entry

    def _remove(self, slot: Hashable) -> None:
        entry = self._queued.pop(slot)
        lane = self._lanes[entry[2].lane]
        lane.remove(entry)
        if not lane:
            del self._lanes[entry[2].lane]


def merge(old: Ticket, new: Ticket, rule: str) -> Ticket | None:
    """What replaces a queued ticket when another one for its URL arrives (`Strategy.merge`); None if it stays."""
    if rule == "first" or (rule == "max" and new.score <= old.score):
        return None
    return replace(new, score=new.score + old.score) if rule == "sum" else new


def _flat(ticket: Ticket) -> tuple[str, float, str, str | None, Plain]:
    return ticket.url, ticket.score, ticket.lane, ticket.via, ticket.memo
