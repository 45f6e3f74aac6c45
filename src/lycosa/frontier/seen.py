"""A set of 64-bit keys at eight bytes each, for the millions of URLs a crawl has handed out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_YOUNG = 1 << 16


class Seen:
    """Keys in two places: the young in a Python set (quick to add), the old in one sorted array (eight bytes each).

    Invariant: a key is in the set, in the array, or in neither; never in both.
    """

    def __init__(self, stored: bytes = b"") -> None:
        self._old: NDArray[np.uint64] = np.frombuffer(stored, dtype="<u8")
        self._young: set[int] = set()

    def __len__(self) -> int:
        return len(self._old) + len(self._young)

    def __contains__(self, key: int) -> bool:
        return key in self._young or (len(self._old) > 0 and self._is_old(key))

    def _is_old(self, key: int) -> bool:
        at = int(np.searchsorted(self._old, np.uint64(key)))
        return at < len(self._old) and int(self._old[at]) == key

    def among(self, keys: list[int]) -> set[int]:
        """Those of the keys that are in the set; one array operation for a whole page of links."""
        found = self._young.intersection(keys)
        if len(self._old):
            wanted = np.array(keys, dtype=np.uint64)
            at = np.searchsorted(self._old, wanted)
            at[at == len(self._old)] = 0
            found.update(wanted[self._old[at] == wanted].tolist())
        return found

    def add(self, key: int) -> None:
        """Put one key in."""
        if key not in self:
            self._young.add(key)
            if len(self._young) >= _YOUNG:
                self._settle()

    def update(self, keys: Iterable[int]) -> None:
        """Put many keys in."""
        for key in keys:
            self.add(key)

    def _settle(self) -> None:
        young = np.fromiter(self._young, dtype=np.uint64, count=len(self._young))
        young.sort()
        self._old = np.insert(self._old, np.searchsorted(self._old, young), young)
        self._young.clear()

    def save(self) -> bytes:
        """All keys, sorted, eight bytes each."""
        if self._young:
            self._settle()
        return self._old.astype("<u8").tobytes()
