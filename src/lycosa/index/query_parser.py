"""Parses a query as typed: words, phrases, operators, groups, and filters.

    words               any of them; pages with more of them come first
    "a phrase"          these words in this order, exactly; must be there; with ~5, moved by up to five places
    +word -word         must be there, must not be there; also -"a phrase", -(a group), -host:example.org
    a AND b, a OR b     both, one of them; NOT b as -b; AND binds tighter than OR, words without operator tightest
    a NEAR b            at most ten words between them, or NEAR/3
    photosyn*           any word that begins so
    (a OR b) c          a group; it must be satisfied, as everything that is more than a word
    title:word          must be in the title, url:word in the URL; also title:"a phrase", title:(a OR b)
    host:example.org    pages of this host and of everything under it (or site:)
    lang:en             pages in this language (or language:)
    type:pdf            pages of this type (or filetype:)
    category:name       pages of this category and of everything under it
    after:2026-01-31    fetched on that day or later; before:2026-01-31 fetched before that day
    relevance:0.3       at least so relevant to the topic of the crawl

No input is an error: what cannot be understood is left out, and the remark says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from lycosa.index.filter_words import both
from lycosa.index.index_words import composed, is_indexed, whole_letters
from lycosa.index.question_reader import LENGTH, QuestionReader
from lycosa.index.question_tokens import tokens
from lycosa.index.question_tree import (
    ExactPhrase,
    InField,
    NearWords,
    Node,
    OneWord,
    WordStart,
    conjuncts,
    wanted_leaves,
)
from lycosa.index.search_types import Filters

ANY = Filters()
"""No conditions."""


class ParsedQuestion(Struct, frozen=True):
    """A query as the index understands it: the words by which pages are ranked, and what pages must satisfy."""

    text: str = ""
    """The query as typed, as far as it was read."""
    words: tuple[str, ...] = ()
    """Lower-case words without stop words, each once; those inside phrases and excluded ones are not included."""
    phrases: tuple[tuple[str, ...], ...] = ()
    """Phrases that are wanted, word by word, stop words included."""
    fields: dict[str, tuple[str, ...]] = {}
    """Words that are wanted in a field, by the field's name (title, url)."""
    starts: tuple[str, ...] = ()
    """Beginnings of words that are wanted."""
    condition: Node | None = None
    """What a page must satisfy besides the filters; None if it only has to contain any of the words."""
    enough: bool = False
    """Whether a page that satisfies the condition need not contain any of the words."""
    filters: Filters = Filters()
    remark: str = ""
    """What was left out, and why."""
    rarities: dict[str, float] = {}
    """The rarity of words, if several indexes are searched together."""

    @property
    def empty(self) -> bool:
        """Whether the query consists of filters only."""
        return not (self.words or self.phrases or self.fields or self.starts)

    @property
    def spoken(self) -> tuple[str, ...]:
        """All words that a page should contain, also those in phrases and fields, each once, without stop words."""
        inside = (word for phrase in (*self.phrases, *self.fields.values()) for word in phrase)
        return tuple(dict.fromkeys((*self.words, *filter(is_indexed, inside))))

    @property
    def demands(self) -> tuple[Node, ...]:
        """The conditions that must all hold."""
        return conjuncts(self.condition)


def ask(text: str, filters: Filters = ANY) -> ParsedQuestion:
    """Parse what was typed; `filters` are added to those in the text."""
    remarks: list[str] = []
    if len(text) > LENGTH:
        remarks.append(f"only the first {LENGTH} characters were read")
    typed = composed(whole_letters(text[:LENGTH]))
    found = QuestionReader(tokens(typed, remarks), remarks).question()
    wanted = [leaf for node in found.wanted for leaf in wanted_leaves(node)]
    everywhere = both(filters, found.filters)
    if everywhere.since is not None and everywhere.until is not None and everywhere.since >= everywhere.until:
        remarks.append("no page is both after and before these days")
    nothing = not wanted and not everywhere.any
    if nothing:
        if found.condition is not None:
            remarks.append("add what pages must contain, not only what they must not")
        elif found.silent:
            remarks.append("words as common as these are not searched")
        elif typed.strip() and not remarks:
            remarks.append("it contains no word")
    return ParsedQuestion(
        typed,
        tuple(dict.fromkeys(_words(wanted))),
        tuple(dict.fromkeys(leaf.words for leaf in wanted if isinstance(leaf, ExactPhrase))),
        _fields(wanted),
        tuple(dict.fromkeys(leaf.start for leaf in wanted if isinstance(leaf, WordStart))),
        None if nothing else found.condition,
        found.enough,
        everywhere,
        "; ".join(dict.fromkeys(remarks)),
    )


def _words(wanted: Iterable[Node]) -> Iterable[str]:
    for leaf in wanted:
        if isinstance(leaf, OneWord):
            yield leaf.word
        elif isinstance(leaf, NearWords):
            yield from (leaf.one, leaf.other)


def _fields(wanted: Iterable[Node]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for leaf in wanted:
        if isinstance(leaf, InField) and not isinstance(leaf.what, WordStart):
            words = (leaf.what.word,) if isinstance(leaf.what, OneWord) else leaf.what.words
            found.setdefault(leaf.field, {}).update(dict.fromkeys(words))
    return {name: tuple(words) for name, words in found.items()}
