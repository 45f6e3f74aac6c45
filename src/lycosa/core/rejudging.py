"""The relevance of many pages in few bytes, as `Rejudged` events have it, and which of them are worth noting.

A byte is the probability in steps of a two hundredth. 0 and 1 are only for pages about which it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

STEPS, UNKNOWN = 200, 255
"""The byte of a page that is certainly relevant, and of one about which nothing can be said."""
NOTICED = 0.02
"""Smaller changes of a relevance are not noted: nobody sees them, and each costs a write."""


def unpacked(byte: int) -> float | None:
    """The relevance in a byte; None if it says nothing."""
    return byte / STEPS if byte <= STEPS else None


def changes(before: Sequence[float | None], packed: bytes) -> Iterator[tuple[int, float]]:
    """Which pages have another relevance now, by their place in `before`, the relevance of all pages in order.

    The last byte is that of the last page. What is certain is always noted, other changes if they are noticeable.
    """
    first = len(before) - len(packed)
    for place, byte in enumerate(packed, first):
        if place < 0 or byte > STEPS:
            continue
        old, new = before[place], byte / STEPS
        if old is None or abs(new - old) >= NOTICED or (byte in (0, STEPS) and new != old):
            yield place, new
