"""A sketch of a text: a few hashes by which texts that bring nothing new are recognised.

The first hash is of the whole text without its digits, so pages that differ only in numbers share it. The others are of
the stretches of text whose first bytes hash lowest (a bottom-k sketch, Broder 1997). The choice of stretches depends
only on their content, so texts that share most of their content share most of these hashes, whatever its position.
"""

from __future__ import annotations

from xxhash import xxh3_64_intdigest

COUNT = 32
"""Stretches whose hashes are kept: enough to tell how much of a text has changed."""
FEW = 4 * 9
"""Bytes of a sketch with only 8 of them, which is enough to recognise texts."""
SMALL_SHARE = 0.1
"""The share of its stretches that a text may lose without being another one: dates, counters, advertisements."""
IN_DIGITS = 0.3
"""The same if nothing but digits has changed: a clock in a short text is none, a table of prices is."""
_STRETCH = 32
"""Bytes of a stretch: five or six words, which unrelated texts seldom have in the same order."""
_LONGEST = 1 << 15
"""Bytes of a text that are used."""
_ENOUGH = 128
"""Stretches that are hashed: many more than are kept, because a text may repeat itself."""
_DIGITS = b"0123456789"


def shingles(text: str) -> bytes:
    """Up to 1 + COUNT hashes of four bytes each; empty for a text that is shorter than a stretch."""
    # A process that only reads a crawl never needs numpy.
    import numpy as np

    data = text[:_LONGEST].encode("utf-8", "replace")[:_LONGEST]
    if len(data) < _STRETCH:
        return b""
    # The eight bytes that begin at each byte of the text, without copying them.
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


def is_another_text(before: bytes, after: bytes) -> bool:
    """Whether two sketches are of different texts; unknown sketches count as different.

    They are not if the texts differ only in a small share of their stretches.
    """
    if not (before and after):
        return True
    # One of them may be of a version that kept fewer hashes.
    size = min(len(before), len(after))
    old, new = ({data[at : at + 4] for at in range(4, size, 4)} for data in (before, after))
    allowed = IN_DIGITS if before[:4] == after[:4] else SMALL_SHARE
    return len(old - new) > allowed * len(old)
