"""How likely one spelling is a slip for another: the cost of the slips that turn a typed word into the meant one.

A slip of a finger (two letters swapped, a letter doubled or not, a key beside) and of the ear (a vowel for another, f
for ph) cost less than any other letter that is missing, wrong or too many. The first letter is seldom wrong.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

SWAPPED = 0.6
DOUBLED = 0.4
SOUNDS_ALIKE = 0.5
VOWEL = 0.6
BESIDE = 0.8
MISSING, TOO_MANY, WRONG = 0.9, 0.9, 1.1
FIRST = 0.7
"""What is added if the first letter is wrong, missing or not in the word."""

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю")
_BELOW = (("qwertyuiop", "asdfghjkl"), ("asdfghjkl", "zxcvbnm"), ("йцукенгшщзхъ", "фывапролджэ"))
_beside = frozenset(
    frozenset(pair)
    for pairs in (*map(pairwise, _ROWS), *(zip(above, below, strict=False) for above, below in _BELOW))
    for pair in pairs
)
_VOWELS = frozenset("aeiouyаеиоуыэюяαεηιουω")
_SOUNDS = tuple(map(frozenset, ("ckq", "csz", "fv", "bp", "dt", "gj", "mn", "vw", "sx", "бп", "дт", "гк", "зс", "вф")))
_SILENT = frozenset("he")
_SPELT = re.findall(
    r"(\w+)/(\w+)",
    "f/ph k/ch k/ck c/ck s/sc s/ps s/ss n/kn n/gn n/pn r/wr r/rh x/ks x/cks z/ts i/ee ea/ee ie/ei u/ew tion/sion sh/ti "
    "cion/tion sh/ch ce/se y/ie ey/y qu/kw qu/k ae/e oe/e oo/u ou/u ough/off er/re er/or er/ar ance/ence ant/ent "
    "able/ible cede/ceed a/eigh ai/ei au/o gh/g",
)
"""Letters that sound alike."""
_by_last: dict[tuple[str, str], list[tuple[str, str]]] = {}
for _one, _other in (pair for one, other in _SPELT for pair in ((one, other), (other, one))):
    _by_last.setdefault((_one[-1], _other[-1]), []).append((_one, _other))


def error_cost(typed: str, meant: str, most: float = 9.0) -> float:
    """The cost of the cheapest slips that turn the meant word into the typed one; more than `most` if it is higher."""
    rows: list[list[float]] = [[0.0]]
    for j in range(1, len(meant) + 1):
        rows[0].append(rows[0][-1] + _missing(meant, j - 1))
    for i in range(1, len(typed) + 1):
        row = [rows[-1][0] + _too_many(typed, i - 1)]
        for j in range(1, len(meant) + 1):
            row.append(_cheapest(rows, row, typed, meant, i, j))
        if min(row) > most:
            return most + 1
        rows.append(row)
    return rows[-1][-1]


def _cheapest(rows: list[list[float]], row: list[float], typed: str, meant: str, i: int, j: int) -> float:
    a, b = typed[i - 1], meant[j - 1]
    first = FIRST if i == 1 and j == 1 else 0.0
    best = min(
        rows[i - 1][j - 1] + (_wrong(a, b) + first if a != b else 0.0),
        rows[i - 1][j] + _too_many(typed, i - 1),
        row[j - 1] + _missing(meant, j - 1),
    )
    if i > 1 and j > 1 and a == meant[j - 2] and typed[i - 2] == b and a != b:
        best = min(best, rows[i - 2][j - 2] + SWAPPED)
    for one, other in _by_last.get((a, b), ()):
        if typed.endswith(one, 0, i) and meant.endswith(other, 0, j):
            best = min(best, rows[i - len(one)][j - len(other)] + SOUNDS_ALIKE)
    return best


@lru_cache(1 << 12)
def _wrong(a: str, b: str) -> float:
    if a in _VOWELS and b in _VOWELS:
        return VOWEL
    if any(a in alike and b in alike for alike in _SOUNDS):
        return VOWEL
    return BESIDE if frozenset((a, b)) in _beside else WRONG


def _missing(meant: str, at: int) -> float:
    letter = meant[at]
    if at and meant[at - 1] == letter:
        return DOUBLED
    return (VOWEL if letter in _SILENT else MISSING) + (FIRST if not at else 0.0)


def _too_many(typed: str, at: int) -> float:
    letter = typed[at]
    if at and typed[at - 1] == letter:
        return DOUBLED
    if at and (letter in _SILENT or frozenset((letter, typed[at - 1])) in _beside):
        return VOWEL
    return TOO_MANY + (FIRST if not at else 0.0)


def other_starts(word: str) -> str:
    """The letters with which a word may begin if its first one is wrong: the second one, and those that sound alike."""
    alike = "".join(other[0] for one, other in map(sorted, _SPELT) if word.startswith(one))
    alike += "".join(one[0] for one, other in map(sorted, _SPELT) if word.startswith(other))
    alike += "".join("".join(sounds) for sounds in _SOUNDS if word[0] in sounds)
    return "".join(dict.fromkeys(word[1:2] + alike)).replace(word[0], "")
