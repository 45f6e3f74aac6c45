"""Tree-Frontier (Kontogiannis et al. 2021): a regression tree that divides links by what similar ones have led to.

A leaf holds experiences, links that were followed, each with its reward, and links that wait. A leaf with enough
experiences is split by the feature and value that reduce the variance of the rewards most. Features are whole numbers
from 0 to STEPS, tenths of the features themselves, so a leaf needs only counts to find its best split.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain

STEPS = 10
Features = NDArray[np.uint8]


class _Leaf:
    """Experiences and waiting links, by number; and the experiences counted by the values of each feature."""

    def __init__(self, features: int, depth: int) -> None:
        self.depth = depth
        self.experiences: list[int] = []
        self.waiting: list[int] = []
        self.counts = np.zeros((features, STEPS + 1))
        self.sums = np.zeros((features, STEPS + 1))
        self.squares = np.zeros((features, STEPS + 1))

    def count(self, number: int, features: Features, reward: float) -> None:
        self.experiences.append(number)
        places = np.arange(len(features)), features
        self.counts[places] += 1
        self.sums[places] += reward
        self.squares[places] += reward * reward

    def best_split(self) -> tuple[int, int] | None:
        """The feature and value (to the left up to it) with the greatest reduction of variance, if any reduces it."""
        left = [each.cumsum(1)[:, :-1] for each in (self.counts, self.sums, self.squares)]
        whole = [each.sum(1)[:, None] for each in (self.counts, self.sums, self.squares)]
        right = [all_of - part for all_of, part in zip(whole, left, strict=True)]
        # The sum of squared deviations: that of the whole is the same for all splits.
        spread = np.add(*(squares - sums * sums / np.maximum(counts, 1) for counts, sums, squares in (left, right)))
        usable = (left[0] > 0) & (right[0] > 0)
        gain = np.round(np.where(usable, (whole[2] - whole[1] ** 2 / whole[0]) - spread, 0.0), 9)
        feature, value = divmod(int(np.argmax(gain)), STEPS)
        return (feature, value) if gain[feature, value] > 0 else None


class TreeFrontier:
    """The tree. Experiences are kept here; of waiting links only their numbers, which the caller gives them."""

    def __init__(self, features: int, *, split: int, depth: int) -> None:
        """A leaf with at least `split` experiences is split if that reduces variance, down to `depth`."""
        self.features = features
        self.split = split
        self.depth = depth
        self._known: list[tuple[Features, float]] = []
        self._nodes: list[_Leaf | tuple[int, int, int, int]] = [_Leaf(features, 0)]
        """A leaf; or a feature, a value, and the places of the two nodes below."""
        self._place: dict[int, tuple[int, int]] = {}
        """By waiting link: its leaf, and its place there."""

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return sum(isinstance(node, _Leaf) for node in self._nodes)

    def learn(self, features: Features, reward: float, waiting: NDArray[np.uint8]) -> None:
        """Add an experience, and split its leaf if that is possible; `waiting` has the features of waiting links."""
        at = self._find(features)
        leaf = self._leaf(at)
        leaf.count(len(self._known), features, reward)
        self._known.append((features, reward))
        if len(leaf.experiences) < self.split or leaf.depth >= self.depth or (best := leaf.best_split()) is None:
            return
        feature, value = best
        below = _Leaf(self.features, leaf.depth + 1), _Leaf(self.features, leaf.depth + 1)
        for number in leaf.experiences:
            known, earned = self._known[number]
            below[int(known[feature] > value)].count(number, known, earned)
        left = len(self._nodes)
        self._nodes[at] = feature, value, left, left + 1
        self._nodes += below
        for link in leaf.waiting:
            side = int(waiting[link, feature] > value)
            self._place[link] = left + side, len(below[side].waiting)
            below[side].waiting.append(link)

    def add(self, link: int, features: Features) -> None:
        """Add a link that waits."""
        at = self._find(features)
        leaf = self._leaf(at)
        self._place[link] = at, len(leaf.waiting)
        leaf.waiting.append(link)

    def remove(self, link: int) -> None:
        """Remove a link, if it waits; the last one of its leaf takes its place."""
        if link not in self._place:
            return
        at, place = self._place.pop(link)
        waiting = self._leaf(at).waiting
        last = waiting.pop()
        if last != link:
            waiting[place] = last
            self._place[last] = at, place

    def sample(self, rng: Random) -> list[int]:
        """A random waiting link of each leaf that has any."""
        leaves = (node.waiting for node in self._nodes if isinstance(node, _Leaf) and node.waiting)
        return [waiting[int(rng.random() * len(waiting))] for waiting in leaves]

    def save(self) -> Plain:
        """The tree as plain data."""
        return {
            "known": b"".join([features.tobytes() for features, _ in self._known]),
            "rewards": [reward for _, reward in self._known],
            "nodes": [
                [node.depth, node.experiences, node.waiting] if isinstance(node, _Leaf) else list(node)
                for node in self._nodes
            ],
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        known = np.frombuffer(state["known"], np.uint8).reshape(-1, self.features)
        self._known = list(zip(known, state["rewards"], strict=True))
        self._nodes, self._place = [], {}
        for at, node in enumerate(state["nodes"]):
            if len(node) == 4:
                self._nodes.append((node[0], node[1], node[2], node[3]))
                continue
            leaf = _Leaf(self.features, node[0])
            for number in node[1]:
                leaf.count(number, *self._known[number])
            leaf.waiting = node[2]
            self._place |= {link: (at, place) for place, link in enumerate(leaf.waiting)}
            self._nodes.append(leaf)

    def _find(self, features: Features) -> int:
        """The place of the leaf to which a link with these features belongs."""
        at = 0
        while isinstance(node := self._nodes[at], tuple):
            feature, value, left, right = node
            at = right if features[feature] > value else left
        return at

    def _leaf(self, at: int) -> _Leaf:
        leaf = self._nodes[at]
        assert isinstance(leaf, _Leaf)
        return leaf


class WaitingLinks:
    """The links that wait in the tree, by number; numbers are used again."""

    def __init__(self, features: int) -> None:
        self.urls: list[str] = []
        self.paths: list[Plain] = []
        """Relevant and irrelevant pages on the path, the distance from the last relevant one, and the page."""
        self.features = np.zeros((1024, features), np.uint8)
        self._free: list[int] = []

    def add(self, url: str, features: Features, path: Plain) -> int:
        """Add a link and return its number."""
        if self._free:
            number = self._free.pop()
            self.urls[number], self.paths[number] = url, path
        else:
            number = len(self.urls)
            self.urls.append(url)
            self.paths.append(path)
            if number >= len(self.features):
                self.features = np.concatenate([self.features, np.zeros_like(self.features)])
        self.features[number] = features
        return number

    def remove(self, number: int) -> None:
        """Remove a link; its number becomes that of another one."""
        self.urls[number], self.paths[number] = "", None
        self._free.append(number)

    def save(self) -> Plain:
        """Everything as plain data."""
        return [self.urls, self.paths, self.features[: len(self.urls)].tobytes(), self._free]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.urls, self.paths, features, self._free = state
        known = np.frombuffer(features, np.uint8).reshape(-1, self.features.shape[1])
        self.features = np.zeros((max(1024, len(known)), known.shape[1]), np.uint8)
        self.features[: len(known)] = known
