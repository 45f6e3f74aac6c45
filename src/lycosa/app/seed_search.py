"""Seeds from existing collections: the pages that answer the keywords best, and hubs that link to such pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, zip_longest

from msgspec import Struct

from lycosa.app.wording import counted
from lycosa.core.urls import host_of
from lycosa.index.index import Index
from lycosa.index.search_types import Hit, Question

SHARE = 4
"""At most one seed in so many is from the same host, so that a hunt starts in several places (our choice)."""


class FoundSeed(Struct, frozen=True):
    """A page to start from, and the reason for it."""

    url: str
    title: str
    reason: str
    collection: str


def seeds_in(indexes: Mapping[str, Index], keywords: str, limit: int) -> list[FoundSeed]:
    """The best seeds for keywords from several indexes: hits and hubs alternate, and so do the indexes."""
    several = [_candidates(name, index, keywords, limit) for name, index in indexes.items()]
    in_turn = (seed for turn in zip_longest(*several) for seed in turn if seed)
    return _spread(in_turn, limit)


def _candidates(name: str, index: Index, keywords: str, limit: int) -> list[FoundSeed]:
    hits = index.search(Question(keywords, limit=limit)).hits
    hubs, _ = index.hubs(keywords, limit) if hits else ([], [])
    answers = [FoundSeed(hit.url, hit.title, _says(place, hit, name), name) for place, hit in enumerate(hits, 1)]
    leads = [
        FoundSeed(hub.url, hub.title, f"a hub in {name}, links to {counted(hub.links, 'page')}", name) for hub in hubs
    ]
    return [seed for seed in chain.from_iterable(zip_longest(answers, leads)) if seed]


def _says(place: int, hit: Hit, name: str) -> str:
    if hit.fetched:
        return f"result {place} in {name}"
    most = max(hit.votes, key=hit.votes.__getitem__, default="")
    count = hit.votes.get(most, 1)
    return f"not read yet, but {counted(count, 'page')} in {name} {'says' if count == 1 else 'say'} «{most}» of it"


def _spread(seeds: Iterable[FoundSeed], limit: int) -> list[FoundSeed]:
    """Each page once, and not too many of one host unless there are no others."""
    chosen: dict[str, FoundSeed] = {}
    left: dict[str, FoundSeed] = {}
    of_host: Counter[str] = Counter()
    for seed in seeds:
        host = host_of(seed.url)
        if seed.url in chosen or len(chosen) >= limit:
            continue
        if of_host[host] * SHARE >= limit:
            left.setdefault(seed.url, seed)
            continue
        of_host[host] += 1
        chosen[seed.url] = seed
    return list(_first(chain(chosen.values(), left.values()), limit))


def _first(seeds: Iterable[FoundSeed], limit: int) -> Iterator[FoundSeed]:
    for seed, _ in zip(seeds, range(limit), strict=False):
        yield seed
