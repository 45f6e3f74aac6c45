"""A few numbers that stand for what a text says, so that one which brings nothing new is known by them.

The first is of the whole text but for its digits: pages that only count on have it in common. The others are of the
stretches whose beginning hashes lowest (a bottom-k sketch, Broder 1997). Which stretches these are depends on nothing
but what they say, so texts that share most of what they say share most of these numbers, wherever it stands.
"""

from __future__ import annotations

from xxhash import xxh3_64_intdigest

COUNT = 8
"""Stretches whose numbers are kept."""
_STRETCH = 32
"""Bytes of a stretch: five or six words, which strangers seldom put together in the same way."""
_LONGEST = 1 << 15
"""Bytes of a text that are looked at."""
_ENOUGH = 128
"""Stretches looked at closely: many more than are kept, because a text may say the same thing often."""
_DIGITS = b"0123456789"


def shingles(text: str) -> bytes:
    """Up to 1 + COUNT numbers of four bytes; none for a text that is shorter than a stretch."""
    # Whoever only resumes a crawl to look at it never needs it.
    import numpy as np

    data = text[:_LONGEST].encode("utf-8", "replace")[:_LONGEST]
    if len(data) < _STRETCH:
        return b""
    # The eight bytes from each place of the text on, without copying them.
    eight = np.ndarray((len(data) - 7,), "<u8", data, strides=(1,))
    ranks = eight[: len(data) - _STRETCH + 1] * np.uint64(0x9E3779B97F4A7C15)
    at = np.arange(len(ranks))
    if len(ranks) > _ENOUGH:
        low = np.flatnonzero(ranks < np.uint64(2**64 // len(ranks) * _ENOUGH))
        at = low if len(low) >= _ENOUGH // 4 else at
    at = at[np.argsort(ranks[at], kind="stable")]
    hashes = np.zeros(len(at), np.uint64)
    for place in range(0, _STRETCH, 8):
        hashes = (hashes ^ eight[at + place]) * np.uint64(0xC2B2AE3D27D4EB4F)
        hashes ^= hashes >> np.uint64(29)
    numbers = dict.fromkeys((hashes >> np.uint64(32)).tolist())
    whole = xxh3_64_intdigest(data.translate(None, _DIGITS)) >> 32
    return b"".join(number.to_bytes(4, "little") for number in (whole, *list(numbers)[:COUNT]))
