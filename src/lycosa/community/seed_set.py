"""The seed set of a query: the search results, and the pages that link to them (the paper's figure 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from lycosa.index.index import Index
from lycosa.index.search_types import Question

PARTS = 4
"""Hubs, and pages that link to results, have one of so many parts of the places, however many results there are."""


class SeedSet(Struct, frozen=True):
    """The start pages of a query's crawl, and where they come from."""

    urls: tuple[str, ...]
    hits: int = 0
    """How many of them are search results."""
    referrers: int = 0
    """How many of them link to a result."""
    hubs: int = 0
    """How many of them are hubs of the query's results."""
    fallback: bool = False
    """Whether there was no result, so that these are hubs and bookmarks of the whole community."""


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
    """The N_HITS best results, the best `hubs`, and the pages that link to results, at most `referrers` for each.

    The paper takes all pages that link to results; in a large collection those would be the whole crawl. The set has at
    most `most` pages; hubs and linking pages have a quarter of the places each if they need them, the results the rest.
    `otherwise` are the start pages, besides the best hubs, if there is no result.
    """
    hits = [hit.url for hit in index.search(Question(query, by=by, limit=min(n_hits, most), verbatim=True)).hits]
    if not hits:
        best = [hub.url for hub in index.hubs("", n_hits)[0]][:most]
        urls = tuple(dict.fromkeys((*best, *otherwise)))[: min(2 * n_hits, most)]
        return SeedSet(urls, hubs=len(best), fallback=True)
    part = most // PARTS
    best = _new((hub.url for hub in index.hubs(query, hubs)[0]), hits) if hubs else []
    linking = _new((url for hit in hits for url in index.inlinks(hit, referrers)), {*hits, *best}) if referrers else []
    hits = hits[: most - min(len(best), part) - min(len(linking), part)]
    best = best[: most - len(hits) - min(len(linking), part)]
    linking = linking[: most - len(hits) - len(best)]
    return SeedSet((*hits, *best, *linking), len(hits), len(linking), len(best))


def overlap(one: Collection[str], other: Collection[str]) -> float:
    """How much two seed sets have in common: |A ∩ B| / |A ∪ B|, 1 for equal ones (the paper does not say how)."""
    both = len(set(one) & set(other))
    return both / (len(set(one) | set(other)) or 1)


def _new(urls: Iterable[str], known: Collection[str]) -> list[str]:
    return [url for url in dict.fromkeys(urls) if url not in known]
