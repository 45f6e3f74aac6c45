"""Sequences of words by which the texts of a site are compared, and what of a text some of them cover.

A text is given as words that spaces separate, as bytes (core.words.separated). A sequence is LENGTH words from a place
on. Only those that begin with certain pairs of words are drawn, one in DRAWN; what is in two texts is drawn in both. A
word counts by its first eight bytes, with the beginning of the next one if it is shorter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lycosa.core.nouns import Span
from lycosa.index.numbers import Flags, Keys, Numbers, Rows

LENGTH = 6
DRAWN = 4
JOINED = 24
"""Words from one of a template's sequences to the next, up to which those between them belong to the template too."""

_U = np.uint64
_EIGHT = 8
_SPACE = 32
_ODD = np.array(
    [
        0x9E3779B97F4A7C15,
        0xC2B2AE3D27D4EB4F,
        0xD6E8FEB86659FD93,
        0xBF58476D1CE4E5B9,
        0x94D049BB133111EB,
        0xA0761D6478BD642F,
    ],
    np.uint64,
)
_STEPS = np.arange(LENGTH)
_NOTHING = np.empty(0, np.uint32)
_LIMIT = _U((1 << 64) // DRAWN)
_HALF = _U(32)


class DrawnSequences(NamedTuple):
    """The drawn sequences of a text, in their order."""

    hashes: Numbers
    begins: Rows
    """The number of each one's first word."""
    words: Rows
    """The byte at which each word of the text begins."""
    end: int
    """Where the text ends."""

    def spans(self, repeated: Flags) -> list[Span]:
        """The bytes that some of the sequences cover, and what is between near ones."""
        found = self.begins[repeated]
        if not len(found):
            return []
        far = (found[1:] - found[:-1] > JOINED).nonzero()[0].tolist()
        firsts, lasts = found[[0, *(at + 1 for at in far)]], found[[*far, -1]] + LENGTH
        ends = [int(self.words[word]) if word < len(self.words) else self.end for word in lasts.tolist()]
        return list(zip(self.words[firsts].tolist(), ends, strict=True))


def drawn(words: bytes) -> DrawnSequences:
    """The drawn sequences of a text."""
    padded = np.frombuffer(b"".join((b" ", words, b" " * _EIGHT)), np.uint8)
    letters = padded != _SPACE
    places = (letters[1:] > letters[:-1]).nonzero()[0]
    count = len(places) - LENGTH + 1
    if count < 1:
        return DrawnSequences(_NOTHING, places, places, len(words))
    eight: Keys = np.ndarray((len(words),), "<u8", padded.data, 1, (1,))[places]
    pairs = eight[:count] + eight[1 : count + 1]
    pairs *= _ODD[0]
    begins = (pairs < _LIMIT).nonzero()[0]
    several = eight[begins[:, None] + _STEPS] * _ODD
    several ^= several >> _HALF
    total = several @ _ODD[::-1]
    return DrawnSequences((total >> _HALF).astype(np.uint32), begins, places, len(words))
