"""Text as a bag of terms: lower-case words without stop words, Porter stems, counted; and the papers' sim(q, p).

A word is a run of letters, digits and combining marks of any script; everything else separates words. Words of one
character or more than forty are not terms.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt
from operator import mul

from Stemmer import Stemmer

from lycosa.core.stopwords import STOPWORDS

LONGEST = 40
REMEMBERED = 1 << 18  # distinct words whose stem is kept: about 50 MB when full

# One byte-wise table lowers ASCII and turns its punctuation into spaces. The UTF-8 lead bytes C2 (no-break space,
# guillemets ...) and E2 (dashes, curly quotes, ellipsis ...) only begin symbols in practice, so they become spaces
# too; the one or two continuation bytes they leave at the front of the next token are cut off when its stem is
# looked up for the first time. The punctuation of other scripts is handled there, too.
_SEPARATE = bytes(
    32 if code in (0xC2, 0xE2) or (code < 128 and not chr(code).isalnum()) else code for code in range(256)
).lower()
_CONTINUATION = bytes(range(0x80, 0xC0))


_porter = Stemmer("porter", 0)  # 0: no cache of its own


def stem(word: str) -> str:
    """The Porter stem of a lower-case word."""
    return str(_porter.stemWord(word))


class _Stems(dict[bytes, str]):
    """A cache of the stems of tokens: empty if it is not a term, several separated by spaces if it is several words."""

    def __missing__(self, token: bytes) -> str:
        if token.isascii():
            word = token.decode("ascii")
            stems = _porter.stemWord(word) if _is_term(word) else ""
        else:
            stems = " ".join(_porter.stemWords([word for word in _words(token) if _is_term(word)]))
        if len(token) <= 8 * LONGEST:
            if len(self) >= REMEMBERED:
                self.clear()
            self[token] = stems
        return stems


def _is_term(word: str) -> bool:
    return 1 < len(word) <= LONGEST and word not in STOPWORDS


def _words(token: bytes) -> list[str]:
    text = unicodedata.normalize("NFC", token.lstrip(_CONTINUATION).decode("utf-8", "replace").lower())
    return "".join(letter if unicodedata.category(letter)[0] in "LNM" else " " for letter in text).split()


_stems = _Stems()


def terms(text: str) -> Counter[str]:
    """How often each term occurs in a text."""
    return terms_of(separated(text))


def separated(text: str) -> bytes:
    """A text as lower-case words separated by spaces: the input of `terms_of` and of a Spotter."""
    return separated_bytes(text.encode("utf-8", "replace"))


def separated_bytes(raw: bytes) -> bytes:
    """The same of a text in UTF-8; every word stays at its place."""
    return raw.translate(_SEPARATE)


def terms_of(words: bytes) -> Counter[str]:
    """How often each term occurs among separated words."""
    counts = Counter(filter(None, map(_stems.__getitem__, words.split())))
    if not words.isascii():
        for several in [stems for stems in counts if " " in stems]:
            times = counts.pop(several)
            for stem in several.split():
                counts[stem] += times
    return counts


def sequence_of(words: bytes) -> list[str]:
    """The terms among separated words, in their order."""
    found = list(filter(None, map(_stems.__getitem__, words.split())))
    return found if words.isascii() else " ".join(found).split()


class Spotter:
    """Tells whether any of some stems may occur in a text, at a tenth of the cost of counting; never misses one."""

    def __init__(self, stems: Iterable[str]) -> None:
        self._stems = frozenset(stems)
        # A word begins with its Porter stem, or with the stem less a final i, e or l: «happi» is in «happy».
        self._roots = [(stem[:-1] if stem[-1] in "iel" else stem).encode() for stem in self._stems]
        # Lower-casing and composing other letters is left to the counting.
        self._ascii = all(stem.isascii() for stem in self._stems)

    def __call__(self, words: bytes) -> bool:
        """Whether one of the stems may occur among separated words."""
        return not self._ascii or any(self._occurs(root, words) for root in self._roots)

    def _occurs(self, root: bytes, words: bytes) -> bool:
        at = words.find(root)
        while at >= 0:
            # Before a word there may be a space, or the rest of a curly quote or a dash.
            if at == 0 or words[at - 1] == 32 or words[at - 1] >= 128:
                end = words.find(b" ", at)
                if not self._stems.isdisjoint(_stems[words[at : end if end >= 0 else None]].split()):
                    return True
            at = words.find(root, at + len(root))
        return False


def norm(terms: Mapping[str, float]) -> float:
    """The Euclidean length of a term vector."""
    weights = terms.values()
    return sqrt(sum(map(mul, weights, weights)))


def cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """The cosine of the angle between two term vectors; 0 if one is empty."""
    if len(a) > len(b):
        a, b = b, a
    dot = sum([weight * b[term] for term, weight in a.items() if term in b])
    return min(1.0, dot / (norm(a) * norm(b))) if dot else 0.0
