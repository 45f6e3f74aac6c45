"""The vote table of a document: how many of the pages that link to it use each term in the vicinity of the link.

A page has one vote per term, however often it uses it and however many links it has. Terms are shown in their most
frequent spelling. A phrase of two or three consecutive terms replaces its words in the table if nearly all pages that
use one of them use the phrase, like the paper's «drawing program»; a phrase that only one page uses does not count.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from lycosa.core.words import separated, sequence_of
from lycosa.index.link_context import LinkContext, sentences

LONGEST_PHRASE = 3
_MOST = 0.75
"""Least share of the votes of each of its words that a phrase must have to replace them."""

_between = re.compile(r"[\W_]+")
_wrapping = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum()) + "«»‹›“”„‘’‚…–—·•©®™"

Term = tuple[str, ...]


def table(voters: Iterable[Sequence[LinkContext]], limit: int) -> list[tuple[str, int]]:
    """The terms with most votes, given the link contexts of each voter."""
    votes: Counter[Term] = Counter()
    anchored: Counter[Term] = Counter()
    spellings: defaultdict[Term, Counter[str]] = defaultdict(Counter)
    for said in voters:
        used: dict[Term, None] = {}
        for term, spelling in (each for vicinity in said for each in _terms(vicinity.words)):
            used[term] = None
            spellings[term][spelling] += 1
        votes.update(used.keys())
        anchored.update({(stem,) for vicinity in said for stem in stems(vicinity.anchor)})
    phrases = _phrases(votes)
    spoken_for = {(word,) for phrase in phrases for word in phrase}
    shown = [term for term in votes if term in phrases or (len(term) == 1 and term not in spoken_for)]
    # Among equals, the term that was used first is first.
    shown.sort(key=lambda term: (-votes[term], -len(term), -anchored[term]))
    return [(spellings[term].most_common(1)[0][0], votes[term]) for term in shown[:limit]]


def uses(term: Term, vicinity: LinkContext) -> bool:
    """Whether a term, given as stems, occurs in a vicinity."""
    size = len(term)
    for sentence in sentences(vicinity.words):
        found = stems(sentence)
        if any(tuple(found[at : at + size]) == term for at in range(len(found) - size + 1)):
            return True
    return False


def stems(text: str) -> list[str]:
    """The terms of a text, in their order."""
    return sequence_of(separated(text))


def _phrases(votes: Counter[Term]) -> set[Term]:
    """The phrases that replace their words; of those that overlap by two words or more, the best."""
    found = [
        term
        for term, count in votes.items()
        if len(term) > 1 and count > 1 and all(count >= _MOST * votes[(word,)] for word in term)
    ]
    chosen: set[Term] = set()
    taken: set[Term] = set()
    for term in sorted(found, key=lambda term: (-votes[term], -len(term))):
        pairs = set(pairwise(term))
        if taken.isdisjoint(pairs):
            chosen.add(term)
            taken |= pairs
    return chosen


def _terms(text: str) -> Iterator[tuple[Term, str]]:
    """Each term and phrase of a text, with its spelling there."""
    words = [word for token in text.split() for word in _read(token)]
    for start, (stem, _, _) in enumerate(words):
        for end in range(start + 1, start + LONGEST_PHRASE + 1 if stem else 0):
            run = words[start:end]
            term = tuple(word.stem for word in run)
            if len(set(term)) < end - start or not run[-1].stem:
                break
            yield term, " ".join(word.spelling for word in run)
            if run[-1].last:
                break


class _Word(NamedTuple):
    stem: str
    """Empty for a stop word."""
    spelling: str
    last: bool
    """Whether punctuation follows it."""


@lru_cache(maxsize=1 << 14)
def _read(token: str) -> list[_Word]:
    """The words in a piece of text between two blanks."""
    found, last = stems(token), token[-1] in _wrapping
    if len(found) < 2:
        return [_Word("".join(found), token.strip(_wrapping), last)]
    parts = [(part, stems(part)) for part in _between.split(token) if part]
    if [stem for _, several in parts for stem in several] == found and all(len(own) < 2 for _, own in parts):
        return [_Word("".join(own), part, last and at == len(parts)) for at, (part, own) in enumerate(parts, 1)]
    return [_Word(stem, stem, last) for stem in found]
