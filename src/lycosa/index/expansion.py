"""From a word to the words of the dictionary that stand for it, so that «schooling» finds schools too.

The index contains words as they are written, but for accents; a query's word stands for all words with the same stem,
by the rules of each language of the collection. The rules of English and of the collection's main language hold on
every page, those of another language on its pages only. Each form gets the rarity of all of them together; otherwise
the rarest spelling would dominate.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tantivy import Occur, Query, Searcher

from lycosa.core.scripts import UNSPACED
from lycosa.core.stemming import ENGLISH, LANGUAGES, plain, stem
from lycosa.core.words import separated, sequence_of
from lycosa.index.index_words import BETWEEN, indexed_words
from lycosa.index.schema import SCHEMA, STEMMED, any_of

MOST = 12
"""Most words of one stem and language that are searched, most frequent first; English has fewer, typos make more."""
SCANNED = 400
"""Most words with the same prefix that are examined, most frequent first."""
_SHORT = 3
"""A prefix of fewer letters says nothing, because half the dictionary may share it: only usual endings are tried."""
_ENDINGS = ("", "s", "es", "e", "ed", "ing", "y", "ies", "ied", "er", "ers", "ly")
_ARABIC = ("ال", "و", "وال", "بال", "كال", "فال", "لل", "ب", "ل")
_HEBREW = ("ה", "ו", "ב", "ל", "מ", "ש", "כ", "וה", "שה")
"""What these languages write before a word without a blank: articles, «and», «in» and the like."""
_COMPOUNDING = frozenset(("da", "de", "et", "fi", "hu", "nl", "no", "sv"))
"""Languages that write compounds as one word, which a word finds if they begin with it."""
_COMPOUNDS, _COMPOUND, _BEGINNING = 8, 0.4, 4
"""How many of them are searched, the factor of their score, and the fewest letters of their beginning."""
_PAIRS = 64
"""Most pairs of letters that stand for a single letter of an unspaced script."""
_STARTING = 40
"""Most words with the beginning that is asked for whose frequencies count, and that are marked."""
POOL = 20_000
"""Most words with the same first letter that are compared with a misspelt one, most frequent first."""
REMEMBERED = 1 << 14


class Form(NamedTuple):
    """A word of the dictionary that stands in for a query's word."""

    word: str
    boost: float
    """The factor that gives it the rarity of all forms together."""
    languages: tuple[str, ...] = ()
    """The languages on whose pages it stands for the word; empty: on all."""


class FieldStem(NamedTuple):
    """A stem of a query's word that a stemmed field contains."""

    field: str
    stem: str
    scale: float
    """The factor that gives it the same rarity there as in the text."""


class Forms(NamedTuple):
    """The words that stand for one word of a query."""

    forms: tuple[Form, ...]
    pages: int
    """How many pages contain any of them, estimated as if they occurred independently."""
    rarity: float
    """The idf of all of them together."""
    fields: tuple[FieldStem, ...]
    written: tuple[str, ...] = ()
    """How they are written in texts, in lower case."""
    spelling: str = ""
    """The entry of its exact spelling in the field `spelling`, if it is not written as it is indexed."""
    other_spellings: tuple[str, ...] = ()
    """The entries of words that are indexed as this one is, but written otherwise."""

    def as_rare_as(self, rarity: float | None) -> Forms:
        """The same forms with another rarity of the word."""
        if rarity is None or rarity == self.rarity:
            return self
        times = rarity / self.rarity
        forms = tuple(form._replace(boost=form.boost * times) for form in self.forms)
        fields = tuple(each._replace(scale=each.scale * times) for each in self.fields)
        return self._replace(forms=forms, rarity=rarity, fields=fields)


def _add(found: dict[str, tuple[str, ...]], words: Iterable[str], only: tuple[str, ...]) -> None:
    """Add words that hold on pages of these languages, or on all pages."""
    for word in words:
        known = found.get(word)
        found[word] = () if known == () or not only else (*(known or ()), *only)


def _shared(one: str, other: str) -> str:
    """The beginning that two words share."""
    alike = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return one[:alike] if alike is not None else min(one, other, key=len)


def idf(holding: float, pages: int) -> float:
    """BM25's idf of a word that `holding` of the pages contain."""
    return math.log1p((max(pages, holding) - holding + 0.5) / (holding + 0.5))


