"""The seed set of a query: what the engine answers, and the pages that link to these answers (the paper's figure 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from lycosa.index.index import Index
from lycosa.index.search_types import Question


class SeedSet(Struct, frozen=True):
    """Where the crawl for a query starts, and why there."""

    urls: tuple[str, ...]
    hits: int = 0
    """How many of them the engine answered with."""
    referrers: int = 0
    """How many are there because they link to an answer."""
    hubs: int = 0
    """How many are there because they are hubs of the query's results."""
    fallback: bool = False
    """The engine knew no answer, so these are hubs and bookmarks of the whole community."""


def seed_set(
    index: Index,
    query: str,
    *,
    n_hits: int,
    most: int = 1000,
    by: str = "hybrid",
    referrers: int = 10,
    hubs: int = 0,
    otherwise: Sequence[str] = (),
) -> SeedSet:
    """The N_HITS best answers, the best `hubs`, and the pages that link to answers, at most `referrers` for each.

    The paper takes all pages that link there; in a large collection those would be the whole crawl. There are no more
    than `most` of all of them. `otherwise` are the places to begin where there is no answer, besides the best hubs.
    """
    hits = [hit.url for hit in index.search(Question(query, by=by, limit=min(n_hits, most))).hits]
    if not hits:
        best = [hub.url for hub in index.hubs("", n_hits)[0]][:most]
        urls = tuple(dict.fromkeys((*best, *otherwise)))[: min(2 * n_hits, most)]
        return SeedSet(urls, hubs=len(best), fallback=True)
    chosen = dict.fromkeys(hits)
    best = _new((hub.url for hub in index.hubs(query, hubs)[0]), chosen)[: most - len(chosen)] if hubs else []
    chosen.update(dict.fromkeys(best))
    linking = _new((url for hit in hits for url in index.inlinks(hit, referrers)), chosen) if referrers else []
    linking = linking[: most - len(chosen)]
    return SeedSet((*chosen, *linking), len(hits), len(linking), len(best))


def overlap(one: Collection[str], other: Collection[str]) -> float:
    """How much two seed sets have in common: |A ∩ B| / |A ∪ B|, 1 for equal ones (the paper does not say how)."""
    both = len(set(one) & set(other))
    return both / (len(set(one) | set(other)) or 1)


def _new(urls: Iterable[str], known: Collection[str]) -> list[str]:
    return [url for url in dict.fromkeys(urls) if url not in known]
