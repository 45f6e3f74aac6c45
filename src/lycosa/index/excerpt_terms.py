"""Excerpts as numbers: which term stands at which place, and which places are the vicinity of which link.

Places are numbered through all excerpts of a batch. A term has one, so has the end of a sentence; stop words and marks
have none. So two terms are a phrase where their places follow each other, and every vicinity is a run of places.
Vicinities overlap only where two links share the words between them, so begins and ends both rise from link to link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lycosa.index.lexicon import MARKED, NOTHING, Lexicon
from lycosa.index.numbers import Flags, Keys, Numbers, Tokens

REMEMBERED = 1 << 18
"""Distinct words that are kept from batch to batch."""
_TOGETHER = 16
"""Excerpts that are cut into words at once: what fits into a processor's cache."""

# As in core.words: ASCII is lowered, its punctuation separates, and so do the lead bytes of typographic signs. But what
# may end a sentence stays as a dot at the end of its word.
_SEPARATE = bytes(
    46 if code in b".!?" else 32 if code in (0xC2, 0xE2) or (0 < code < 128 and not chr(code).isalnum()) else code
    for code in range(256)
).lower()
_ZERO, _ONE = np.zeros(1, np.uint32), np.uint32(1)


class ExcerptTerms(NamedTuple):
    """What stands where in a batch of excerpts."""

    terms: Tokens
    """The number of the term at each place that is in a vicinity, in the order of places."""
    places: Numbers
    """Twice the place, and one more inside an anchor."""
    begins: Numbers
    """Of each link: the first place of its vicinity."""
    ends: Numbers
    """Of each link: the first place behind its vicinity."""
    keys: Keys
    """The key of each term, by its number."""


class ExcerptReader:
    """Reads excerpts; remembers words."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()

    def read(self, excerpts: Sequence[str], mute: Flags) -> ExcerptTerms:
        """What stands in some excerpts; the links that are mute say nothing, but keep others out of their text."""
        tokens = self._tokens(excerpts)
        tokens = tokens[tokens != NOTHING]
        marked, said, ended = tokens == MARKED, tokens > 1, (tokens & 1).astype(np.bool_)
        steps = said.astype(np.uint32) + ended
        upto = np.cumsum(steps, dtype=np.uint32)
        places, size, behind = upto - steps, upto[-1:], upto[ended]
        opens, closes = places[marked].reshape(-1, 2).T
        # A vicinity begins behind the link before, and behind the last end of a sentence before the anchor.
        starts = np.concatenate((_ZERO, behind))[np.searchsorted(behind, opens, "right")]
        begins = np.where(mute, closes, np.maximum(starts, np.concatenate((_ZERO, closes))[: len(opens)]))
        # It ends before the link behind, and before the first end of a sentence behind the anchor.
        stops = np.concatenate((behind - _ONE, size))[np.searchsorted(behind, closes, "right")]
        ends = np.where(mute, closes, np.minimum(stops, np.concatenate((opens, size))[1:]))
        near = _covered(begins, ends, size)[places[said]]
        inside = np.cumsum(marked, dtype=np.uint32)[said][near] & _ONE
        where = places[said][near] << _ONE | inside
        return ExcerptTerms(tokens[said][near] >> 1, where, begins, ends, self._lexicon.keys())

    def _tokens(self, excerpts: Sequence[str]) -> Tokens:
        if len(self._lexicon) > REMEMBERED:
            self._lexicon = Lexicon()
        found = [np.zeros(0, np.int32)]
        for at in range(0, len(excerpts), _TOGETHER):
            # A line break is the end of a sentence, whatever stands around it.
            lines = "\n".join(["", *excerpts[at : at + _TOGETHER], ""]).encode("utf-8", "surrogatepass")
            found.append(self._lexicon.numbers(lines.replace(b"\n", b" . ").translate(_SEPARATE)))
        return np.concatenate(found)


def _covered(begins: Numbers, ends: Numbers, size: Numbers) -> Flags:
    """Whether each place is in a vicinity."""
    length = int(size[0]) + 1
    open_at: Flags = np.cumsum(np.bincount(begins, minlength=length) - np.bincount(ends, minlength=length)) > 0
    return open_at
