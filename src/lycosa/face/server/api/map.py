"""Maps of a collection: as arrays for a program to draw, and as a picture."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response

from lycosa.app.communities import current_collection
from lycosa.app.maps.arrays import to_arrays
from lycosa.app.maps.survey import sites
from lycosa.app.maps.svg import to_svg
from lycosa.face.server.dependencies import Name, TheJobs, TheMaps
from lycosa.face.server.documented import Documented
from lycosa.store.collection import Collection

router = APIRouter(tags=["map"])

_LINES = 20_000
"""Most links on a map."""
_PICTURE = {
    # Nothing in the picture may run or be fetched, wherever it is opened.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups",
    "Content-Disposition": 'attachment; filename="map.svg"',
}


class MapCountsBody(Documented):
    """How many pages and links there are, and how many of them are on the map."""

    pages: int
    """Pages of the site or collection."""
    shown: int
    linked: int
    """URLs of the site that are linked but were not fetched."""
    linked_shown: int
    links: int
    """Links between the pages shown."""
    links_shown: int
    hosts: int


class GroupBody(Documented):
    """A group of pages of a link map that link to each other more than to others."""

    name: str
    pages: int
    x: int
    y: int
    radius: int


class Map(Documented):
    """A map: every page is a number, and each array has one entry per page; tails and heads have one entry per line."""

    kind: Literal["site", "links"]
    layout: Literal["tree", "radial", "graph"]
    site: str
    keywords: str
    """The keywords that relevance refers to."""
    asked: bool
    """Whether these are not those of the hunt: then relevance is how well a page answers them beside the best page."""
    headline: str
    told: str
    """A sentence that says what is on the map and what was left out."""
    running: bool
    """Whether a hunt is adding pages to the collection."""
    seq: int
    """The number of the last event of the hunt that is on the map."""
    counts: MapCountsBody
    unit: float
    """The usual distance between two neighbours."""
    shades: int
    """The number of distinct shades."""
    roles: list[str]
    """The roles that a page can have."""
    origins: list[str]
    origin: list[int]
    """The number of a page's origin, such as https://example.org."""
    path: list[str]
    """The rest of its URL, after the origin."""
    name: list[str]
    """Its title without the name of its site, or the end of its URL if it has none."""
    x: list[int]
    y: list[int]
    radius: list[float]
    shade: list[int]
    """How strongly a page is drawn by its relevance, in hundredths."""
    relevance: list[float | None]
    """How likely a page is on topic; null if it was not fetched or nothing is known of it yet."""
    hub: list[float]
    authority: list[float]
    role: list[int]
    """Its index in `roles`."""
    tails: list[int]
    heads: list[int]
    """Each line leads from a tail to a head: a link, or a branch of the tree."""
    group: list[int]
    """The number of a page's group; empty if the map has no groups."""
    groups: list[GroupBody]
    guessed: list[int]
    """Pages that are placed by their URL, because no path of links to them is known."""


class SiteBody(Documented):
    """A host of the collection."""

    host: str
    pages: int
    relevance: float | None
    """Mean relevance of its pages: the share of them expected to be on topic; null if not known yet."""
    best: float | None


class Sites(Documented):
    """The hosts of a collection, those with the most pages first."""

    total: int
    pages: int
    """Pages of all hosts together."""
    keywords: str
    running: bool
    sites: list[SiteBody]


Kind = Annotated[Literal["site", "links"] | None, Query(description="Left out: the site that dominates, or the links.")]
Host = Annotated[str, Query(max_length=260, description="The site to map; .host is that host and all beneath it.")]
Keywords = Annotated[str, Query(max_length=500, description="Shade pages by how well they answer these words.")]
Layout = Annotated[Literal["tree", "radial", "graph"] | None, Query(description="Left out: what suits the map.")]


def _wanted(kind: Kind = None, host: Host = "", keywords: Keywords = "", layout: Layout = None) -> dict[str, Any]:
    return {"kind": kind, "site": host, "keywords": keywords, "layout": layout}


Wanted = Annotated[dict[str, Any], Depends(_wanted)]
"""Which map is wanted, except for its size limit."""


@router.get("/collections/{name}/map")
def get_map(
    jobs: TheJobs, maps: TheMaps, name: Name, wanted: Wanted, limit: Annotated[int, Query(ge=1, le=10_000)] = 2000
) -> Map:
    """A site as a tree, or the most important pages of the collection and the links between them."""
    folder = jobs.folder(name)
    running = _is_running(folder)
    found, drawn = maps.draw(folder, **wanted, limit=limit, links=_LINES)
    # Not validated again: for thousands of entries, validation would cost more than drawing them.
    counts = MapCountsBody(**asdict(drawn.sheet.counts))
    arrays = to_arrays(drawn)
    arrays["groups"] = [GroupBody.model_construct(**each) for each in arrays["groups"]]
    return Map.model_construct(**arrays, counts=counts, running=running, seq=found.seq)


@router.get("/collections/{name}/map.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
def get_picture(
    jobs: TheJobs, maps: TheMaps, name: Name, wanted: Wanted, limit: Annotated[int, Query(ge=1, le=2000)] = 300
) -> Response:
    """The same map as a self-contained picture, to keep or to print."""
    _, drawn = maps.draw(jobs.folder(name), **wanted, limit=limit, links=6 * limit)
    return Response(to_svg(drawn), media_type="image/svg+xml", headers=_PICTURE)


@router.get("/collections/{name}/sites")
def get_sites(jobs: TheJobs, maps: TheMaps, name: Name, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Sites:
    """The hosts of a collection and how relevant they are."""
    folder = jobs.folder(name)
    running = _is_running(folder)
    found = maps.survey(folder)
    all_ = sites(found)
    some = [SiteBody(**asdict(site)) for site in all_[:limit]]
    pages = sum(site.pages for site in all_)
    return Sites(total=len(all_), pages=pages, keywords=found.keywords, running=running, sites=some)


def _is_running(folder: Path) -> bool:
    with current_collection(folder) as place, Collection.open(place) as collection:
        return collection.running()