class Dictionary:
    """The words of the text field, as one searcher sees them."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self.pages = searcher.num_docs
        self._known: dict[str, Forms] = {}
        self._pools: dict[str, list[str]] = {}
        self._languages = self._ruling()

    def holding(self, word: str) -> int:
        """How many pages contain a word as it is indexed, in no other form."""
        return self._count("text", word)

    def forms(self, word: str) -> Forms:
        """The words that stand for a lower-case word."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known = {}
            found = self._known[word] = self._look_up(word)
        return found

    def beginning(self, prefix: str, limit: int | None) -> list[tuple[str, int]]:
        """Words with a prefix and how many pages contain each, most frequent first."""
        return self._searcher.terms_with_prefix("text", prefix, limit=limit)

    def starting(self, start: str) -> Forms:
        """The most frequent words that begin so, as forms of one word."""
        spelled = self._spelled(start)
        known = self.beginning(start, _STARTING)
        written = dict.fromkeys(said for word, _ in known for said in (word, *spelled.get(word, ())))
        pages = round(self._together(count for _, count in known))
        return Forms((), pages, idf(pages, self.pages), (), tuple(written))

    def pool(self, letter: str) -> list[str]:
        """The words with this first letter that more than one page contains, most frequent first."""
        found = self._pools.get(letter)
        if found is None:
            known = self.beginning(letter, POOL)
            found = self._pools[letter] = [word for word, count in known if count > 1 and word.isalpha()]
        return found

    def in_titles(self, word: str) -> int:
        """How many titles contain a word as it is indexed."""
        return self._count("title_words", word)

    def holding_both(self, one: str, other: str) -> int:
        """How many pages contain both of two words, as they are indexed."""
        both = [(Occur.Must, any_of("text", [word])) for word in (one, other)]
        return self._found(Query.boolean_query(both))

    def holding_beside(self, one: str, other: str, *, ordered: bool = False) -> int:
        """How many pages contain two words next to each other, in either order if it does not matter."""
        orders: list[list[str | tuple[int, str]]] = [[one, other]] if ordered else [[one, other], [other, one]]
        return sum(self._found(Query.phrase_query(SCHEMA, "text", order)) for order in orders)

    def written(self, word: str) -> tuple[int, str]:
        """How many pages contain a word, and how most of them write it."""
        held = self.holding(word)
        entries = self._searcher.terms_with_prefix("spelling", f"{word}{BETWEEN}", limit=1)
        if entries and 2 * entries[0][1] > held:
            return held, entries[0][0].partition(BETWEEN)[2]
        return held, word

    def telling(self, text: str, limit: int = 25) -> list[tuple[str, float]]:
        """The most distinctive words of a text, by TF-IDF, and the weight of each."""
        counts = Counter(indexed_words(text))
        # A word that only this text contains finds no other page.
        known = [(word, times, holding) for word, times in counts.items() if (holding := self.holding(word)) > 1]
        weights = {word: (1 + math.log(times)) * idf(holding, self.pages) for word, times, holding in known}
        best = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        # Without the idf, because the query multiplies by it.
        return [(word, 1 + math.log(counts[word])) for word, _ in best]

    def stems(self) -> dict[str, int]:
        """How many pages contain each term of core/words, that is, any of the words with its stem."""
        words: dict[str, list[str]] = {}
        held: dict[str, int] = {}
        for word, count in self.beginning("", None):
            for root in sequence_of(separated(word)):
                words.setdefault(root, []).append(word)
                held[root] = count
        return {root: self._holding_any(alike) if len(alike) > 1 else held[root] for root, alike in words.items()}

    def _holding_any(self, words: list[str]) -> int:
        return self._found(any_of("text", words))

    def _found(self, query: Query) -> int:
        count: int = self._searcher.search(query, 1).count  # type: ignore[attr-defined]
        return count

    def _together(self, counts: Iterable[int]) -> float:
        """How many pages contain any of some words, if these occur independently."""
        absent = 1.0
        for count in counts:
            absent *= 1 - min(1.0, count / max(1, self.pages))
        return self.pages * (1 - absent)

    def _ruling(self) -> dict[str, tuple[str, ...]]:
        """The languages whose rules hold, each with the language of the pages on which they do; empty: on all."""
        counts = dict(self._searcher.terms_with_prefix("language", "", limit=None))
        held = [code for code in counts if code in LANGUAGES]
        ruling: dict[str, tuple[str, ...]] = {code: () if 2 * counts[code] >= self.pages else (code,) for code in held}
        return ruling | {ENGLISH: ()}

    def _look_up(self, word: str) -> Forms:
        indexed = plain(word)
        if UNSPACED.fullmatch(word):
            pairs = self.beginning(indexed, _PAIRS) if len(indexed) == 1 else ()
            return self._together_as(word, dict.fromkeys((indexed, *(pair for pair, _ in pairs)), ()), (word,))
        spelled = self._spelled(indexed)
        found: dict[str, tuple[str, ...]] = {indexed: ()}
        compounds: dict[str, tuple[str, ...]] = {}
        for language, only in self._languages.items():
            root = stem(word, language)
            near = dict.fromkeys(self._near(language, root, indexed))
            alike = [each for each in near if root in (stem(said, language) for said in (each, *spelled.get(each, ())))]
            _add(found, alike[:MOST], only)
            if language in _COMPOUNDING and len(root) >= _BEGINNING:
                longer = [each for each in near if len(each) > len(indexed) + 2 and each.startswith(root)]
                _add(compounds, [each for each in longer if each not in alike][:_COMPOUNDS], only)
        if "\u05d0" <= indexed[0] <= "\u05ea":
            _add(found, [prefix + indexed for prefix in _HEBREW if self.holding(prefix + indexed)], ())
        compounds = {each: only for each, only in compounds.items() if each not in found}
        written = dict.fromkeys(said for each in (*found, *compounds) for said in (each, *spelled.get(each, ())))
        return self._together_as(word, found, tuple(written), compounds)

    def _near(self, language: str, root: str, word: str) -> Iterator[str]:
        """Words of the dictionary that may have this stem in a language, most frequent first."""
        # A word begins with its Porter stem, or with the stem without a final i, e or l: «happy» has the stem «happi».
        if language == ENGLISH and word.isascii():
            start = root[:-1] if root[-1:] in ("i", "e", "l") else root
        else:  # other forms may end otherwise: «book» is «kniha», «knihy», «knize»
            start = _shared(root, word)
            start = start[:-1] if len(start) > _SHORT else start
        if len(start) >= (_SHORT if language == ENGLISH else 1):
            yield from (word for word, _ in self.beginning(start, SCANNED))
        else:
            yield from (start + ending for ending in _ENDINGS if self.holding(start + ending))
        for prefix in _ARABIC if language == "ar" else ():
            yield from (word for word, _ in self.beginning(prefix + start, SCANNED // 8))

    def _spelled(self, word: str) -> dict[str, list[str]]:
        """How words that begin like this one are written, by how they are indexed."""
        spelled: dict[str, list[str]] = {}
        for entry, _ in self._searcher.terms_with_prefix("spelling", word[:_SHORT], limit=SCANNED):
            indexed, _, written = entry.partition(BETWEEN)
            spelled.setdefault(indexed, []).append(written)
        return spelled

    def _together_as(
        self,
        word: str,
        found: dict[str, tuple[str, ...]],
        written: tuple[str, ...],
        compounds: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> Forms:
        """These words of the dictionary as the forms of a word, which is the first of them."""
        indexed = next(iter(found))
        counts = {other: self.holding(other) for other in (*found, *compounds)}
        pages = round(self._together([counts[other] for other in found]))
        rarity = idf(pages, self.pages)
        alike = {other: rarity / idf(count, self.pages) for other, count in counts.items() if count}
        forms = [Form(other, alike[other], only) for other, only in found.items() if other in alike]
        forms += [Form(other, _COMPOUND * alike[other], only) for other, only in compounds.items()]
        roots = dict.fromkeys(stem(word, language) for language in self._languages)
        fields = [
            FieldStem(field, root, rarity / idf(count, self.pages))
            for field in STEMMED
            for root in roots
            if (count := self._count(field, root))
        ]
        own = f"{indexed}{BETWEEN}{word}" if word != indexed else ""
        others = [] if own else self._searcher.terms_with_prefix("spelling", f"{indexed}{BETWEEN}", limit=MOST)
        return Forms(tuple(forms), pages, rarity, tuple(fields), written, own, tuple(entry for entry, _ in others))

    def _count(self, field: str, word: str) -> int:
        return self._searcher.doc_freq(field, word)
