"""From the conditions of a question to tantivy queries: which pages satisfy them, whatever their score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product, zip_longest

from tantivy import FieldType, Occur, Query

from lycosa.core.scripts import ends_stretch
from lycosa.core.stemming import plain
from lycosa.index.expansion import Dictionary, Form
from lycosa.index.index_words import is_indexed
from lycosa.index.question_tree import (
    Either,
    Every,
    ExactPhrase,
    InField,
    NearWords,
    Node,
    OneWord,
    Passing,
    Without,
    WordStart,
)
from lycosa.index.schema import SCHEMA, any_of, branches
from lycosa.index.search_types import Filters

_FORMS = 8
"""Most forms of a word that are searched near another word."""


class Conditions:
    """Makes queries for the conditions of a question, for one searcher."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary

    def query(self, node: Node) -> Query:
        """A query for the pages that satisfy a condition."""
        match node:
            case OneWord(word):
                forms = self._dictionary.forms(word).forms
                return any_form(forms) if forms else Query.empty_query()
            case ExactPhrase(words, moved):
                return exact_phrase("text", words, moved)
            case NearWords():
                return self._near(node)
            case WordStart(start):
                return self.start("text", start)
            case InField(field, what):
                return self._in_field(field, what)
            case Passing(filters):
                return _all([(Occur.Must, each) for each in passing(filters)])
            case Every(parts):
                return _all([self._clause(part) for part in parts])
            case Either(parts):
                return Query.boolean_query([(Occur.Should, self.query(part)) for part in parts])
            case Without():
                return _all([self._clause(node)])
        raise AssertionError(node)

    def start(self, field: str, start: str) -> Query:
        """A query for words that begin so, as rare as all of them together."""
        found = Query.regex_query(SCHEMA, field, f"{re.escape(start)}.*")
        return Query.const_score_query(found, self._dictionary.starting(start).rarity)

    def _clause(self, part: Node) -> tuple[Occur, Query]:
        if isinstance(part, Without):
            return Occur.MustNot, self.query(part.part)
        return Occur.Must, self.query(part)

    def _near(self, node: NearWords) -> Query:
        one, other = (self._dictionary.forms(word).forms[:_FORMS] for word in (node.one, node.other))
        some: list[Query] = []
        for first, second in product(one, other):
            orders: list[list[str | tuple[int, str]]] = [[first.word, second.word], [second.word, first.word]]
            near = [Query.phrase_query(SCHEMA, "text", order, node.between) for order in orders]
            found = Query.boolean_query([(Occur.Should, each) for each in near])
            limits = [(Occur.Must, any_of("language", form.languages)) for form in (first, second) if form.languages]
            some.append(_all([(Occur.Must, found), *limits]))
        return Query.boolean_query([(Occur.Should, each) for each in some]) if some else Query.empty_query()

    def _in_field(self, field: str, what: OneWord | ExactPhrase | WordStart) -> Query:
        """A query for a field: words by their stem in any language, phrases and beginnings as they are written."""
        if isinstance(what, ExactPhrase):
            return exact_phrase("title_words", what.words, what.moved)
        if isinstance(what, WordStart):
            return self.start("title_words", what.start)
        if len(what.word) < 2 and what.word.isascii():  # single letters are not terms, but they are indexed in the text
            return word_in("title_words" if field == "title" else "text", what.word)
        stems = [each.stem for each in self._dictionary.forms(what.word).fields if each.field == field]
        return any_of(field, stems) if stems else Query.empty_query()


def _all(clauses: list[tuple[Occur, Query]]) -> Query:
    """A query for the pages that satisfy all of these, which may all be exclusions."""
    if all(occur == Occur.MustNot for occur, _ in clauses):
        clauses = [(Occur.Must, Query.all_query()), *clauses]
    return clauses[0][1] if len(clauses) == 1 else Query.boolean_query(clauses)


def exact_phrase(field: str, phrase: Sequence[str], moved: int = 0) -> Query:
    """A query for the words of a phrase at their distances; any word may be in the place of a stop word."""
    placed, at = list[tuple[int, str]](), 0
    for word, after in zip_longest(phrase, phrase[1:], fillvalue=""):
        if is_indexed(word):
            placed.append((at, plain(word)))
        # The last letter of a stretch without blanks has a place of its own.
        at += 2 if ends_stretch(word, after) else 1
    first = placed[0][0]
    if len(placed) == 1:
        return word_in(field, placed[0][1])
    return Query.phrase_query(SCHEMA, field, [(at - first, word) for at, word in placed], moved)


def word_in(field: str, word: str) -> Query:
    """A query for a word as it is indexed."""
    return Query.term_query(SCHEMA, field, word, index_option="freq")


def form_query(form: Form, field: str = "text") -> Query:
    """A query for a form of a word in a field, on the pages where it is one."""
    if not form.languages:
        return word_in(field, form.word)
    there = Query.const_score_query(any_of("language", form.languages), 0.0)
    return Query.boolean_query([(Occur.Must, word_in(field, form.word)), (Occur.Must, there)])


def any_form(forms: Iterable[Form], field: str = "text") -> Query:
    """A query for any form of a word in a field."""
    everywhere = [form.word for form in forms if not form.languages]
    some = [any_of(field, everywhere)] if everywhere else []
    some += [form_query(form, field) for form in forms if form.languages]
    return some[0] if len(some) == 1 else Query.boolean_query([(Occur.Should, each) for each in some])


def passing(filters: Filters) -> list[Query]:
    """Queries for the conditions of the filters, but for that on the relevance, which the index does not know."""
    found = []
    if filters.hosts:
        found.append(any_of("domain", [host.lower() for host in filters.hosts]))
    if filters.languages:
        found.append(any_of("language", [language.lower() for language in filters.languages]))
    if filters.categories:
        wanted = [names[-1] for name in filters.categories if (names := branches(name))]
        found.append(any_of("branch", wanted))
    if filters.types:
        found.append(any_of("type", filters.types))
    if filters.since is not None or filters.until is not None:
        found.append(_between("at", filters.since, filters.until))
    return found


def _between(field: str, low: float | None, high: float | None) -> Query:
    return Query.range_query(SCHEMA, field, FieldType.Float, low, high, include_upper=high is None)
