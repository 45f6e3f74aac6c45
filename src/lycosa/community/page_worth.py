"""The worth of a page of the old collection: which pages stay if there is not room for all.

    worth = 2 x asked + relevance + popularity + bookmarked / 2

asked is 1 for the best result of a query that people ever asked, less by a twentieth for each rank down to the tenth,
and 0 for other pages; relevance is the page's own; popularity its PageRank on a logarithmic scale, as a share of the
largest; bookmarked is 1 for pages that link to a bookmark or that a bookmark links to. All are from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Iterable, Sequence

import numpy as np

from lycosa.index.index import Index
from lycosa.index.numbers import Floats
from lycosa.index.page_ranks import keys_of
from lycosa.index.search_types import Question
from lycosa.store.rows import PageRow

ANSWERS = 10
"""Results of a query that count as asked for."""
QUERIES = 1000
"""Most past queries that are asked again; the most frequent ones."""


def by_worth(
    index: Index, rows: Sequence[PageRow], *, queries: Iterable[str], bookmarks: Some[str], by: str
) -> list[PageRow]:
    """The pages of a collection, the most valuable first; on a tie the one that was found first."""
    urls = [row.url for row in rows]
    worth = (
        2 * _asked(index, urls, list(dict.fromkeys(queries))[:QUERIES], by)
        + np.array([row.relevance or 0.0 for row in rows])
        + _popularity(index, urls)
        + 0.5 * _near(index, urls, bookmarks)
    )
    return [rows[place] for place in np.argsort(-worth, kind="stable")]


def _asked(index: Index, urls: Sequence[str], queries: Sequence[str], by: str) -> Floats:
    best: dict[str, float] = {}
    for query in queries:
        for rank, hit in enumerate(index.search(Question(query, by=by, limit=ANSWERS)).hits):
            best[hit.url] = max(best.get(hit.url, 0.0), 1 - rank / (2 * ANSWERS))
    return np.array([best.get(url, 0.0) for url in urls])


def _popularity(index: Index, urls: Sequence[str]) -> Floats:
    found = np.log1p(index.page_ranks.of(keys_of(urls)))
    return found / (found.max(initial=0.0) or 1.0)


def _near(index: Index, urls: Sequence[str], bookmarks: Some[str]) -> Floats:
    if not bookmarks:
        return np.zeros(len(urls))
    names, tails, heads = index.references.links()
    marked = np.array([name in bookmarks for name in names], bool)
    near = {names[place] for place in np.concatenate((heads[marked[tails]], tails[marked[heads]])).tolist()}
    return np.array([float(url in near) for url in urls])
