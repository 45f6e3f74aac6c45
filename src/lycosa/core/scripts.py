"""Letters of every script in one form, so that words that people take for the same are written the same.

`normal` is the form in which words are found in a text. It composes letters, takes full-width letters and ligatures
apart, writes letters that are typed in several ways in one (Greek accents, the Arabic alef, the Russian yo), drops
signs that many writers leave out (Arabic and Hebrew vowels), and puts blanks into scripts that have none. `folded`
drops the accents of Latin letters, which distinguish words, as the last step.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

_THAI_TO_KHMER = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe"
    "\uaa60-\uaa76\uaa7a-\uaa7f\u1780-\u17d3\u17dd"
)
_CHINESE_TO_KOREAN = (
    "\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003347f"
)
_SIGNS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\
\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u109a-\u109d\u17b4-\u17d3\u17dd\u3099\u309a"
"""Vowel signs and tones, which belong to the letter before them."""

UNSPACED = re.compile(f"[{_CHINESE_TO_KOREAN}{_THAI_TO_KHMER}]+")
"""A stretch of a script that does not put blanks between words, and of Korean, where they do not end words."""
_unit = re.compile(f"[{_CHINESE_TO_KOREAN}{_THAI_TO_KHMER}][{_SIGNS}]*")

_DROPPED = (
    "\u00ad\u0300-\u0344\u0346-\u0362\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0640"
    "\u064b-\u065f\u0670\u06d6-\u06ed\u0740-\u074a\u07eb-\u07f3\u07fd\u0818-\u0819\u082d\u0859-\u085b\u0898-\u089f"
    "\u08ca-\u08d3\u08e0-\u08e1\u08ea-\u08ef\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe\u0a3c\u0a4d\u0abc\u0acd"
    "\u0afd-\u0aff\u0b3c\u0b4d\u0b55\u0bcd\u0c3c\u0c4d\u0cbc\u0ccd\u0d3b-\u0d3c\u0d4d\u0dca\u0e47-\u0e4c\u0e4e"
    "\u0eba\u0ec8-\u0ecc\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f\u0f84\u0f86-\u0f87\u0fc6\u1037\u1039-\u103a"
    "\u135d-\u135f\u1714-\u1715\u1734\u17b4-\u17b5\u17c9-\u17d3\u17dd\u180b-\u180d\u180f\u1939-\u193b\u1a60"
    "\u1a75-\u1a7c\u1a7f\u1ab0-\u1abe\u1ac1-\u1acb\u1b34\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6\u1bf2-\u1bf3\u1c37"
    "\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dd2\u1df5-\u1dff\u200b\u200d\u2060\u20d0-\u20f0"
    "\u2cef-\u2cf1\u2d7f\u302a-\u302f\u3099-\u309a\ufeff"
)
"""Joiners, soft hyphens, vowels that are mostly left out, and marks that are no part of a word for Unicode."""
_ALIKE = {
    **dict(zip("أإآٱةىیکؤئёЁςİ\u200c", "ااااهييكويеЕσI ", strict=True)),
    **{letter: unicodedata.normalize("NFD", letter)[0] for letter in "άέήίόύώϊϋΐΰΆΈΉΊΌΎΏΪΫ"},
}
_other_forms = re.compile(f"[{''.join(_ALIKE)}{_DROPPED}]")
_NO_LEAD_BYTES = bytes(range(0xC0))
_LATIN_LEADS = frozenset((*range(0xC2, 0xCC), 0xE2))
"""The first bytes of Latin letters, and of spaces, quotes, dashes and other symbols."""
_UNSEEN_LETTERS = "\u00ad\u200b\u200d\u2060"
_UNSEEN = str.maketrans("", "", _UNSEEN_LETTERS) | {ord("İ"): "I"}
_LATIN = {
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ĳ": "ij",
    **dict(zip("ðđøħıłŀŋŉŧſəƒ", "ddohillnntsef", strict=True)),
}


def normal(text: str) -> str:
    """A text with every letter in its usual form, and with a blank after each pair of letters of unspaced scripts.

    Latin letters remain as they are, but for hyphens and joiners that are not shown.
    """
    if text.isascii():
        return text
    if lead_bytes(text.encode("utf-8", "replace")) <= _LATIN_LEADS:
        return without_unseen(text)
    return UNSPACED.sub(_pairs_and_last, unified(text))


def without_unseen(text: str) -> str:
    """A text without hyphens and joiners that are not shown; the Turkish İ, which lowers to two characters, is I."""
    return text.translate(_UNSEEN) if any(letter in text for letter in (*_UNSEEN_LETTERS, "İ")) else text


def lead_bytes(raw: bytes) -> frozenset[int]:
    """The first bytes of the characters of a text in UTF-8 that are not ASCII: they tell which scripts it has."""
    return frozenset(raw.translate(None, _NO_LEAD_BYTES))


def unified(text: str) -> str:
    """A text with every letter in its usual form; unspaced scripts remain as they are."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", text)
    return _other_forms.sub(_alike, composed)


def paired(text: str) -> str:
    """A text with each stretch of an unspaced script as the pairs of its letters, with blanks between them."""
    return text if text.isascii() else UNSPACED.sub(lambda found: f" {' '.join(pairs(found[0]))} ", text)


def _alike(found: re.Match[str]) -> str:
    return _ALIKE.get(found[0], "")


def pairs(stretch: str) -> list[str]:
    """Each two letters of a stretch of an unspaced script that follow each other; a single letter by itself."""
    units = _unit.findall(stretch)
    return [one + other for one, other in pairwise(units)] or units


def _pairs_and_last(found: re.Match[str]) -> str:
    """The pairs of a stretch and its last letter, so that each letter begins a word and one letter can be found."""
    several = pairs(found[0])
    last = _unit.findall(found[0])[-1:]
    return f" {' '.join(several if several == last else several + last)} "


def words_in(text: str) -> list[str]:
    """The words of a text in any script, as they are written: runs of letters, digits and marks."""
    return "".join(letter if unicodedata.category(letter)[0] in "LNM" else " " for letter in text).split()


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where the words of a text in any script begin and end."""
    found, start = [], None
    for at, letter in enumerate(f"{text} "):
        inside = letter.isalnum() or unicodedata.category(letter)[0] == "M"
        if inside and start is None:
            start = at
        elif not inside and start is not None:
            found.append((start, at))
            start = None
    return found


def ends_stretch(pair: str, after: str) -> bool:
    """Whether a pair of letters is the last one of a stretch, given the next word of a text."""
    units = _unit.findall(pair)
    return len(units) > 1 and not after.startswith(units[-1])


def folded(word: str) -> str:
    """A lower-case word without the accents of its Latin letters."""
    if word.isascii():
        return word
    letters = []
    for letter in word:
        if letter < "\u0250" or "\u1e00" <= letter < "\u1f00":
            letters.append(_LATIN.get(letter) or unicodedata.normalize("NFD", letter)[0])
        elif not "\u0300" <= letter < "\u0370":
            letters.append(letter)
    return "".join(letters)
