"""Excerpts as numbers: which term is at which place, and which places are the vicinity of which link.

Places are numbered consecutively over all excerpts of a batch. Each term and each end of a sentence has a place; stop
words and marks have none. So two terms are a phrase if their places are consecutive, and every vicinity is a range of
places. Vicinities overlap only if two links share the words between them, so begins and ends both increase from link to
link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lycosa.index.lexicon import MARKED, NOTHING, Lexicon
from lycosa.index.numbers import Flags, Keys, Numbers, Tokens

REMEMBERED = 1 << 18
"""Most distinct words that are remembered from batch to batch."""
_TOGETHER = 16
"""Excerpts that are split into words at once: as many as fit into a processor's cache."""

# As in core.words: ASCII is lower-cased, its punctuation separates words, and so do the lead bytes of typographic
# characters. But a possible end of a sentence is kept as a dot at the end of its word.
_SEPARATE = bytes(
    46 if code in b".!?" else 32 if code in (0xC2, 0xE2) or (0 < code < 128 and not chr(code).isalnum()) else code
    for code in range(256)
).lower()
_ZERO, _ONE = np.zeros(1, np.uint32), np.uint32(1)


class ExcerptTerms(NamedTuple):
    """The terms and vicinities of a batch of excerpts."""

    terms: Tokens
    """The number of the term at each place that is in a vicinity, ordered by place."""
    places: Numbers
    """2 * place, plus 1 inside an anchor."""
    begins: Numbers
    """The first place of each link's vicinity."""
    ends: Numbers
    """The first place after each link's vicinity."""
    keys: Keys
    """The key of each term, by its number."""


class ExcerptReader:
    """Reads excerpts, and remembers words from batch to batch."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()

    def read(self, excerpts: Sequence[str], mute: Flags) -> ExcerptTerms:
        """The terms of excerpts; mute links have no vicinity, but others' vicinities still do not enter their text."""
        tokens = self._tokens(excerpts)
        tokens = tokens[tokens != NOTHING]
        marked, said, ended = tokens == MARKED, tokens > 1, (tokens & 1).astype(np.bool_)
        steps = said.astype(np.uint32) + ended
        upto = np.cumsum(steps, dtype=np.uint32)
        places, size, behind = upto - steps, upto[-1:], upto[ended]
        opens, closes = places[marked].reshape(-1, 2).T
        # A vicinity begins after the previous link, and after the last end of a sentence before the anchor.
        starts = np.concatenate((_ZERO, behind))[np.searchsorted(behind, opens, "right")]
        begins = np.where(mute, closes, np.maximum(starts, np.concatenate((_ZERO, closes))[: len(opens)]))
        # It ends before the next link, and before the first end of a sentence after the anchor.
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
            # A line break always ends a sentence.
            lines = "\n".join(["", *excerpts[at : at + _TOGETHER], ""]).encode("utf-8", "surrogatepass")
            found.append(self._lexicon.numbers(lines.replace(b"\n", b" . ").translate(_SEPARATE)))
        return np.concatenate(found)


def _covered(begins: Numbers, ends: Numbers, size: Numbers) -> Flags:
    """Whether each place is in a vicinity."""
    length = int(size[0]) + 1
    open_at: Flags = np.cumsum(np.bincount(begins, minlength=length) - np.bincount(ends, minlength=length)) > 0
    return open_at
