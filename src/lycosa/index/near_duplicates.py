"""Near-duplicates: pages with almost the same text have fingerprints that differ in few bits (simhash, Charikar 2002).

Of all sixteen-byte substrings of a text, those are sampled whose beginning hashes to a small number: one in thirty-two,
the same ones wherever they are, so that an insertion changes nothing before or after it. Each is hashed to 64 bits, and
each bit of the fingerprint is the value that most of the hashes have there.

Texts shorter than SHORT are near-duplicates only if they are equal: in pages of a few words the site's template is most
of the text. An empty text has no near-duplicates.

Only fingerprints are stored. Groups are made from the results of a query: the best of each group represents the others,
nothing has to be updated when a page changes or is removed, and groups do not depend on the order of arrival.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xxhash import xxh3_64_intdigest

NEAR = 7
"""Most bits in which the fingerprints of near-duplicates differ.

Measured on the schools bed with other words before and after a page (200 characters: a header, a footer, a date): 84
of 100 pages of 2 to 4 KB stay within it, 97 of 4 to 12 KB and all longer ones; with an extra paragraph of 500
characters 49, 83 and 99. Of the bed's 13 million pairs of pages, all with the same navigation, fourteen are within it:
twelve articles that exist under two names, and two forms that differ in a line. The nearest others differ in 8.
"""
ALIKE = 0.85
"""Least length of the shorter of two near-duplicates, relative to the longer: pages made of the same sentences, like
those of made webs, often have near fingerprints (3 of 1,000 pairs of 13 KB), but seldom also the same length."""
SHORT = 2000
"""Bytes of text below which only equal texts are near-duplicates, such as the bed's pages of one photograph."""
NOBODY = 0
"""The fingerprint of an empty text."""

_U = np.uint64
_DRAWN = _U(1 << 59)
_ODD = [_U(n) for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xBF58476D1CE4E5B9)]


def fingerprint(text: str) -> int:
    """64 bits that identify near-duplicates."""
    data = text.encode("utf-8", "replace")
    if not data.strip():
        return NOBODY
    if len(data) < SHORT:
        return xxh3_64_intdigest(data) or 1
    # The eight bytes starting at each byte of the text, without copying them.
    eight = np.ndarray((len(data) - 7,), "<u8", data, strides=(1,))
    drawn = np.flatnonzero(eight[:-8] * _ODD[0] < _DRAWN)
    hashes = eight[drawn] * _ODD[1] ^ eight[drawn + 8] * _ODD[2]
    for shift in (29, 32):
        hashes ^= hashes >> _U(shift)
        hashes *= _ODD[3]
    hashes ^= hashes >> _U(29)
    if not len(hashes):
        # Nothing was sampled: the text repeats one letter, for example.
        return xxh3_64_intdigest(data) or 1
    bits = np.unpackbits(hashes.view(np.uint8)).reshape(-1, 64)
    most = np.add.reduce(bits, 0, dtype=np.uint32) * 2 > len(hashes)
    return int.from_bytes(np.packbits(most).tobytes(), "big") or 1


def folded(fingerprints: Sequence[int], sizes: Sequence[int], count: int) -> list[list[int]]:
    """The first `count` groups of near-duplicates, each as the positions of its members in the given order.

    A near-duplicate of the first member of a group joins it and starts no group of its own: being near-duplicates is
    not transitive.
    """
    prints, bytes_ = np.array(fingerprints, np.uint64), np.array(sizes, np.float64)
    open_places = np.arange(len(prints))
    groups: list[list[int]] = []
    while len(open_places) and len(groups) < count:
        near = (np.bitwise_count(prints ^ prints[0]) <= NEAR) & (prints != NOBODY) & (prints[0] != NOBODY)
        near &= (bytes_ >= ALIKE * bytes_[0]) & (ALIKE * bytes_ <= bytes_[0])
        near[0] = True
        groups.append(open_places[near].tolist())
        open_places, prints, bytes_ = open_places[~near], prints[~near], bytes_[~near]
    return groups
