"""Words as numbers, thousands in one step: the most expensive part of indexing references, so it uses arrays.

Words are hashed eight bytes at a time, and looked up in a table with open addressing. Only a new word is handled in
Python: it is stemmed, and its number is stored.
"""

from __future__ import annotations

from array import array
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.core.stopwords import STOPWORDS
from lycosa.core.words import LONGEST, sequence_of, stem
from lycosa.index.numbers import Keys, Tokens

MARK = b"\0"
NOTHING, MARKED = 0, -2
"""A stop word or similar; a mark. Other words have 2 * the number of their term, plus 1 if they end in a dot."""
_SEVERAL = -3
"""This value and lower ones: words that consist of several terms."""

_BLANK = 32
_WORD = 8
_PRIMES = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_HALF, _ODD = np.uint64(29), np.uint64(1)
_FIRST_BYTES = np.array([(1 << 8 * length) - 1 for length in range(_WORD + 1)], np.uint64)


class Lexicon:
    """The terms seen so far, and the terms of each word."""

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._term_keys = array("Q", [0])
        self._several: dict[int, tuple[int, ...]] = {}
        self._table = _Table(1 << 15)

    def __len__(self) -> int:
        return self._table.used

    def keys(self) -> Keys:
        """The key of each term, by its number."""
        return np.array(self._term_keys)

    def numbers(self, words: bytes) -> Tokens:
        """The numbers of lower-case words, given with a blank before each."""
        starts, lengths, hashes = _hashed(words + b" " * _WORD)
        numbers, new = self._table.look_up(hashes)
        if len(new):
            unknown, first, which = np.unique(hashes[new], return_index=True, return_inverse=True)
            rows = new[first]
            spans = zip(starts[rows].tolist(), lengths[rows].tolist(), strict=True)
            learned = np.array([self._learn(words[start : start + length]) for start, length in spans], np.int32)
            self._table.put(unknown, learned)
            numbers[new] = learned[which]
        return self._spread(numbers)

    def _learn(self, word: bytes) -> int:
        if word == MARK:
            return MARKED
        if word.isalnum() and word.isascii():
            # The same result as core.words for a plain word, but three times as fast.
            plain = word.decode()
            return 2 * self._number(stem(plain)) if 1 < len(word) <= LONGEST and plain not in STOPWORDS else NOTHING
        numbers = [2 * self._number(term) for term in sequence_of(word.replace(b".", b" "))]
        if word.endswith(b"."):
            numbers = [*numbers[:-1], numbers[-1] + 1] if numbers else [1]
        if len(numbers) < 2:
            return numbers[0] if numbers else NOTHING
        together = _SEVERAL - len(self._several)
        self._several[together] = tuple(numbers)
        return together

    def _number(self, term: str) -> int:
        number = self._terms.get(term)
        if number is None:
            number = self._terms[term] = len(self._term_keys)
            self._term_keys.append(key64(term))
        return number

    def _spread(self, numbers: Tokens) -> Tokens:
        """The numbers, with each word of several terms replaced by its terms."""
        at = np.flatnonzero(numbers <= _SEVERAL)
        if not len(at):
            return numbers
        rows = [self._several[number] for number in numbers[at].tolist()]
        counts = np.ones(len(numbers), np.int64)
        counts[at] = [len(row) for row in rows]
        spread = np.repeat(numbers, counts)
        spread[spread <= _SEVERAL] = list(chain.from_iterable(rows))
        return spread


def _hashed(words: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64], Keys]:
    """Where each word begins, its length, and its hash, which is never zero."""
    blank = np.frombuffer(words, np.uint8) == _BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    starts, lengths = edges[0::2], edges[1::2] - edges[0::2]
    # The eight bytes starting at each byte, as a number.
    eight = np.ndarray((len(words) - _WORD + 1,), "<u8", words, strides=(1,))
    hashes = (eight[starts] & _FIRST_BYTES[np.minimum(lengths, _WORD)]) * _PRIMES[0]
    rows, done = np.flatnonzero(lengths > _WORD), _WORD
    while len(rows):
        left = lengths[rows] - done
        more = eight[starts[rows] + done] & _FIRST_BYTES[np.minimum(left, _WORD)]
        hashes[rows] = (hashes[rows] ^ (hashes[rows] >> _HALF) ^ more) * _PRIMES[1]
        rows, done = rows[left > _WORD], done + _WORD
    return starts, lengths, ((hashes ^ (hashes >> _HALF)) * _PRIMES[1]) | _ODD


class _Table:
    """Maps hashes to values; a hash is in the slot given by its highest bits, or in the first free slot after it."""

    def __init__(self, size: int) -> None:
        self._empty(size)

    def _empty(self, size: int) -> None:
        self.used = 0
        self._hashes = np.zeros(size, np.uint64)
        self._values = np.zeros(size, np.int32)
        self._shift = np.uint64(64 - size.bit_length() + 1)

    def look_up(self, hashes: Keys) -> tuple[Tokens, NDArray[np.int64]]:
        """The value of each hash, and the rows of those that have none."""
        at = (hashes >> self._shift).astype(np.int64)
        values = self._values[at]
        rows = np.flatnonzero(self._hashes[at] != hashes)
        missing = [rows[:0]]
        while len(rows):
            there = self._hashes[at[rows]]
            found = rows[there == hashes[rows]]
            values[found] = self._values[at[found]]
            missing.append(rows[there == 0])
            rows = rows[(there != 0) & (there != hashes[rows])]
            at[rows] = self._next(at[rows])
        return values, np.concatenate(missing)

    def put(self, hashes: Keys, values: Tokens) -> None:
        """Add distinct hashes that are not in the table yet."""
        if 2 * (self.used + len(hashes)) > len(self._hashes):
            there = np.flatnonzero(self._hashes)
            old = self._hashes[there], self._values[there]
            self._empty(4 * len(self._hashes))
            self.put(*old)
        self.used += len(hashes)
        at = (hashes >> self._shift).astype(np.int64)
        rows = np.arange(len(hashes))
        while len(rows):
            free = rows[self._hashes[at[rows]] == 0]
            # If several want the same slot, the last one gets it.
            self._hashes[at[free]] = hashes[free]
            settled = self._hashes[at[rows]] == hashes[rows]
            self._values[at[rows[settled]]] = values[rows[settled]]
            rows = rows[~settled]
            at[rows] = self._next(at[rows])

    def _next(self, at: NDArray[np.int64]) -> NDArray[np.int64]:
        return (at + 1) & (len(self._hashes) - 1)
