"""Correcting misspelt words with the words that pages use.

All words at one edit (a letter inserted, deleted, replaced, or two swapped) are generated and looked up: a few hundred.
Words at two edits are too many to generate, so they are searched among words with the same prefix, and only if no word
is nearer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lycosa.index.expansion import Dictionary
from lycosa.index.query_parser import ParsedQuestion

RARE = 1 / 2000
"""Largest share of pages for a word that may be a misspelling."""
MORE = 10
"""How many times more pages a correction must find."""
LEAST = 3
"""Fewest letters of a word that is corrected; shorter words are all near to each other."""
FAR = 6
"""Fewest letters of a word whose correction may be two edits away."""
ALIKE = 3
"""Length of the prefix that a correction two edits away must share."""
LOOKED_AT = 1500
"""Most words with the same prefix that are examined, most frequent first."""


def mended(asked: ParsedQuestion, dictionary: Dictionary) -> str:
    """The query with misspelt words corrected; empty if there is nothing to correct."""
    text = asked.text
    for word in asked.spoken:
        better = mend(word, dictionary)
        if better:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", better, text, flags=re.IGNORECASE)
    return text if text != asked.text else ""


def mend(word: str, dictionary: Dictionary) -> str:
    """The probable correction of a word that almost no page contains; empty if there is none."""
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
    """Whether two edits turn one word into the other: by rows of the distance table, no wider than needed."""
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
