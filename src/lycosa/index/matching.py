"""From a parsed query to a tantivy query on the content index.

A word scores in each field by BM25, times the field's boost. Title, URL, opening and headings say in few words what a
page is about, so a word counts more there; its rarity is always that in the text, because in titles nearly every word
is rare. The constants were learned together with the weights of the ranking (docs/explanation/ranking.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tantivy import FieldType, Occur, Query

from lycosa.core.keys import key64
from lycosa.core.stemming import plain
from lycosa.index.expansion import Dictionary, Form, Forms
from lycosa.index.index_words import SILENT
from lycosa.index.query_parser import ParsedQuestion
from lycosa.index.schema import SCHEMA, any_of, branches
from lycosa.index.search_types import Filters

BOOSTS = {"title": 0.25, "url": 0.25}
"""Added to the boost of 1 for the text, which also contains the title. How well the whole title matches is another part
of the score (title_match.py)."""
ABOUT = 0.5
"""What a page gets for a word in its opening or headings, in units of the word's idf."""
PRESENCE = 0.2
"""What a page gets for containing a word at all, in units of the rarest word's idf, so that many words beat one
frequent word."""
SPELLINGS = 0.3
"""The factor of a stem's other words if a page contains several of them: they count less than they would alone."""
TYPED = 1.1
"""The factor of the word as it was typed, relative to other words of its stem."""
SPELLED = 0.3
"""What a page gets for a word spelt as in the query, in units of the word's idf, if other pages spell it otherwise."""
TOGETHER, APART = 0.25, 1
"""What two neighbouring words of the query add if they are also neighbours in the text, and how many words may be
between them there."""

_Clause = tuple[Occur, Query]


