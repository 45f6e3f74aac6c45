"""How many pages a query finds by host, category, language, type and year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tantivy import Occur, Query, Searcher

from lycosa.core.urls import host_of
from lycosa.index.page_store import PageHead
from lycosa.index.schema import any_of, year_of

FACETS = 20
"""Most values of a field that are counted, largest first."""
LANGUAGES = 8
"""Most languages that are counted, the most frequent of the index."""


Facets = dict[str, dict[str, int]]
"""The number of pages by field and value, largest first."""


class FieldGroup(NamedTuple):
    """The values by which pages are counted."""

    host: str
    category: str
    lang: str
    type: str
    year: str


def group_of(head: PageHead) -> FieldGroup:
    """The values by which a page is counted."""
    return FieldGroup(host_of(head.url), head.category, head.language, head.type, year_of(head.at))


def facets(searcher: Searcher, query: Query) -> Facets:
    """The counts of the pages that a query finds."""
    fields = ("host", "category", "type", "year")
    counted = searcher.aggregate(query, {name: {"terms": {"field": name, "size": FACETS}} for name in fields})
    found = {
        name: {bucket["key"]: int(bucket["doc_count"]) for bucket in each["buckets"]} for name, each in counted.items()
    }
    return {**found, "lang": _languages(searcher, query)}


def _languages(searcher: Searcher, query: Query) -> dict[str, int]:
    """How many pages there are in each frequent language; there are few languages, so one search counts each."""
    counts = {}
    for language, _ in searcher.terms_with_prefix("language", "", limit=LANGUAGES):
        both = Query.boolean_query([(Occur.Must, query), (Occur.Must, any_of("language", [language]))])
        count: int = searcher.search(both, 1).count  # type: ignore[attr-defined]
        counts[language] = count
    return {name: counts[name] for name in sorted(counts, key=lambda name: (-counts[name], name)) if counts[name]}


def counted_facets(pages: Iterable[FieldGroup]) -> Facets:
    """The counts of pages that were all found."""
    columns = list(zip(*pages, strict=True)) or [()] * len(FieldGroup._fields)
    return {
        name: _most(Counter(filter(None, column))) for name, column in zip(FieldGroup._fields, columns, strict=True)
    }


def summed_facets(several: Iterable[Facets]) -> Facets:
    """The sum of the counts of several indexes; a page counts once in each index that has it."""
    counted: dict[str, Counter[str]] = {}
    for found in several:
        for name, counts in found.items():
            counted.setdefault(name, Counter()).update(counts)
    return {name: _most(counts) for name, counts in counted.items()}


def _most(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:FACETS])
