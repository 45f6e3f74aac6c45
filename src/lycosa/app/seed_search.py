"""Seeds from existing collections: the pages that answer the keywords best, and hubs that link to such pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from lycosa.app.rank_fusion import spread
from lycosa.app.wording import counted
from lycosa.index.index import Index
from lycosa.index.search import search_all
from lycosa.index.search_types import Hit, Question


class FoundSeed(Struct, frozen=True):
    """A page to start from, and the reason for it."""

    url: str
    title: str
    reason: str
    collection: str
    """The collection that it is from; empty if it is from elsewhere."""
    sources: tuple[str, ...] = ()
    """Every source that named it, best first."""


def seeds_in(indexes: Mapping[str, Index], keywords: str, limit: int) -> list[FoundSeed]:
    """The best seeds for keywords from several indexes, searched as one: each hit, and after it a hub of its index.

    So an index has as many hubs among the seeds as it has hits, and one that is about something else has none.
    """
    return spread(_in_order(indexes, keywords, limit), limit)


def _in_order(indexes: Mapping[str, Index], keywords: str, limit: int) -> Iterator[FoundSeed]:
    names = list(indexes)
    joint = search_all(list(indexes.values()), Question(keywords, limit=limit, verbatim=True))
    hubs: dict[str, Iterator[FoundSeed]] = {}
    for place, hit in enumerate(joint.answer.hits, 1):
        name = names[(joint.homes.get(hit.url) or (0,))[0]]
        yield FoundSeed(hit.url, hit.title, _says(place, hit, name), name)
        if name not in hubs:
            hubs[name] = _hubs(name, indexes[name], keywords, limit)
        if hub := next(hubs[name], None):
            yield hub


def _hubs(name: str, index: Index, keywords: str, limit: int) -> Iterator[FoundSeed]:
    for hub in index.hubs(keywords, limit)[0]:
        yield FoundSeed(hub.url, hub.title, f"a hub in {name}, links to {counted(hub.links, 'page')}", name)


def _says(place: int, hit: Hit, name: str) -> str:
    if hit.fetched:
        return f"result {place} in {name}"
    most = max(hit.votes, key=hit.votes.__getitem__, default="")
    count = hit.votes.get(most, 1)
    return f"not read yet, but {counted(count, 'page')} in {name} {'says' if count == 1 else 'say'} «{most}» of it"
