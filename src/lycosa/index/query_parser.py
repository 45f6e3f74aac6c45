"""Parses a query as typed: words, phrases, required and excluded words, and filters.

    words               any of them; pages with more of them come first
    "a phrase"          these words in this order, exactly; must be there
    +word -word         must be there, must not be there; also -"a phrase"
    title:word          must be in the title, url:word in the URL
    host:example.org    pages of this host and of everything under it (or site:)
    lang:en             pages in this language (or language:)
    category:name       pages of this category and of everything under it
    after:2026-01-31    fetched on that day or later; before:2026-01-31 fetched before that day
    relevance:0.3       at least so relevant to the topic of the crawl

No input is an error: what cannot be understood is left out, and the remark says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from lycosa.index.index_words import LONGEST, SILENT, composed, is_one_word, words_of
from lycosa.index.search_types import Filters

MOST = 32
"""Most words of a query that count."""
LENGTH = 4096
"""Most characters of a query that are read: enough for more words than count."""

ANY = Filters()
"""No conditions."""

_FIELDS = ("title", "url")
_NAMES = {
    "site": "host",
    "language": "lang",
    "since": "after",
    "until": "before",
    "inurl": "url",
    "intitle": "title",
}
_FILTERS = ("host", "lang", "category", "after", "before", "relevance")
_part = re.compile(r'([+-]?)(?:([A-Za-z]+):(?=[^\s:]))?(?:"([^"]*)"?|([^\s"]+))')
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»〝〞＂", '"'))
_day = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?")


class ParsedQuestion(Struct, frozen=True):
    """A query as the index understands it."""

    text: str = ""
    """The query as typed, as far as it was read."""
    words: tuple[str, ...] = ()
    """Lower-case words without stop words; required words are included, words inside phrases are not."""
    phrases: tuple[tuple[str, ...], ...] = ()
    """Required phrases, word by word, stop words included."""
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    must_not_phrases: tuple[tuple[str, ...], ...] = ()
    fields: dict[str, tuple[str, ...]] = {}
    """Words that are required in a field, by the field's name (title, url)."""
    filters: Filters = Filters()
    remark: str = ""
    """What was left out, and why."""
    rarities: dict[str, float] = {}
    """The rarity of words, if several indexes are searched together."""

    @property
    def empty(self) -> bool:
        """Whether the query consists of filters only."""
        return not (self.words or self.phrases or self.fields)

    @property
    def spoken(self) -> tuple[str, ...]:
        """All words that a page should contain, also those in phrases and fields, each once, without stop words."""
        inside = (word for phrase in (*self.phrases, *self.fields.values()) for word in phrase)
        return tuple(dict.fromkeys((*self.words, *(word for word in inside if word not in SILENT))))


def ask(text: str, filters: Filters = ANY) -> ParsedQuestion:
    """Parse what was typed; `filters` are added to those in the text."""
    remarks: list[str] = []
    if len(text) > LENGTH:
        remarks.append(f"only the first {LENGTH} characters were read")
    # Replace half surrogate pairs, which a broken terminal may send.
    typed = composed(text[:LENGTH].encode("utf-8", "replace").decode())
    reading = _Reading(remarks)
    for sign, name, quoted, bare in _part.findall(typed.translate(_QUOTES)):
        reading.part(sign, name.lower(), quoted, bare)
    return reading.asked(typed, filters)


