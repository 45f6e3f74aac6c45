"""How many pages a query finds by host, category and language."""

from __future__ import annotations

from tantivy import Occur, Query, Searcher

from lycosa.index.schema import any_of

FACETS = 20
"""Most hosts and categories that are counted, largest first."""
LANGUAGES = 8
"""Most languages that are counted, the most frequent of the index."""


def facets(searcher: Searcher, query: Query) -> dict[str, dict[str, int]]:
    """The counts of the pages that a query finds, largest first."""
    counted = searcher.aggregate(
        query, {name: {"terms": {"field": name, "size": FACETS}} for name in ("host", "category")}
    )
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
