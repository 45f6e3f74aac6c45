"""Excerpts as numbers: which term stands at which place, and which places are the vicinity of which link.

Places are numbered through all excerpts of a batch. A term has one, so has the end of a sentence; stop words and marks
have none. So two terms are a phrase where their places follow each other, and every vicinity is a run of places.
Vicinities overlap only where two links share the words between them, so begins and ends both rise from link to link.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.core.words import sequence_of

Numbers = NDArray[np.uint32]
Keys = NDArray[np.uint64]

REMEMBERED = 1 << 18
"""Distinct words whose term is kept from batch to batch."""

_MARK, _END = b"\0", b"\xff"
_ENDS = (b". ", b"! ", b"? ", b"\n")
# As in core.words: ASCII is lowered, its punctuation separates, and so do the lead bytes of typographic signs.
_SEPARATE = bytes(
    32 if code in (0xC2, 0xE2) or (0 < code < 128 and not chr(code).isalnum()) else code for code in range(256)
).lower()
_NOTHING, _MARKED, _ENDED, _SEVERAL = 0, -1, -2, -3


class Wording(NamedTuple):
    """What stands where in a batch of excerpts."""

    terms: NDArray[np.int32]
    """The number of the term at each place that is in a vicinity, in the order of places."""
    places: Numbers
    """Twice the place, and one more inside an anchor."""
    begins: Numbers
    """Of each link: the first place of its vicinity."""
    ends: Numbers
    """Of each link: the first place behind its vicinity."""
    keys: Keys
    """The key of each term, by its number."""


class Reader:
    """Reads excerpts; remembers words."""

    def __init__(self) -> None:
        self._numbers = _Numbers()

    def read(self, excerpts: Sequence[str], mute: NDArray[np.bool_]) -> Wording:
        """What stands in some excerpts; the links that are mute say nothing, but keep others out of their text."""
        tokens = self._tokens(excerpts)
        tokens = tokens[tokens != _NOTHING]
        marked, ended, said = tokens == _MARKED, tokens == _ENDED, tokens > 0
        places = np.cumsum(~marked) - ~marked
        opens, closes = places[marked].reshape(-1, 2).T
        stops = np.concatenate(([-1], places[ended], [len(tokens)]))
        begins = np.maximum(np.concatenate(([0], closes[:-1])), stops[np.searchsorted(stops, opens) - 1] + 1)
        ends = np.minimum(np.concatenate((opens[1:], [len(tokens)])), stops[np.searchsorted(stops, closes)])
        begins = np.where(mute, closes, begins).astype(np.uint32)
        ends = np.where(mute, closes, ends).astype(np.uint32)
        inside = np.cumsum(marked)[said] & 1
        places = places[said].astype(np.uint32)
        near = np.searchsorted(begins, places, "right") > np.searchsorted(ends, places, "right")
        places = (places[near] << np.uint32(1)) | inside[near].astype(np.uint32)
        return Wording(tokens[said][near], places, begins, ends, self._numbers.term_keys())

    def _tokens(self, excerpts: Sequence[str]) -> NDArray[np.int32]:
        if len(self._numbers) > REMEMBERED:
            self._numbers = _Numbers()
        words = "\n".join(excerpts).encode("utf-8", "replace")
        for end in _ENDS:
            words = words.replace(end, b" \xff ")
        tokens = words.replace(_MARK, b" \0 ").translate(_SEPARATE).split()
        numbers = np.fromiter(map(self._numbers.__getitem__, tokens), np.int32, len(tokens))
        if len(numbers) and numbers.min() <= _SEVERAL:
            whole = chain.from_iterable(self._numbers.several.get(number, (number,)) for number in numbers.tolist())
            numbers = np.fromiter(whole, np.int32)
        return numbers


class _Numbers(dict[bytes, int]):
    """Token to the number of its term, given as tokens come."""

    def __init__(self) -> None:
        super().__init__({_MARK: _MARKED, _END: _ENDED})
        self.several: dict[int, tuple[int, ...]] = {}
        """Tokens that are more than one term, by numbers of their own."""
        self._terms: dict[str, int] = {}
        self._keys: list[int] = [0]

    def __missing__(self, token: bytes) -> int:
        numbers = tuple(map(self._number, sequence_of(token)))
        if len(numbers) > 1:
            number = _SEVERAL - len(self.several)
            self.several[number] = numbers
        else:
            number = numbers[0] if numbers else _NOTHING
        self[token] = number
        return number

    def _number(self, term: str) -> int:
        number = self._terms.get(term)
        if number is None:
            number = self._terms[term] = len(self._keys)
            self._keys.append(key64(term))
        return number

    def term_keys(self) -> Keys:
        """The key of each term, by its number."""
        return np.array(self._keys, np.uint64)