class _Reading:
    """The parts of a query that were parsed so far."""

    def __init__(self, remarks: list[str]) -> None:
        self.words: dict[str, None] = {}
        self.must: dict[str, None] = {}
        self.must_not: dict[str, None] = {}
        self.phrases: dict[tuple[str, ...], None] = {}
        self.must_not_phrases: dict[tuple[str, ...], None] = {}
        self.fields: dict[str, dict[str, None]] = {}
        self.filters = Filters()
        self.remarks = remarks
        self.count = self.dropped = 0
        self.silent = False

    def part(self, sign: str, name: str, quoted: str, bare: str) -> None:
        name = _NAMES.get(name, name)
        value = quoted or bare
        if name in _FILTERS:
            if sign == "-":
                self.remarks.append(f"«-{name}:» is not understood")
            elif problem := self._filter(name, value.strip().strip(",;")):
                self.remarks.append(problem)
            return
        if not quoted and is_one_word(value):
            quoted = value
        found = words_of(value)
        if name and name not in _FIELDS:  # not a field, so it is a word: «12:30», «a:b:c», «https://…»
            found = words_of(name) + found
            name = ""
        telling = [word for word in found if word not in SILENT and len(word.encode()) <= LONGEST]
        self.silent |= len(telling) < len(found)
        if not (sign or name or quoted):  # a repeated word counts once
            telling = [word for word in dict.fromkeys(telling) if word not in self.words]
        if self.count >= MOST:
            self.dropped += len(telling)
            return
        self.dropped += max(0, self.count + len(telling) - MOST)
        telling = telling[: MOST - self.count]
        self.count += len(telling)
        if telling:
            self._take(sign, name, quoted, telling, found)

    def _take(self, sign: str, name: str, quoted: str, telling: list[str], found: list[str]) -> None:
        told = dict.fromkeys(telling)
        if name:
            if sign == "-":
                self.remarks.append(f"«-{name}:» is not understood")
            else:
                self.fields.setdefault(name, {}).update(told)
        elif quoted:
            # A phrase that is too long ends at the last word that counts.
            ends = [at for at, word in enumerate(found) if word in told]
            phrase = tuple(found[: ends[min(len(ends), len(telling)) - 1] + 1])
            (self.must_not_phrases if sign == "-" else self.phrases)[phrase] = None
        elif sign == "-":
            self.must_not.update(told)
        else:
            self.words.update(told)
            if sign == "+":
                self.must.update(told)

    def _filter(self, name: str, value: str) -> str:
        """Add a filter; return what is wrong with it."""
        have = self.filters
        match name:
            case "host":
                host = re.sub(r"^[a-z]+://", "", value.lower()).partition("/")[0].strip(".*")
                if not host:
                    return f"«host:{value}» names no host"
                self.filters = replace(have, hosts=(*have.hosts, host))
            case "lang":
                self.filters = replace(have, languages=(*have.languages, value.lower()))
            case "category":
                self.filters = replace(have, categories=(*have.categories, value))
            case "relevance":
                try:
                    least = float(value)
                except ValueError:
                    least = math.nan
                if math.isnan(least):
                    return f"«relevance:{value[:40]}» is not a number such as 0.3"
                self.filters = replace(have, relevance=least)
            case _:
                at = _moment(value)
                if at is None:
                    return f"«{name}:{value[:40]}» is not a day such as 2026-01-31"
                self.filters = replace(have, since=at) if name == "after" else replace(have, until=at)
        return ""

    def asked(self, typed: str, filters: Filters) -> ParsedQuestion:
        if self.dropped:
            self.remarks.append(f"only the first {MOST} words count, {self.dropped} more were left out")
        telling = (self.words, self.phrases, self.fields)
        if not any(telling) and not self.filters.any and not filters.any:
            if self.must_not or self.must_not_phrases:
                self.remarks.append("add what pages must contain, not only what they must not")
            elif self.silent:
                self.remarks.append("words as common as these are not searched")
            elif typed.strip():
                self.remarks.append("it contains no word")
        return ParsedQuestion(
            typed,
            tuple(self.words),
            tuple(self.phrases),
            tuple(self.must),
            tuple(self.must_not),
            tuple(self.must_not_phrases),
            {name: tuple(words) for name, words in self.fields.items()},
            _both(filters, self.filters),
            "; ".join(dict.fromkeys(self.remarks)),
        )


def _both(one: Filters, other: Filters) -> Filters:
    """The filters of both; hosts, languages and categories are alternatives, the others all apply."""

    def edge(pick: Callable[[list[float]], float], *values: float | None) -> float | None:
        said = [value for value in values if value is not None]
        return pick(said) if said else None

    return Filters(
        tuple(dict.fromkeys((*one.hosts, *other.hosts))),
        tuple(dict.fromkeys((*one.languages, *other.languages))),
        tuple(dict.fromkeys((*one.categories, *other.categories))),
        edge(max, one.since, other.since),
        edge(min, one.until, other.until),
        edge(max, one.relevance, other.relevance),
    )


def _moment(value: str) -> float | None:
    """The beginning of a day, a month or a year, in seconds; None if the value is invalid."""
    found = _day.fullmatch(value)
    if found is None:
        return None
    try:
        return datetime(int(found[1]), int(found[2] or 1), int(found[3] or 1), tzinfo=UTC).timestamp()
    except ValueError:
        return None
