"""Mending misspelt words with the words that pages use.

Words at one edit (a letter too many, too few, another one, two swapped) are made and looked up, as many as there are:
a few hundred. Words at two edits are too many to be made, so they are looked for among those that begin alike, and
only where no word is nearer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lycosa.index.expansion import Dictionary
from lycosa.index.query_parser import ParsedQuestion

RARE = 1 / 2000
"""The share of pages up to which a word may be a misspelling."""
MORE = 10
"""How many times more pages a mended word must find."""
LEAST = 3
"""Letters of a word that is mended; with fewer, everything is near to everything."""
FAR = 6
"""Letters of a word that may be two edits away."""
ALIKE = 3
"""Letters with which a word that is two edits away must begin."""
LOOKED_AT = 1500
"""Words that begin alike that are looked at, the usual ones first."""


def mended(asked: ParsedQuestion, dictionary: Dictionary) -> str:
    """The question with misspelt words mended; empty where there is nothing to mend."""
    text = asked.text
    for word in asked.spoken:
        better = mend(word, dictionary)
        if better:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", better, text, flags=re.IGNORECASE)
    return text if text != asked.text else ""


def mend(word: str, dictionary: Dictionary) -> str:
    """What was probably meant by a word that next to no page holds; empty where that cannot be said."""
    if len(word) < LEAST or not word.isalpha():
        return ""
    found = dictionary.forms(word).pages
    if found > max(1, RARE * dictionary.pages):
        return ""
    enough = MORE * max(1, found)
    for near in (_one_edit(word), _two_edits(word, dictionary)):
        best = max(((dictionary.holding(other), other) for other in near), default=(0, ""))
        if best[0] >= enough:
            return best[1]
    return ""


def _two_edits(word: str, dictionary: Dictionary) -> Iterator[str]:
    if len(word) >= FAR:
        for other, _ in dictionary.beginning(word[:ALIKE], LOOKED_AT):
            if abs(len(other) - len(word)) <= 2 and _within_two(word, other):
                yield other


def _one_edit(word: str) -> set[str]:
    letters = "abcdefghijklmnopqrstuvwxyz" + "".join({letter for letter in word if not letter.isascii()})
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {before + after[1:] for before, after in cuts if after}
    found |= {before + after[1] + after[0] + after[2:] for before, after in cuts if len(after) > 1}
    for letter in letters:
        found |= {before + letter + after[1:] for before, after in cuts if after}
        found |= {before + letter + after for before, after in cuts}
    return found - {word}


def _within_two(one: str, other: str) -> bool:
    """Whether two edits make one word the other: by rows of the table of distances, no wider than needed."""
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        below = [i] * (len(other) + 1)
        low, high = max(1, i - 2), min(len(other), i + 2)
        if low > 1:
            below[low - 1] = 9
        for j in range(low, high + 1):
            cost = min(row[j - 1] + (letter != other[j - 1]), (row[j] if j < i + 2 else 9) + 1, below[j - 1] + 1)
            if above and i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other[j - 1]:
                cost = min(cost, above[j - 2] + 1)
            below[j] = cost
        if min(below[low : high + 1], default=9) > 2:
            return False
        above, row = row, below
    return row[len(other)] <= 2
