"""The map of a collection: choose what is on it, and lay it out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from lycosa.app.maps.force_layout import forces
from lycosa.app.maps.group_layout import in_groups
from lycosa.app.maps.link_groups import group_names, groups_of
from lycosa.app.maps.link_map import link_map
from lycosa.app.maps.map_data import LAYOUTS, Drawn, Floats, Group, Kind, Layout, Sheet
from lycosa.app.maps.site_map import LINKS, site_map
from lycosa.app.maps.survey import Survey, sites, survey
from lycosa.app.maps.tree_layout import radial, tidy
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.system.errors import Code, Refused, check_range

Places = Mapping[str, tuple[float, float]]
"""Positions of pages, by URL."""
MOST = 20_000
"""Pages on a map, at most."""
_DOMINATES = 0.5
"""Share of all pages from which a site dominates a collection."""
_LARGE = 60
"""Pages above which a tree is easier to read in rings."""
_GROUPED = 40
"""Pages from which a link map is divided into groups."""
_ROW, _COLUMN = 23.0, 250.0
_GAP, _RING = 15.0, 110.0
_ROOM = 58.0
"""Pixels: rows and columns of a tree, gaps and rings of a radial one, room of a page in a graph."""


def draw(
    folder: str | Path,
    *,
    kind: Kind | None = None,
    site: str = "",
    keywords: str = "",
    layout: Layout | None = None,
    limit: int = 300,
    links: int = LINKS,
) -> Drawn:
    """The map of a collection or community: of one site, or of the most important pages and their links.

    Without a kind, it is a map of the site with most pages if that has at least half of them, otherwise of the links;
    without a layout, the one that suits the map. With `keywords`, pages are shaded by how well they answer these
    instead of by their relevance.
    """
    check(kind, site, layout, limit)
    return lay_out(choose(survey(folder, keywords), kind=kind, site=site, limit=limit, links=links), layout)


def check(kind: str | None, site: str, layout: str | None, limit: int) -> None:
    """Refuse what cannot be drawn, before anything is read."""
    check_range("limit", limit, 1, MOST)
    if layout not in (None, *LAYOUTS):
        fix = f"choose one of: {', '.join(LAYOUTS)}"
        raise Refused(f"unknown layout {layout!r}", fix, code=Code.UNKNOWN_NAME, field="layout")
    if kind == "links" and site:
        problem = f"a map of links cannot be one of {site}"
        raise Refused(problem, "choose the links or a site", code=Code.CONTRADICTION, field="site")
    _check_layout(kind, layout)
    if site:
        PolitenessRules(within=(site,))


def _check_layout(kind: str | None, layout: str | None) -> None:
    if kind == "links" and layout not in (None, "graph"):
        problem = f"a map of links cannot be a {layout}"
        raise Refused(problem, "choose the layout graph, or a site", code=Code.CONTRADICTION, field="layout")


def choose(found: Survey, *, kind: Kind | None, site: str, limit: int, links: int = LINKS) -> Sheet:
    """Choose what is on the map."""
    most = sites(found)
    if not most:
        raise Refused("there are no pages yet", "let the hunt fetch some first", code=Code.EMPTY)
    if kind is None:
        dominates = most[0].pages >= _DOMINATES * sum(each.pages for each in most)
        kind = "site" if site or dominates else "links"
    return link_map(found, limit, links) if kind == "links" else site_map(found, site or most[0].host, limit)


def lay_out(sheet: Sheet, layout: Layout | None = None, before: Places | None = None) -> Drawn:
    """Compute the positions; a graph keeps pages near their positions in `before`."""
    if layout is None:
        layout = "graph" if sheet.kind == "links" else "radial" if len(sheet) > _LARGE else "tree"
    _check_layout(sheet.kind, layout)
    radius = _radius(sheet)
    if layout == "tree":
        return Drawn(sheet, layout, sheet.depth.astype(np.float64) * _COLUMN, tidy(sheet.parent) * _ROW, radius, _ROW)
    if layout == "radial":
        angle, far, gap = radial(sheet.parent, sheet.depth, _GAP, _RING)
        return Drawn(sheet, layout, far * np.cos(angle), far * np.sin(angle), radius, min(gap, _ROOM), angle)
    start = np.array([before.get(url, (np.nan, np.nan)) for url in sheet.urls]) if before else None
    if sheet.kind == "links" and len(sheet) >= _GROUPED:
        return _in_groups(sheet, radius, start)
    places = forces(sheet.tails, sheet.heads, sheet.hosts, radius, _ROOM, start)
    return Drawn(sheet, layout, places[:, 0], places[:, 1], radius, _ROOM)


def _in_groups(sheet: Sheet, radius: Floats, start: Floats | None) -> Drawn:
    groups = groups_of(len(sheet), sheet.tails, sheet.heads)
    found = in_groups(sheet.tails, sheet.heads, groups, radius, _ROOM, start)
    sizes = np.bincount(groups).tolist()
    names = group_names(groups, sheet.names, sheet.weight)
    discs = tuple(
        Group(name, pages, middle[0], middle[1], size)
        for name, pages, middle, size in zip(names, sizes, found.groups.tolist(), found.radius.tolist(), strict=True)
    )
    return Drawn(sheet, "graph", found.pages[:, 0], found.pages[:, 1], radius, _ROOM, group=groups, groups=discs)


def _radius(sheet: Sheet) -> Floats:
    """The radius of each page, in pixels."""
    least, more = (3.5, 11.0) if sheet.kind == "links" else (3.0, 6.5)
    radius = np.where(sheet.fetched, least + more * np.sqrt(sheet.weight), 2.2)
    if sheet.kind == "site":
        radius[0] = max(radius[0], 8.0)
    return radius
