"""Stems and stop words by language: Snowball's stemmers, and the usual lists.

A word in a script that one stemmer stands for is stemmed with it in any language; words in Latin letters with the
stemmer of their text's language. English is stemmed as Porter did, as the papers do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from Stemmer import Stemmer
from stop_words import LANGUAGE_MAPPING, get_stop_words

from lycosa.core.scripts import folded, unified
from lycosa.core.stopwords import STOPWORDS

ENGLISH = "en"
_SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "porter",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_TWICE = frozenset(("el", "pt"))
"""Languages whose stemmer leaves a vowel in some forms of a word and not in others: «avião» and «aviões»."""
LANGUAGES = frozenset(_SNOWBALL)
"""The languages that have a stemmer."""
_SCRIPTS = (
    ("\u0370", "\u0400", "el", ("el",)),
    ("\u0400", "\u0530", "ru", ("ru", "sr")),
    ("\u0530", "\u0590", "hy", ("hy",)),
    ("\u0590", "\u0600", "", ("yi",)),
    ("\u0600", "\u0780", "ar", ("ar", "fa")),
    ("\u0900", "\u0980", "hi", ("hi", "ne")),
    ("\u0b80", "\u0c00", "ta", ("ta",)),
)
"""Where a script begins and ends, whose stemmer is used in general, and the languages that have their own."""
_NOT_LATIN = frozenset(code for _, _, _, codes in _SCRIPTS for code in codes)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    name = _SNOWBALL.get(language)
    if name is None:
        return str
    stem: Callable[[str], str] = Stemmer(name, 0).stemWord  # 0: no cache of its own
    return stem


_porter = _stemmer(ENGLISH)


@cache
def stopwords(language: str) -> frozenset[str]:
    """The stop words of a language, as they are written after `unified`; none for a language without a list."""
    if language in ("", ENGLISH):
        return STOPWORDS
    if language not in LANGUAGE_MAPPING:
        return frozenset()
    return frozenset(unified(word.lower()) for word in get_stop_words(language))


def language_for(word: str, language: str) -> str:
    """The language by whose rules a word is stemmed, given that of its text; empty if by none."""
    if not word.isascii():
        for first, after, usual, own in _SCRIPTS:
            if first <= word[-1] < after:
                return language if language in own else usual
        if word[0] >= "\u02b0" and not "\u1e00" <= word[0] < "\u1f00":
            return ""
    return language if language and language in LANGUAGES and language not in _NOT_LATIN else ENGLISH


def stem(word: str, language: str = ENGLISH) -> str:
    """The stem of a lower-case word of a text in a language, as it is written, without accents."""
    by = language_for(word, language)
    # English writes accents only in foreign words, and often leaves them out.
    if by == ENGLISH:
        return _porter(plain(word))
    found = plain(_stemmer(by)(word))
    return _stemmer(by)(found) if by in _TWICE else found


def plain(word: str) -> str:
    """A lower-case word in its usual form and without accents, as words are compared."""
    return word if word.isascii() else folded(unified(word))
