"""A frontier for each lane, for strategies whose agents share none; and the frontier that a strategy asks for."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from msgspec.structs import replace

from lycosa.core.keys import key64
from lycosa.core.nouns import Ticket
from lycosa.core.strategy import Strategy
from lycosa.core.urls import identity
from lycosa.frontier.frontier import Frontier, merge


class OwnLanes(Frontier):
    """A frontier in which a URL may wait in several lanes at once, in each with its own ticket.

    Invariants: those of Frontier, within each lane. A URL is still handed out only once, for the lane that was chosen;
    its tickets in other lanes are gone then, because no page is fetched twice. All tickets count for the capacity.
    """

    def knows(self, url: str) -> bool:
        """Whether a URL is queued or was handed out."""
        key = key64(identity(url))
        return key in self.taken or any((key, lane) in self._queued for lane in self._lanes)

    def move(self, lane: str, to: str, every: int = 1) -> None:
        """Move every nth ticket of a lane, best first; where the other lane has the URL, too, the better one stays."""
        queue = self._lanes.get(lane)
        if queue is None or lane == to:
            return
        for score, turn, ticket in list(queue[every - 1 :: every]):
            self._remove(self._slot_of(ticket))
            moved = replace(ticket, lane=to)
            slot = self._slot_of(moved)
            known = self._queued.get(slot)
            if known is not None:
                if merge(known[2], moved, self.merge) is None:
                    continue
                self._remove(slot)
            self._insert(slot, (score, turn, moved))

    def _slot(self, key: int, lane: str) -> Hashable:
        return key, lane

    def _hand_out(self, key: int) -> None:
        for lane in list(self._lanes):
            if (key, lane) in self._queued:
                self._remove((key, lane))
        self.taken.add(key)


def frontier_for(
    strategy: Strategy, capacity: int, refuses: Callable[[Ticket], str | None] = lambda ticket: None
) -> Frontier:
    """The frontier that a strategy asks for; `capacity` is for those that do not name their own."""
    kind = OwnLanes if strategy.own_lanes else Frontier
    return kind(
        strategy.capacity or capacity,
        merge=strategy.merge,
        full=strategy.full,
        batch=strategy.batch,
        place=strategy.place_in_batch,
        refuses=refuses,
    )
