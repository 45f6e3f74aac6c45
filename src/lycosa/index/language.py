"""The language of a page: the one it declares if that is plausible, else the one detected from its letters."""

from __future__ import annotations

import re
from itertools import islice

from resiliparse.parse.lang import detect_fast

_ISO_639 = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv
    ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne
    ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st
    su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_OLD = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "nb": "no", "nn": "no"}
"""Codes that were renamed, and the two Norwegian languages, which the detection does not distinguish."""
_NOT_LATIN = """
    ab am ar as ba be bg bn bo ce cv dv dz el fa gu he hi hy ja ka kk km kn ko ky lo mk ml mn mr my ne or os pa ps ru
    sa sd si ta te tg th ti tt ug uk ur yi zh
"""
_CODES = frozenset(_ISO_639.split())
_OTHER_LETTERS = frozenset(_NOT_LATIN.split())
"""Languages that are not written in Latin letters."""
_EITHER = frozenset(("az", "kk", "ku", "mn", "ms", "sr", "tg", "tt", "uz"))
"""Languages that are written in Latin and in other letters."""
_SAID = re.compile(r"([a-z]{2})(?:[-_][a-z0-9]+)*")
_SCRIPTS = {"ja": "[\u3041-\u30ff]{2}", "ko": "[\uac00-\ud7a3]{2}", "zh": "[\u4e00-\u9fff]{2}"}
"""Letters that identify a language at once; Japanese also uses the Chinese ones."""

_PIECE = 800
"""Characters that are examined; more of them take longer (.09 ms) and hardly improve the result."""
_FEW = 60
"""Fewest letters from which a language can be detected."""
_UNSURE = 1000
_UNSURE_ELSEWHERE = 1600
"""Largest distance from a language (detect_fast's rank); non-Latin letters say more about the language."""


def language_of(text: str, said: str = "") -> str:
    """The two-letter code of a text's language, given what its page declares; empty if it cannot be detected."""
    code = language_code(said)
    # A page often begins with a menu; a piece from its middle is its real text.
    start = max(0, (len(text) - _PIECE) // 2)
    piece = text[start : start + _PIECE]
    if code and _plausible(code, piece):
        return code
    if sum(letter.isalpha() for letter in piece) < _FEW:
        return ""
    other = _other_letters(piece)
    for known, letters in _SCRIPTS.items() if other else ():
        if re.search(letters, piece):
            return known
    found: str
    found, _ = detect_fast(piece, cutoff=_UNSURE_ELSEWHERE if other else _UNSURE)
    return "" if found == "unknown" else found


def language_code(said: str) -> str:
    """The two-letter code of a declaration such as «de-AT»; empty if it is invalid, such as «english»."""
    match = _SAID.fullmatch(said.strip().lower()[:40])
    code = match[1] if match else ""
    code = _OLD.get(code, code)
    return code if code in _CODES else ""


def _plausible(code: str, piece: str) -> bool:
    """Whether a text in this language can have these letters: copied templates often declare a wrong language."""
    return not piece or code in _EITHER or _other_letters(piece) == (code in _OTHER_LETTERS)


def _other_letters(piece: str) -> bool:
    """Whether most letters are not Latin."""
    if piece.isascii():
        return False
    letters = list(islice(filter(str.isalpha, piece), 200))
    return 2 * sum(letter > "\u02ff" and not "\u1e00" <= letter <= "\u1eff" for letter in letters) > len(letters)
