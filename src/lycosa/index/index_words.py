"""How a text becomes the words of the content index, and how the words of a query do.

A word is indexed in lower case, in the usual form of its letters and without accents, so that «ecole» finds «école».
How it is written is kept in the field `spelling` if that is different: the exact spelling ranks first, stemmers need
it, and snippets mark it. Scripts without blanks are indexed as pairs of letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from tantivy import Filter, Index, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from lycosa.core.scripts import UNSPACED, lead_bytes, normal, pairs, unified, without_unseen, words_in
from lycosa.core.stemming import plain
from lycosa.core.stopwords import STOPWORDS
from lycosa.core.words import analysis, named, spoken

LONGEST = 120
"""Most bytes of a word; longer strings are not indexed: core/words allows forty characters of up to three bytes."""

SILENT = STOPWORDS | frozenset("aistdm")
"""Words that are not indexed: stop words, and the single letters of «a», «I» and contractions."""

WORDS, STEMS, RAW = "words", "stems", "raw"
"""The names of the tokenizers."""

_CHINESE, _THAI = 4, 12
"""From how many pairs of letters on a stretch is taken as several words: in Chinese, Japanese and Korean, elsewhere."""

BETWEEN = "|"
"""In the field `spelling`, what is between a word as it is indexed and as it is written."""

_OF_EVERY_URL = frozenset(("http", "https", "www", "com", "index", "html", "htm", "php", "asp", "aspx", "jsp", "cgi"))


_ASCII = bytes(range(128))
_SYMBOLS = frozenset((0xC2, 0xE2))
"""The first bytes of spaces, quotes, dashes and other symbols in UTF-8."""
_letter = re.compile(rb"[^\x00-\x7f\xc2\xe2\x80-\xbf]")
_blank = re.compile(rb"\s")


def _analyzer(tokenizer: Tokenizer, *filters: Filter) -> TextAnalyzer:
    builder = TextAnalyzerBuilder(tokenizer)
    for each in filters:
        builder = builder.filter(each)
    return builder.build()


# The order minimises the cost: stop words are half of all words. Accents are dropped before letters are lowered,
# because for some letters that leaves a capital.
_indexed = _analyzer(
    Tokenizer.simple(),
    Filter.ascii_fold(),
    Filter.lowercase(),
    Filter.custom_stopword(sorted(SILENT)),
    Filter.remove_long(LONGEST + 1),
)


def register(index: Index) -> None:
    """Give an index its tokenizers."""
    index.register_tokenizer(WORDS, _indexed)
    index.register_tokenizer(STEMS, _analyzer(Tokenizer.whitespace()))


class Readable(NamedTuple):
    """A text as the tokenizer of the text field is given it."""

    text: str
    spellings: set[str]
    """The words that are not written as they are indexed: each as indexed, then as written."""


def readable(text: str, raw: bytes) -> Readable:
    """A text, given in UTF-8 as well, in the form in which its words are found."""
    if (shown := without_unseen(text)) is not text:
        text, raw = shown, shown.encode("utf-8", "replace")
    if lead_bytes(raw) <= _SYMBOLS:
        return Readable(named(text), set())
    if len(raw.translate(None, _ASCII)) * 16 > len(raw):  # mostly letters beyond ASCII
        tokens = {token for token in raw.split() if not token.isascii()}
        return Readable(named(normal(text)), {each for token in tokens for each in _word(token).spellings})
    # Only the few words that have such letters.
    spellings: set[str] = set()
    pieces, done = [], 0
    for found in _letter.finditer(raw):
        if found.start() < done:
            continue
        start = max(raw.rfind(b" ", done, found.start()), raw.rfind(b"\n", done, found.start()), done - 1) + 1
        blank = _blank.search(raw, found.start())
        end = blank.start() if blank else len(raw)
        word = _word(raw[start:end])
        spellings |= word.spellings
        if word.normal is not None:
            pieces += [raw[done:start], word.normal]
            done = end
    if pieces:
        text = b"".join((*pieces, raw[done:])).decode("utf-8", "replace")
    return Readable(named(text), spellings)


class _Word(NamedTuple):
    """What a part of a text between blanks becomes."""

    normal: bytes | None
    """In its usual form; None if it is written so."""
    spellings: frozenset[str]


@lru_cache(1 << 16)
def _word(token: bytes) -> _Word:
    said = token.decode("utf-8", "replace")
    written = [word for word in words_in(composed(said).lower()) if not (word.isascii() or UNSPACED.search(word))]
    spellings = frozenset(f"{form}{BETWEEN}{word}" for word in written if (form := plain(word)) != word)
    usual = normal(said)
    return _Word(usual.encode() if usual != said else None, spellings)


def words_of(text: str) -> list[str]:
    """The lower-case words of a query in their order, stop words and accents included."""
    return spoken(named(text))


def is_indexed(word: str) -> bool:
    """Whether a lower-case word of a query can be in the index."""
    return word not in SILENT and len(word.encode()) <= LONGEST and bool(plain(word))


def is_one_word(asked: str) -> bool:
    """Whether this is a word of an unspaced script with several pairs of letters, which must be together."""
    stretch = UNSPACED.fullmatch(asked)
    return stretch is not None and 2 <= len(pairs(unified(asked))) < (_CHINESE if asked[0] >= "\u3000" else _THAI)


def indexed_words(text: str) -> list[str]:
    """The words of a text that are indexed, in their order."""
    found: list[str] = _indexed.analyze(readable(text, text.encode("utf-8", "replace")).text)
    return found


def whole_letters(text: str) -> str:
    """A text without halves of surrogate pairs, which a broken terminal may send."""
    return text.encode("utf-8", "replace").decode()


def composed(text: str) -> str:
    """A text with composed accents: a letter and a combining accent become the accented letter."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def stems_of(text: str, language: str) -> str:
    """The stems of a short text in a language, in one string."""
    return " ".join(analysis(language).sequence(named(text)))


def url_stems(url: str, language: str) -> str:
    """The stems of the words in a URL, without those that are in every URL."""
    said = unquote(url) if "%" in url else url
    return " ".join(word for word in stems_of(said, language).split() if word not in _OF_EVERY_URL)
