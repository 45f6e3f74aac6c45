"""A set of 64-bit keys at eight bytes each, for the millions of URLs a crawl has handed out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_YOUNG = 1 << 16
_BATCH = 1 << 12


class Seen:
    """Keys in two places: new ones in a Python set (quick to add), old ones in a sorted array (eight bytes each).

    Invariant: a key is in the set, in the array, or in neither; never in both.
    """

    def __init__(self, stored: bytes = b"") -> None:
        self._old: NDArray[np.uint64] | None = _array(stored) if stored else None
        self._young: set[int] = set()

    def __len__(self) -> int:
        return (0 if self._old is None else len(self._old)) + len(self._young)

    def __contains__(self, key: int) -> bool:
        return key in self._young or (self._old is not None and bool(self._found([key])))

    def among(self, keys: list[int]) -> set[int]:
        """The given keys that are in the set; one array operation for a whole page of links."""
        found = self._young.intersection(keys)
        if self._old is not None and keys:
            found.update(self._found(keys))
        return found

    def _found(self, keys: list[int]) -> list[int]:
        import numpy as np

        assert self._old is not None
        wanted = np.array(keys, dtype=np.uint64)
        at = np.searchsorted(self._old, wanted)
        at[at == len(self._old)] = 0
        found: list[int] = wanted[self._old[at] == wanted].tolist()
        return found

    def add(self, key: int) -> None:
        """Add one key."""
        if key not in self:
            self._young.add(key)
            if len(self._young) >= _YOUNG:
                self._settle()

    def update(self, keys: Iterable[int]) -> None:
        """Add many keys."""
        coming = iter(keys)
        while batch := set(islice(coming, _BATCH)):
            self._young |= batch - self.among(list(batch))
            if len(self._young) >= _YOUNG:
                self._settle()

    def _settle(self) -> None:
        import numpy as np

        young = np.fromiter(self._young, dtype=np.uint64, count=len(self._young))
        young.sort()
        old = self._old if self._old is not None else young[:0]
        self._old = np.insert(old, np.searchsorted(old, young), young)
        self._young.clear()

    def save(self) -> bytes:
        """All keys, sorted, eight bytes each."""
        if self._old is None:
            return b"".join(key.to_bytes(8, "little") for key in sorted(self._young))
        if self._young:
            self._settle()
        return self._old.astype("<u8").tobytes()


def _array(stored: bytes) -> NDArray[np.uint64]:
    # A small crawl never needs numpy, and importing it takes as long as starting the rest of the brain.
    import numpy as np

    return np.frombuffer(stored, dtype="<u8")
