"""How many pages a query finds by host, category, language, type and year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tantivy import Query, Searcher

from lycosa.core.urls import host_of
from lycosa.index.page_store import PageHead
from lycosa.index.schema import year_of

FACETS = 20
"""Most values of a field that are counted, largest first."""
_FIELDS = {"host": "host", "category": "category", "type": "type", "year": "year", "lang": "language"}
"""The field of the index for each facet."""


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
    counted = searcher.aggregate(
        query, {name: {"terms": {"field": field, "size": FACETS}} for name, field in _FIELDS.items()}
    )
    return {
        name: {bucket["key"]: int(bucket["doc_count"]) for bucket in each["buckets"]} for name, each in counted.items()
    }


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
