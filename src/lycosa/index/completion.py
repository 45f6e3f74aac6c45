"""Completing a question that is being typed, from titles, names that others use, and the words of pages.

The texts are kept in memory with a sorted list of their words, without accents and capitals, so that what was typed is
found at the beginning of any word. They are collected when the first question is completed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lycosa.core.nouns import Span
from lycosa.core.scripts import UNSPACED, word_spans, words_in
from lycosa.core.stemming import plain

TITLE, NAME, QUESTION, WORD = "title", "words", "question", "word"
MOST = 100_000
"""Most texts that are kept, those with the highest weights."""
BEGINS = 3.0
"""What a text gets if it begins with what was typed."""
LONGEST = 120
"""Characters of a text that are shown."""
_AFTER = "\U0010ffff"
_word = re.compile(r"[^\W_]+(?:\w*[^\W_])?")


class Completing(NamedTuple):
    """A text that may complete a question."""

    text: str
    weight: float
    kind: str = TITLE
    url: str = ""
    times: int = 0
    """How often it was asked, or how many pages have the word."""


class Completer:
    """Finds texts by the beginnings of their words."""

    def __init__(self, texts: Iterable[Completing]) -> None:
        best: dict[str, Completing] = {}
        for each in texts:
            known = best.get(key := " ".join(beginnings(each.text)[:1] + words_folded(each.text)))
            if known is None or each.weight > known.weight:
                best[key] = each
        self._texts = sorted(best.values(), key=lambda each: (-each.weight, each.text))[:MOST]
        self._weights = np.array([each.weight for each in self._texts], np.float32)
        found = [
            (word, number, place == 0)
            for number, each in enumerate(self._texts)
            for place, word in enumerate(beginnings(each.text))
        ]
        found.sort()
        self._words = [word for word, _, _ in found]
        self._numbers = np.array([number for _, number, _ in found], np.int32)
        self._first = np.array([first for _, _, first in found], np.bool_)

    def __len__(self) -> int:
        return len(self._texts)

    def complete(self, typed: str, limit: int) -> list[tuple[float, Completing]]:
        """The texts that have all typed words at the beginning of theirs, best first, with their scores."""
        wanted = words_folded(typed)
        if not wanted:
            return []
        numbers: np.ndarray[tuple[int], np.dtype[np.int32]] | None = None
        begins: np.ndarray[tuple[int], np.dtype[np.int32]] = np.empty(0, np.int32)
        for place, word in enumerate(wanted):
            low, high = bisect_left(self._words, word), bisect_left(self._words, word + _AFTER)
            here = self._numbers[low:high]
            if not place:
                begins = here[self._first[low:high]]
            numbers = np.unique(here) if numbers is None else np.intersect1d(numbers, here)
        assert numbers is not None
        scores = self._weights[numbers] + BEGINS * np.isin(numbers, begins)
        order = np.lexsort((numbers, -scores))[:limit]
        return [(float(scores[at]), self._texts[numbers[at]]) for at in order.tolist()]


def words_folded(text: str) -> list[str]:
    """The words of a text in lower case and without accents."""
    return [plain(word) for word in words_in(text.lower())] if not text.isascii() else _word.findall(text.lower())


def beginnings(text: str) -> list[str]:
    """What may be typed to find a text: its words, and the rest of a stretch without blanks from any of its letters."""
    found = []
    for word in words_folded(text):
        if word.isascii() or not UNSPACED.search(word):
            found.append(word)
        else:
            found += [word[at:] for at in range(len(word))]
    return found


def marks_of(text: str, typed: str) -> tuple[Span, ...]:
    """Where what was typed is in a text, at the beginning of its words."""
    wanted = words_folded(typed)
    marks: dict[int, int] = {}
    for begun, ended in word_spans(text):
        written = text[begun:ended]
        word = plain(written.lower())
        for start in wanted:
            at = word.find(start) if UNSPACED.search(start) else 0 if word.startswith(start) else -1
            if at >= 0:
                same = len(word) == len(written)
                begin = begun + (at if same else 0)
                marks[begin] = max(marks.get(begin, 0), begin + len(start) if same else ended)
    return tuple(sorted(marks.items()))


def shown(text: str) -> str:
    """A text on one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def best_of(several: Sequence[Sequence[tuple[float, Completing]]], limit: int) -> list[Completing]:
    """The best of several lists, each text once."""
    ordered = sorted((each for found in several for each in found), key=lambda each: (-each[0], each[1].text))
    best: dict[str, Completing] = {}
    for _, each in ordered:
        best.setdefault(" ".join(words_folded(each.text)), each)
    return list(best.values())[:limit]
