"""Text as a bag of terms: lower-case words without stop words, stemmed, counted; and the papers' sim(q, p).

A word is a run of letters, digits and combining marks of any script; everything else separates words. Scripts without
blanks between words are read as pairs of letters. Words of one letter or more than forty are not terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt
from operator import mul

from lycosa.core.scripts import UNSPACED, paired, unified, words_in
from lycosa.core.stemming import ENGLISH, stopwords
from lycosa.core.stemming import stem as stem_in

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


class _Stems(dict[bytes, str]):
    """A cache of the stems of tokens: empty if it is not a term, several separated by spaces if it is several words."""

    def __init__(self, language: str, names: frozenset[str]) -> None:
        self._language = language
        self._silent = stopwords(language)
        self._names = names

    def __missing__(self, token: bytes) -> str:
        words = [token.decode("ascii")] if token.isascii() else _words(token)
        stems = " ".join([self._stem(word) for word in words if word in self._names or self._is_term(word)])
        if len(token) <= 8 * LONGEST:
            if len(self) >= REMEMBERED:
                self.clear()
            self[token] = stems
        return stems

    def _stem(self, word: str) -> str:
        return word if word in self._names else stem_in(word, self._language)

    def _is_term(self, word: str) -> bool:
        return (1 < len(word) <= LONGEST or UNSPACED.fullmatch(word) is not None) and word not in self._silent


def _words(token: bytes) -> list[str]:
    return spoken(token.lstrip(_CONTINUATION).decode("utf-8", "replace"))


def spoken(text: str) -> list[str]:
    """The lower-case words of a text in their order as they are written; unspaced scripts in pairs of letters."""
    written = words_in(unicodedata.normalize("NFC", text.lower()))
    return paired(" ".join([unified(word) if UNSPACED.search(word) else word for word in written])).split()


def separated(text: str) -> bytes:
    """A text as lower-case words separated by spaces: the input of `terms_of` and of a Spotter."""
    return separated_bytes(text.encode("utf-8", "replace"))


def separated_bytes(raw: bytes) -> bytes:
    """The same of a text in UTF-8; every word stays at its place."""
    return raw.translate(_SEPARATE)


_symbols = re.compile(r"(?:\+\+|#)(?![\w+#])")
_named = re.compile(r"(?:^|\W)[A-Za-z]{1,2}$")
_AROUND = " ,.;:!?()[]{}\"'«»“”„"
_LETTERS = frozenset("bcfghjklnpqrvwxz")
"""Letters that are names if they stand alone; the others are words, or remain of contractions."""
_SYMBOLS = {"++": "plusplus", "#": "sharp"}


def named(text: str) -> str:
    """A text with «C++», «C#» and the like as words of letters."""
    return _symbols.sub(_in_letters, text) if "#" in text or "++" in text else text


def _in_letters(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - 3) : found.start()]
    return _SYMBOLS[found[0]] if _named.search(before) else found[0]


def _separated_with_names(text: str) -> bytes:
    return separated(named(text))


class Analysis:
    """How the texts of one language become terms.

    `names` are terms as well, and have no other forms: names of one letter or with symbols, such as «R» and «C++».
    """

    def __init__(self, language: str = ENGLISH, names: frozenset[str] = frozenset()) -> None:
        self.language = language
        has_symbols = any(word.endswith(tuple(_SYMBOLS.values())) for word in names)
        self.separated = _separated_with_names if has_symbols else separated
        """A text as lower-case words separated by spaces: the input of `terms_of` and of a Spotter."""
        self._stems = _Stems(language, names)

    def stem(self, word: str) -> str:
        """The stem of a lower-case word."""
        return stem_in(word, self.language)

    def stems_of(self, token: bytes) -> str:
        """The stems of one separated word, with blanks between them."""
        return self._stems[token]

    def terms(self, text: str) -> Counter[str]:
        """How often each term occurs in a text."""
        return self.terms_of(self.separated(text))

    def terms_of(self, words: bytes) -> Counter[str]:
        """How often each term occurs among separated words."""
        counts = Counter(filter(None, map(self._stems.__getitem__, words.split())))
        if not words.isascii():
            for several in [stems for stems in counts if " " in stems]:
                times = counts.pop(several)
                for stem in several.split():
                    counts[stem] += times
        return counts

    def sequence_of(self, words: bytes) -> list[str]:
        """The terms among separated words, in their order."""
        found = list(filter(None, map(self._stems.__getitem__, words.split())))
        return found if words.isascii() else " ".join(found).split()

    def sequence(self, text: str) -> list[str]:
        """The terms of a text, in their order."""
        return self.sequence_of(self.separated(text))


def analysis(language: str = "", names: frozenset[str] = frozenset()) -> Analysis:
    """The analysis of texts in a language, given as its code; empty for English, or where it is not known."""
    return _analysis(language or ENGLISH, names)


_analysis = lru_cache(64)(Analysis)


@lru_cache(64)
def analysis_for(keywords: str, language: str) -> Analysis:
    """The analysis for keywords in a language; cached, because it is asked for with every page and link."""
    return analysis(language, names_in(keywords))


def names_in(keywords: str) -> frozenset[str]:
    """The names of one letter or with symbols among keywords: «R», «C++», «茶»; not «a» or «I»."""
    words = [each.strip(_AROUND).lower() for each in keywords.split()]
    single = (word for word in words if len(word) == 1 and (UNSPACED.match(word) or word in _LETTERS))
    return frozenset((*single, *(name for word in words if (name := named(word)) != word and name.isalpha())))


_english = analysis()
stem, terms, terms_of, sequence_of = _english.stem, _english.terms, _english.terms_of, _english.sequence_of


class Spotter:
    """Tells whether any of some stems may occur in a text, at a tenth of the cost of counting; never misses one."""

    def __init__(self, stems: Iterable[str], analysis: Analysis = _english) -> None:
        self._stems = frozenset(stems)
        self._stems_of = analysis.stems_of
        # A word begins with its Porter stem, or with the stem less a final i, e or l: «happi» is in «happy».
        self._roots = [(stem[:-1] if stem[-1] in "iel" else stem).encode() for stem in self._stems]
        # Lower-casing and composing other letters is left to the counting.
        self._plain = analysis.language == ENGLISH and all(stem.isascii() for stem in self._stems)

    def __call__(self, words: bytes) -> bool:
        """Whether one of the stems may occur among separated words."""
        return not self._plain or any(self._occurs(root, words) for root in self._roots)

    def _occurs(self, root: bytes, words: bytes) -> bool:
        at = words.find(root)
        while at >= 0:
            # Before a word there may be a space, or the rest of a curly quote or a dash.
            if at == 0 or words[at - 1] == 32 or words[at - 1] >= 128:
                end = words.find(b" ", at)
                if not self._stems.isdisjoint(self._stems_of(words[at : end if end >= 0 else None]).split()):
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
