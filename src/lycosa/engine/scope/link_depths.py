"""How many links each URL is away from a seed, by the shortest path that is known.

A page may be reached by a long path first and by a shorter one later; then everything behind it comes nearer as well.
So the links of pages are kept, and what follows from a shorter path is worked out at once. The depth of a URL depends
on the links that are known by now, and not on the order in which they became known.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator

from lycosa.core.keys import key64
from lycosa.core.nouns import Plain
from lycosa.core.urls import identity

_UNKNOWN = 1 << 30


def key_of(url: str) -> int:
    """The number of a URL here and in the frontier."""
    return key64(identity(url))


class LinkDepths:
    """A fold over seeds, pages and redirects; redirects lead no deeper."""

    def __init__(self) -> None:
        self._depths: dict[int, int] = {}
        self._links: dict[int, array[int]] = {}
        """The links of each page that may still come nearer to a seed."""
        self._moves: dict[int, array[int]] = {}

    def start(self, url: str) -> list[int]:
        """A seed: no link leads there from anywhere; returns the keys of URLs that have come nearer, as all do here."""
        return list(self._approach([(key_of(url), 0)]))

    def linked(self, url: str, targets: Iterable[str]) -> list[int]:
        """A page links to other URLs."""
        return self._joined(self._links, key_of(url), targets, 1)

    def moved(self, url: str, to: str) -> list[int]:
        """A URL is redirected."""
        return self._joined(self._moves, key_of(url), [to], 0)

    def of(self, url: str) -> int | None:
        """How many links a URL is away from a seed; None if no path is known."""
        return self._depths.get(key_of(url))

    def _joined(self, edges: dict[int, array[int]], key: int, targets: Iterable[str], cost: int) -> list[int]:
        depth = self._depths.setdefault(key, 0)
        keys = array("Q", map(key_of, targets))
        if depth:
            known = edges.get(key)
            edges[key] = known + keys if known else keys
        return list(self._approach((target, depth + cost) for target in keys))

    def _approach(self, news: Iterable[tuple[int, int]]) -> Iterator[int]:
        waiting = deque(news)
        while waiting:
            key, depth = waiting.popleft()
            if depth >= self._depths.get(key, _UNKNOWN):
                continue
            self._depths[key] = depth
            yield key
            waiting.extend((target, depth) for target in self._moves.get(key, ()))
            waiting.extend((target, depth + 1) for target in self._links.get(key, ()))
            if not depth:
                self._moves.pop(key, None)
                self._links.pop(key, None)

    def save(self) -> Plain:
        """Everything as plain data."""
        edges = [[[key, found.tobytes()] for key, found in each.items()] for each in (self._links, self._moves)]
        return {
            "keys": array("Q", self._depths).tobytes(),
            "depths": array("I", self._depths.values()).tobytes(),
            "edges": edges,
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._depths = dict(zip(array("Q", state["keys"]), array("I", state["depths"]), strict=True))
        self._links, self._moves = ({key: array("Q", found) for key, found in each} for each in state["edges"])