class Matcher:
    """Makes queries for one searcher."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary

    def query(self, asked: ParsedQuestion) -> Query | None:
        """The tantivy query for a parsed query, or None if nothing can be found."""
        wanted = self._wanted(asked)
        narrowed = self._narrowed(asked)
        if not wanted:
            if not asked.empty or not asked.filters.any:
                return None
            return Query.boolean_query([(Occur.Must, Query.all_query()), *narrowed])
        found = Query.boolean_query(wanted)
        # The words are in a subquery of their own: beside a required clause they would be optional.
        return Query.boolean_query([(Occur.Must, found), *narrowed]) if narrowed else found

    def among(self, asked: ParsedQuestion, urls: Iterable[str]) -> Query:
        """A query for these pages, except those that filters or exclusions forbid; words only add to the score."""
        clauses = [(Occur.Must, _silently(these(urls))), *self._narrowed(asked)]
        if wanted := self._wanted(asked):
            clauses.append((Occur.Should, Query.boolean_query(wanted)))
        return Query.boolean_query(clauses)

    def weighted(self, words: Sequence[tuple[str, float]], without: str, filters: Filters) -> Query:
        """A query for pages with some of these words, each with its weight, but without one page."""
        some = [(Occur.Should, Query.boost_query(_word("text", word), weight)) for word, weight in words]
        return Query.boolean_query(
            [
                (Occur.Must, Query.boolean_query(some)),
                (Occur.MustNot, these((without,))),
                *((Occur.Must, _silently(each)) for each in _passing(filters)),
            ]
        )

    def _wanted(self, asked: ParsedQuestion) -> list[_Clause]:
        clauses: list[_Clause] = [(Occur.Must, self._phrase(phrase)) for phrase in asked.phrases]
        for field, words in asked.fields.items():
            clauses += [(Occur.Must, self._in_field(field, word)) for word in words]
        known = {word: self._dictionary.forms(word) for word in asked.words}
        forms = {word: found.as_rare_as(asked.rarities.get(word)) for word, found in known.items()}
        rarest = max((found.rarity for found in forms.values()), default=0.0)
        some: list[_Clause] = []
        for word in asked.words:
            scored = self._scored(word, forms[word], PRESENCE * rarest if len(forms) > 1 else 0.0)
            if word in asked.must:
                clauses.append((Occur.Must, Query.boolean_query(scored)))
            else:
                some += scored
        for pair in pairwise(map(plain, asked.words)):
            near = Query.phrase_query(SCHEMA, "text", list(pair), APART)
            some.append((Occur.Should, Query.boost_query(near, TOGETHER)))
        if some:
            if not clauses:
                return some
            clauses.append((Occur.Should, Query.boolean_query(some)))
        return clauses

    def _in_field(self, field: str, word: str) -> Query:
        """A query for a word in a field, by its stem in any language."""
        if len(word) < 2 and word.isascii():  # single letters are not terms, but they are indexed in the text
            return _word("text", word)
        stems = [each.stem for each in self._dictionary.forms(word).fields if each.field == field]
        return any_of(field, stems) if stems else Query.empty_query()

    def _scored(self, word: str, found: Forms, presence: float) -> list[_Clause]:
        """The clauses that score a word: in the text in all its forms, elsewhere by its stem."""
        indexed = plain(word)
        forms = [
            Query.boost_query(_form(form), form.boost * (TYPED if form.word == indexed else 1.0))
            for form in found.forms
        ]
        clauses = []
        if forms:
            clauses.append(forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms, SPELLINGS))
            if presence:
                clauses.append(Query.const_score_query(_any_form(found.forms), presence))
            clauses.append(Query.const_score_query(_any_form(found.forms, "about"), ABOUT * found.rarity))
        clauses += [
            Query.boost_query(_word(each.field, each.stem), BOOSTS[each.field] * each.scale) for each in found.fields
        ]
        if found.spelling:
            clauses.append(Query.const_score_query(any_of("spelling", [found.spelling]), SPELLED * found.rarity))
        elif found.other_spellings:
            others = (Occur.MustNot, any_of("spelling", found.other_spellings))
            exact = Query.boolean_query([(Occur.Must, _word("text", indexed)), others])
            clauses.append(Query.const_score_query(exact, SPELLED * found.rarity))
        return [(Occur.Should, clause) for clause in clauses]

    def _phrase(self, phrase: Sequence[str]) -> Query:
        """A query for the words of a phrase at their distances; any word may be in the place of a stop word."""
        placed = [(at, plain(word)) for at, word in enumerate(phrase) if word not in SILENT]
        first = placed[0][0]
        if len(placed) == 1:
            return _word("text", placed[0][1])
        return Query.phrase_query(SCHEMA, "text", [(at - first, word) for at, word in placed])

    def _narrowed(self, asked: ParsedQuestion) -> list[_Clause]:
        clauses = [(Occur.Must, _silently(each)) for each in _passing(asked.filters)]
        excluded = [found.forms for word in asked.must_not if (found := self._dictionary.forms(word)).forms]
        clauses += [(Occur.MustNot, _any_form(forms)) for forms in excluded]
        clauses += [(Occur.MustNot, self._phrase(phrase)) for phrase in asked.must_not_phrases]
        return clauses


def _word(field: str, word: str) -> Query:
    return Query.term_query(SCHEMA, field, word, index_option="freq")


def _form(form: Form, field: str = "text") -> Query:
    """A query for a form of a word, on the pages where it is one."""
    if not form.languages:
        return _word(field, form.word)
    there = _silently(any_of("language", form.languages))
    return Query.boolean_query([(Occur.Must, _word(field, form.word)), (Occur.Must, there)])


def _any_form(forms: Iterable[Form], field: str = "text") -> Query:
    """A query for any form of a word."""
    everywhere = [form.word for form in forms if not form.languages]
    some = [any_of(field, everywhere)] if everywhere else []
    some += [_form(form, field) for form in forms if form.languages]
    return some[0] if len(some) == 1 else Query.boolean_query([(Occur.Should, each) for each in some])


def these(urls: Iterable[str]) -> Query:
    """A query for the pages with these URLs."""
    return any_of("key", [key64(url) for url in urls])


def _silently(query: Query) -> Query:
    """The same query, but without any effect on the score."""
    return Query.const_score_query(query, 0.0)


def _passing(filters: Filters) -> list[Query]:
    """Queries for the conditions of the filters, but for that on the relevance, which the index does not know."""
    found = []
    if filters.hosts:
        found.append(any_of("domain", [host.lower() for host in filters.hosts]))
    if filters.languages:
        found.append(any_of("language", [language.lower() for language in filters.languages]))
    if filters.categories:
        wanted = [names[-1] for name in filters.categories if (names := branches(name))]
        found.append(any_of("branch", wanted))
    if filters.since is not None or filters.until is not None:
        found.append(_between("at", filters.since, filters.until))
    return found


def _between(field: str, low: float | None, high: float | None) -> Query:
    return Query.range_query(SCHEMA, field, FieldType.Float, low, high, include_upper=high is None)
