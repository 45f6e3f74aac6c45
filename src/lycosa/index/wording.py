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

_MARK = b"\0"
# As in core.words: ASCII is lowered, its punctuation separates, and so do the lead bytes of typographic signs. But what
# may end a sentence stays as a full stop at the end of its word.
_SEPARATE = bytes(
    46 if code in b".!?" else 32 if code in (0xC2, 0xE2) or (0 < code < 128 and not chr(code).isalnum()) else code
    for code in range(256)
).lower()
_TOGETHER = 16
"""Excerpts that are cut into words at once: what fits into a processor's cache."""
_ZERO, _ONE = np.zeros(1, np.uint32), np.uint32(1)
_NOTHING, _MARKED, _SEVERAL = 0, -2, -3
"""Other tokens have twice the number of their term, and one more where they end a sentence."""


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
        marked, said, ended = tokens == _MARKED, tokens > 1, (tokens & 1).astype(np.bool_)
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
        return Wording(tokens[said][near] >> 1, where, begins, ends, self._numbers.term_keys())

    def _tokens(self, excerpts: Sequence[str]) -> NDArray[np.int32]:
        if len(self._numbers) > REMEMBERED:
            self._numbers = _Numbers()
        found = []
        for at in range(0, len(excerpts), _TOGETHER):
            words = "\n".join(excerpts[at : at + _TOGETHER]).encode("utf-8", "replace") + b"\n"
            tokens = words.replace(b"\n", b" . ").translate(_SEPARATE).split()
            found.append(np.fromiter(map(self._numbers.__getitem__, tokens), np.int32, len(tokens)))
        return _spread(np.concatenate(found), self._numbers.several)


def _covered(begins: Numbers, ends: Numbers, size: Numbers) -> NDArray[np.bool_]:
    """Whether each place is in a vicinity."""
    length = int(size[0]) + 1
    open_at: NDArray[np.bool_] = (
        np.cumsum(np.bincount(begins, minlength=length) - np.bincount(ends, minlength=length)) > 0
    )
    return open_at


def _spread(numbers: NDArray[np.int32], several: dict[int, tuple[int, ...]]) -> NDArray[np.int32]:
    """The same, with all terms of the tokens that are several."""
    at = np.flatnonzero(numbers <= _SEVERAL)
    if not len(at):
        return numbers
    rows = [several[number] for number in numbers[at].tolist()]
    counts = np.ones(len(numbers), np.int64)
    counts[at] = [len(row) for row in rows]
    spread = np.repeat(numbers, counts)
    spread[spread <= _SEVERAL] = list(chain.from_iterable(rows))
    return spread


class _Numbers(dict[bytes, int]):
    """Token to twice the number of its term and whether it ends a sentence, given as tokens come."""

    def __init__(self) -> None:
        super().__init__({_MARK: _MARKED})
        self.several: dict[int, tuple[int, ...]] = {}
        """Tokens that are more than one term, by numbers of their own."""
        self._terms: dict[str, int] = {}
        self._keys: list[int] = [0]

    def __missing__(self, token: bytes) -> int:
        word = token.rstrip(b".")
        if word == token:
            number = self._number_of(token)
        elif (bare := self[word] if word else _NOTHING) >= 0:
            number = bare + 1
        else:
            number = self._together([*self.several[bare][:-1], self.several[bare][-1] + 1])
        self[token] = number
        return number

    def _number_of(self, word: bytes) -> int:
        terms = sequence_of(word.replace(b".", b" "))
        numbers = [self._terms.get(term) or self._new(term) for term in terms]
        return self._together(numbers) if len(numbers) > 1 else numbers[0] if numbers else _NOTHING

    def _new(self, term: str) -> int:
        number = self._terms[term] = 2 * len(self._keys)
        self._keys.append(key64(term))
        return number

    def _together(self, numbers: list[int]) -> int:
        number = _SEVERAL - len(self.several)
        self.several[number] = tuple(numbers)
        return number

    def term_keys(self) -> Keys:
        """The key of each term, by its number."""
        return np.array(self._keys, np.uint64)
