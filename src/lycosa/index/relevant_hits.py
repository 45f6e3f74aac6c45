"""Which of the pages that tantivy found are relevant enough, and their order by relevance.

Relevance changes after a page was indexed, so tantivy can neither filter by it nor sort by it. This is done here, for
all pages that a query finds: about two microseconds for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from tantivy import DocAddress, Searcher

from lycosa.core.keys import key64
from lycosa.index.numbers import Floats, Rows
from lycosa.index.page_store import PageHead
from lycosa.index.relevances import UNKNOWN, Relevances
from lycosa.index.search_types import Filters

TantivyHit = tuple[float, DocAddress]
"""The score and the address of a page."""


class RelevantHits(NamedTuple):
    """Pages that tantivy found, the relevance of each, and which of them are relevant enough."""

    hits: list[TantivyHit]
    relevance: Floats
    enough: Rows

    def __len__(self) -> int:
        return len(self.enough)

    def best(self, limit: int, *, by_relevance: bool = False) -> list[TantivyHit]:
        """The best of them by their score, or by their relevance, which is their score then."""
        if not by_relevance:
            return [self.hits[at] for at in self.enough[:limit].tolist()]
        order = self.enough[np.argsort(-self.relevance[self.enough], kind="stable")][:limit]
        return [(max(0.0, float(self.relevance[at])), self.hits[at][1]) for at in order.tolist()]


def demands_relevance(filters: Filters) -> bool:
    """Whether pages may be not relevant enough."""
    return filters.relevance is not None and filters.relevance > 0


def relevant(
    searcher: Searcher, hits: list[TantivyHit], filters: Filters, relevances: Relevances | None
) -> RelevantHits:
    """Those of some pages that are as relevant as the filters demand."""
    addresses = [address for _, address in hits]
    relevance = np.array(searcher.fast_field_values("relevance", addresses), np.float64)
    if relevances is not None:
        keys = np.array(searcher.fast_field_values("key", addresses), np.uint64)
        relevance = relevances.of(keys, relevance)
    least = filters.relevance or 0.0
    return RelevantHits(hits, relevance, np.flatnonzero((relevance >= least) | (least <= 0)))


def current_relevance(head: PageHead, relevances: Relevances | None) -> float | None:
    """The relevance of a page by now; None if it is not known."""
    if relevances is None:
        return head.relevance
    before = UNKNOWN if head.relevance is None else head.relevance
    now = float(relevances.of(np.array([key64(head.url)], np.uint64), np.array([before]))[0])
    return None if now == UNKNOWN else now
