"""Tag paths in groups of similar ones: each new path joins the nearest group, or begins one if none is near enough."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from lycosa.core.keys import key64
from lycosa.core.nouns import Plain

_DIMENSIONS = 1 << 10
"""Dimensions of a tag path's vector; pairs of neighbouring tags are hashed to them."""
_PATHS = 100_000
"""Most tag paths whose group is remembered."""


class PathGroups:
    """Tag paths in groups of similar ones."""

    def __init__(self, theta: float, most: int) -> None:
        self.theta = theta
        self.most = most
        self._group_of: dict[str, int] = {}
        self._centroids = np.zeros((8, _DIMENSIONS), np.float32)
        self._lengths = np.zeros(8)
        """The lengths of the centroids."""
        self._sizes: list[int] = []
        """How many tag paths each group has."""

    def group(self, path: str) -> str:
        """The name of the group to which a tag path belongs."""
        known = self._group_of.get(path)
        if known is None:
            if len(self._group_of) >= _PATHS:
                self._group_of.clear()
            known = self._group_of[path] = self._join(path)
        return f"place {known + 1}"

    def _join(self, path: str) -> int:
        steps = path.split() or ["nowhere"]
        pairs = [f"{one} {two}" for one, two in pairwise(["", *steps])]
        places, counts = np.unique([key64(pair) % _DIMENSIONS for pair in pairs], return_counts=True)
        values = counts / np.linalg.norm(counts)
        best, count = -1, len(self._sizes)
        if count:
            similar = np.round(self._centroids[:count, places] @ values / self._lengths[:count], 6)
            best = int(np.argmax(similar))
            if similar[best] < self.theta and count < self.most:
                best = -1
        if best < 0:
            best = count
            if count >= len(self._centroids):
                self._centroids = np.concatenate([self._centroids, np.zeros_like(self._centroids)])
                self._lengths = np.concatenate([self._lengths, np.zeros_like(self._lengths)])
            self._sizes.append(0)
        self._sizes[best] += 1
        centroid = self._centroids[best]
        centroid -= centroid / self._sizes[best]
        centroid[places] += (values / self._sizes[best]).astype(np.float32)
        self._lengths[best] = np.linalg.norm(centroid)
        return best

    def save(self) -> Plain:
        """All groups as plain data."""
        used = self._centroids[: len(self._sizes)]
        rows, columns = np.nonzero(used)
        arrays = (rows.astype(np.int32), columns.astype(np.int32), used[rows, columns])
        return [self._group_of, self._sizes, [array.tobytes() for array in arrays]]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._group_of, self._sizes, (rows, columns, values) = state
        self._centroids = np.zeros((max(8, len(self._sizes)), _DIMENSIONS), np.float32)
        places = np.frombuffer(rows, np.int32), np.frombuffer(columns, np.int32)
        self._centroids[places] = np.frombuffer(values, np.float32)
        self._lengths = np.array([np.linalg.norm(centroid) for centroid in self._centroids])
