"""Corrects misspelt words with the words that pages use.

A word is suspected if hardly any page has it and no title. The words with the same first letter that are a few edits
away, and all words at one edit whatever their first letter, are its candidates. Each is rated by how many pages, titles
and referrers use it, how likely the typed spelling is a slip for it (error_model.py), and whether it occurs with the
other words of the question. A correction that is far more likely than the word as typed is applied, others are offered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from lycosa.core.scripts import UNSPACED
from lycosa.core.stemming import plain
from lycosa.index.error_model import error_cost, other_starts
from lycosa.index.expansion import Dictionary
from lycosa.index.query_parser import ParsedQuestion
from lycosa.index.question_tokens import respelled

RARE = 1 / 1000
"""Largest share of pages for a word that may be a misspelling."""
LEAST = 3
"""Fewest letters of a word that is corrected; shorter words are all near to each other."""
SLIPS = 8.0
"""How much a slip of cost 1 counts."""
USED = 0.6
"""What a candidate gets for each doubling of the pages that use it."""
IN_TITLE = 2.0
"""What it gets for being a word of titles."""
VOTED = 0.2
"""What it gets for each doubling of the referrers who use it."""
TOGETHER = 1.0
"""What it gets for each doubling of the pages that it shares with another word of the question."""
NEXT_TO = 1.0
"""The same for pages that have both next to each other."""
AS_TYPED = -3.0
"""What the word as typed gets, if any page has it: other people may have misspelt it, too."""
SURE = 0.5
"""By how much a correction must be better than the word as typed to be applied without asking."""
DEAREST, DEAREST_A_LETTER = 2.7, 0.33
"""The highest cost of a correction, and how much of it each letter of the word allows."""
POOR = -2.0
"""Below which rate of the best candidate the first letter is doubted, too."""
RATED = 60
"""Most candidates whose slips are weighed, nearest first."""
FITS = 1.0
"""From which fit with the other words of the question a correction is supported by them."""
COMPARED = 8
"""Most candidates that are compared by the other words of the question."""
PARTS = 3
"""Fewest letters of each part of a word that is divided in two."""


class Voting(Protocol):
    """Tells how many documents others refer to with a word."""

    def voiced(self, word: str) -> int:
        """How many documents have votes for a word."""


class Correction(NamedTuple):
    """What a question probably means."""

    sure: str
    """The question with the corrections that are certain; empty if there are none."""
    offered: str
    """The question with all corrections, if that is another one; else empty."""


class _Better(NamedTuple):
    spelling: str
    certain: bool


NOTHING = Correction("", "")


class Speller:
    """Corrects questions by the words of some indexes together."""

    def __init__(self, dictionaries: Sequence[Dictionary], voted: Sequence[Voting] = ()) -> None:
        self._dictionaries = dictionaries
        self._voted = voted
        self._pages = sum(each.pages for each in dictionaries)

    def correct(self, asked: ParsedQuestion) -> Correction:
        """The question with misspelt words corrected."""
        doubtful = [word for word in asked.spoken if self._is_suspect(word)]
        if not doubtful:
            return NOTHING
        known = [word for word in asked.spoken if word not in doubtful]
        better: dict[str, _Better] = {}
        for word in doubtful:
            if found := self._best(word, known):
                better[word] = found
                known.append(found.spelling)
        certain = {word: found.spelling for word, found in better.items() if found.certain}
        sure = respelled(asked.text, certain)
        whole = respelled(asked.text, {word: found.spelling for word, found in better.items()})
        return Correction(sure if sure != asked.text else "", whole if whole not in (sure, asked.text) else "")

    def _is_suspect(self, word: str) -> bool:
        if len(plain(word)) < LEAST or not word.isalpha() or UNSPACED.search(word):
            return False
        found = [dictionary.forms(word) for dictionary in self._dictionaries]
        if any(each.field == "title" for forms in found for each in forms.fields):
            return False
        return sum(forms.pages for forms in found) <= max(1, RARE * self._pages)

    def _best(self, typed: str, known: Sequence[str]) -> _Better | None:
        """The best correction of a word, given the other words of the question."""
        word = plain(typed)
        dearest = min(DEAREST, DEAREST_A_LETTER * len(word))
        best = self._rated(word, word[0], dearest)
        if not best or best[0][0] < POOR:
            best = sorted({*best, *self._rated(word, other_starts(word), dearest)}, reverse=True)[:COMPARED]
        if not best:
            return self._divided(typed, word)
        shared = {other: self._fit(other, known) for _, other in best}
        score, other = max((score + shared[other], other) for score, other in best)
        now = self._holding(word)
        as_typed = USED * math.log2(1 + now) + AS_TYPED + self._fit(word, known) if now else -SLIPS * dearest
        if score <= as_typed:
            return None
        fits = not known or shared[other] >= FITS
        usual = self._holding(other) > max(1, RARE * self._pages) or any(
            each.in_titles(other) for each in self._dictionaries
        )
        return _Better(self._written(other), now < 2 and fits and usual and score > as_typed + SURE)

    def _rated(self, word: str, starts: str, dearest: float) -> list[tuple[float, str]]:
        """The best candidates that begin with one of these letters, or that differ only at the beginning."""
        # Imported here, because most questions are spelt right.
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        edits = 1 if len(word) < 5 else 2 if len(word) < 9 else 3
        near = {other: 1 for other in _edited_start(word) if self._holding(other) > 1}
        for pool in (dictionary.pool(start) for dictionary in self._dictionaries for start in starts):
            found = process.extract(word, pool, scorer=OSA.distance, score_cutoff=edits, limit=RATED)
            near.update((other, int(distance)) for other, distance, _ in found)
        near.pop(word, None)
        rated = []
        for other in sorted(near, key=lambda other: (near[other], other))[:RATED]:
            cost = error_cost(word, other, dearest)
            if cost <= dearest:
                rated.append((self._use(other) - SLIPS * cost, other))
        return sorted(rated, reverse=True)[:COMPARED]

    def _use(self, word: str) -> float:
        """How usual a word is."""
        titles = sum(each.in_titles(word) for each in self._dictionaries)
        votes = sum(each.voiced(word) for each in self._voted)
        used = USED * math.log2(1 + self._holding(word)) + VOTED * math.log2(1 + votes)
        return used + (IN_TITLE if titles else 0.0)

    def _fit(self, word: str, known: Iterable[str]) -> float:
        """How well a word goes with the other words of the question."""
        best = -math.inf
        for other in map(plain, known):
            shared = sum(each.holding_both(word, other) for each in self._dictionaries)
            beside = sum(each.holding_beside(word, other) for each in self._dictionaries) if shared else 0
            expected = self._holding(word) * self._holding(other) / max(1, self._pages)
            lift = math.log2((shared + 0.5) / (expected + 0.5))
            best = max(best, TOGETHER * lift + NEXT_TO * math.log2(1 + beside))
        return best if best > -math.inf else 0.0

    def _divided(self, typed: str, word: str) -> _Better | None:
        """The word as two, if pages have these next to each other."""
        cuts = [(word[:at], word[at:]) for at in range(PARTS, len(word) - PARTS + 1)]
        some = [(min(map(self._holding, cut)), cut) for cut in cuts if all(map(self._holding, cut))]
        for _, (one, other) in sorted(some, reverse=True)[:2]:
            if sum(each.holding_beside(one, other, ordered=True) for each in self._dictionaries):
                at = len(one)
                return _Better(f"{typed[:at]} {typed[at:]}" if len(typed) == len(word) else f"{one} {other}", True)
        return None

    def _holding(self, word: str) -> int:
        return sum(each.holding(word) for each in self._dictionaries)

    def _written(self, word: str) -> str:
        return max((each.written(word) for each in self._dictionaries), default=(0, word))[1]


def _edited_start(word: str) -> Iterator[str]:
    """Words at one edit of the first letters: what the pool of the first letter does not contain."""
    letters = "abcdefghijklmnopqrstuvwxyz" if word.isascii() else "".join(sorted(set(word)))
    yield word[1:]
    yield word[1] + word[0] + word[2:]
    for letter in letters:
        yield letter + word
        yield letter + word[1:]
