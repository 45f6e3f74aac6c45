"""From a parsed query to a tantivy query on the content index.

A word scores in each field by BM25, times the field's boost. Title, URL, opening and headings say in few words what a
page is about, so a word counts more there; its rarity is always that in the text, because in titles nearly every word
is rare. The constants were learned together with the weights of the ranking (docs/explanation/ranking.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tantivy import Occur, Query

from lycosa.core.keys import key64
from lycosa.core.stemming import plain
from lycosa.index.conditions import Conditions, any_form, exact_phrase, form_query, passing, word_in
from lycosa.index.expansion import Dictionary, Forms
from lycosa.index.query_parser import ParsedQuestion
from lycosa.index.question_tree import ExactPhrase, InField, Without
from lycosa.index.schema import SCHEMA, any_of
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
        self._conditions = Conditions(dictionary)

    def query(self, asked: ParsedQuestion) -> Query | None:
        """The tantivy query for a parsed query, or None if nothing can be found."""
        narrowed = self._narrowed(asked)
        if asked.empty:
            if not asked.filters.any and asked.condition is None:
                return None
            return Query.boolean_query([(Occur.Must, Query.all_query()), *narrowed, *self._demanded(asked)])
        wanted, demanded = self._wanted(asked), self._demanded(asked)
        if not asked.enough:
            if not wanted:
                return None
            # The words are in a subquery of their own: beside a required clause they would be optional.
            wanted = [(Occur.Must, Query.boolean_query(wanted))] if narrowed or demanded else wanted
        return Query.boolean_query([*demanded, *wanted, *narrowed])

    def among(self, asked: ParsedQuestion, urls: Iterable[str]) -> Query:
        """A query for these pages, except those that filters or conditions forbid; words only add to the score."""
        clauses = [(Occur.Must, _silently(these(urls))), *self._narrowed(asked), *self._demanded(asked)]
        if wanted := self._wanted(asked):
            clauses.append((Occur.Should, Query.boolean_query(wanted)))
        return Query.boolean_query(clauses)

    def weighted(self, words: Sequence[tuple[str, float]], without: str, filters: Filters) -> Query:
        """A query for pages with some of these words, each with its weight, but without one page."""
        some = [(Occur.Should, Query.boost_query(word_in("text", word), weight)) for word, weight in words]
        return Query.boolean_query(
            [
                (Occur.Must, Query.boolean_query(some)),
                (Occur.MustNot, these((without,))),
                *((Occur.Must, _silently(each)) for each in passing(filters)),
            ]
        )

    def _wanted(self, asked: ParsedQuestion) -> list[_Clause]:
        """The clauses that score the words, and the phrases and fields that are not demanded."""
        known = {word: self._dictionary.forms(word) for word in asked.words}
        forms = {word: found.as_rare_as(asked.rarities.get(word)) for word, found in known.items()}
        rarest = max((found.rarity for found in forms.values()), default=0.0)
        some: list[_Clause] = []
        for word in asked.words:
            some += self._scored(word, forms[word], PRESENCE * rarest if len(forms) > 1 else 0.0)
        for pair in pairwise(map(plain, asked.words)):
            near = Query.phrase_query(SCHEMA, "text", list(pair), APART)
            some.append((Occur.Should, Query.boost_query(near, TOGETHER)))
        demanded = set(asked.demands)
        for phrase in asked.phrases:
            if ExactPhrase(phrase) not in demanded:
                some.append((Occur.Should, exact_phrase("text", phrase)))
        for start in asked.starts:
            some.append((Occur.Should, self._conditions.start("text", start)))
        return some

    def _demanded(self, asked: ParsedQuestion) -> list[_Clause]:
        """The clauses for what pages must satisfy; phrases and fields also add to the score."""
        clauses: list[_Clause] = []
        for node in asked.demands:
            query = self._conditions.query(node.part if isinstance(node, Without) else node)
            if isinstance(node, Without):
                clauses.append((Occur.MustNot, query))
            else:
                scores = isinstance(node, ExactPhrase | InField)
                clauses.append((Occur.Must, query if scores else _silently(query)))
        return clauses

    def _scored(self, word: str, found: Forms, presence: float) -> list[_Clause]:
        """The clauses that score a word: in the text in all its forms, elsewhere by its stem."""
        indexed = plain(word)
        forms = [
            Query.boost_query(form_query(form), form.boost * (TYPED if form.word == indexed else 1.0))
            for form in found.forms
        ]
        clauses = []
        if forms:
            clauses.append(forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms, SPELLINGS))
            if presence:
                clauses.append(Query.const_score_query(any_form(found.forms), presence))
            clauses.append(Query.const_score_query(any_form(found.forms, "about"), ABOUT * found.rarity))
        clauses += [
            Query.boost_query(word_in(each.field, each.stem), BOOSTS[each.field] * each.scale) for each in found.fields
        ]
        if found.spelling:
            clauses.append(Query.const_score_query(any_of("spelling", [found.spelling]), SPELLED * found.rarity))
        elif found.other_spellings:
            others = (Occur.MustNot, any_of("spelling", found.other_spellings))
            exact = Query.boolean_query([(Occur.Must, word_in("text", indexed)), others])
            clauses.append(Query.const_score_query(exact, SPELLED * found.rarity))
        return [(Occur.Should, clause) for clause in clauses]

    def _narrowed(self, asked: ParsedQuestion) -> list[_Clause]:
        return [(Occur.Must, _silently(each)) for each in passing(asked.filters)]


def these(urls: Iterable[str]) -> Query:
    """A query for the pages with these URLs."""
    return any_of("key", [key64(url) for url in urls])


def _silently(query: Query) -> Query:
    """The same query, but without any effect on the score."""
    return Query.const_score_query(query, 0.0)
