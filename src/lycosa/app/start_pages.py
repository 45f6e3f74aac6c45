"""Where a hunt begins: at the pages that a person gave, and at those that sources find for its keywords."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from lycosa.app.answers.page import FoundSeeds
from lycosa.app.federated import Opening
from lycosa.app.index_pool import open_index
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.seeds import FindRequest
from lycosa.app.seed_finding import LIMIT, SeedSource, find_seeds, sources_of
from lycosa.core.urls import host_of
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions

DELAY = 1.0
"""Seconds between two requests to a host, where pages are read for a preview."""


def found_for_hunt(
    request: HuntRequest,
    asked: Sequence[str],
    http: HttpOptions,
    recorded: str,
    inside: Callable[[str], bool],
    *,
    collection: Callable[[str], Path] = Path,
    only_named: bool = False,
) -> FoundSeeds:
    """What the sources of a hunt find for its keywords, within its scope; Refused if it is nothing at all.

    `asked` are the sources by name, besides the collections of the request.
    """
    sources = sources_of(asked, request.finders, http, only_named=only_named)
    if request.seeds_from:
        sources.append(_collections({name: collection(name) for name in request.seeds_from}))
    found = _find(request.keywords, sources, LIMIT, request.find_queries, http, recorded, inside)
    if not found.seeds and not (request.seeds or request.seeds_file or request.begin_at):
        raise _nothing(found)
    return found


def preview(
    request: FindRequest,
    http: HttpOptions | None = None,
    folders: Mapping[str, Path] | None = None,
    opening: Opening = open_index,
    *,
    only_named: bool = False,
) -> FoundSeeds:
    """What sources find for some words, before a hunt; `folders` are the collections to search, by name."""
    from lycosa.app.search import by_name

    if http is None:
        http = HttpOptions(
            proxy=request.proxy,
            ca=request.ca,
            allow=tuple(request.allow),
            resolve=dict(request.resolve),
            contact=request.contact,
        )
        folders = by_name(request.collections) if request.collections else {}
    find = request.find or (() if request.collections else tuple(request.finders))
    sources = sources_of(find, request.finders, http, only_named=only_named)
    if folders:
        sources.append(_collections(folders, opening))
    if not sources:
        raise no_source()
    http = replace(http, delay=max(DELAY, http.delay))
    return _find(request.keywords, sources, request.limit, request.find_queries, http, "", lambda url: True)


def no_source() -> Refused:
    """The error where no source of seeds is named."""
    fix = "name one, such as searxng:url=https://search.example.org"
    return Refused("no source of seeds", fix, code=Code.MISSING, field="find")


def _find(
    keywords: str,
    sources: Sequence[SeedSource],
    limit: int,
    queries: int,
    http: HttpOptions,
    recorded: str,
    inside: Callable[[str], bool],
) -> FoundSeeds:
    from lycosa.app.first_looks import reading
    from lycosa.web.address_guard import AddressGuard

    guard = AddressGuard((*http.allow, *http.resolve))
    free = bool(recorded) or "*" in http.resolve

    def keep(url: str) -> bool:
        # Strangers chose these addresses, so those that would be refused are left out.
        return inside(url) and (free or not guard.refuses_host(host_of(url)))

    return find_seeds(keywords, sources, limit=limit, queries=queries, read=reading(http, recorded), keep=keep)


def _collections(folders: Mapping[str, Path], opening: Opening = open_index) -> SeedSource:
    from lycosa.app.finders.collection import OwnCollections

    finder = OwnCollections()
    finder.folders, finder.opening = folders, opening
    return SeedSource(finder.label, finder)


def _nothing(found: FoundSeeds) -> Refused:
    places = ", ".join(found.asked)
    why = f" ({'; '.join(found.remarks)})" if found.remarks else ""
    fix = "give a seed of your own, or other words"
    return Refused(f"nothing about these keywords was found by {places}{why}", fix, code=Code.EMPTY, field="keywords")
