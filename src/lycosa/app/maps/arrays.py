"""A map for programs: one array per column, small enough to send thousands of pages."""

from __future__ import annotations

from typing import Any

from lycosa.app.maps.labels import description, headline, name_of
from lycosa.app.maps.map_data import ROLES, Drawn
from lycosa.app.maps.svg import STEPS
from lycosa.core.urls import host_of

_NAME = 100
"""Characters of a name that are sent, at most."""


def to_arrays(drawn: Drawn) -> dict[str, Any]:
    """The map as arrays; a page is its index in each of them, and its URL is origin plus path."""
    sheet = drawn.sheet
    origins: dict[str, int] = {}
    origin, path = [], []
    for url in sheet.urls:
        start = url.partition("//")[0] + "//" + host_of(url)
        origin.append(origins.setdefault(start, len(origins)))
        path.append(url.removeprefix(start))
    tails, heads = sheet.lines(drawn.layout)
    return {
        "kind": sheet.kind,
        "layout": drawn.layout,
        "site": sheet.site,
        "keywords": sheet.keywords,
        "headline": headline(drawn),
        "told": description(drawn),
        "unit": drawn.unit,
        "shades": STEPS,
        "roles": list(ROLES),
        "origins": list(origins),
        "origin": origin,
        "path": path,
        "name": [name_of(url, name)[:_NAME] for url, name in zip(sheet.urls, sheet.names, strict=True)],
        "x": [round(x) for x in drawn.x.tolist()],
        "y": [round(y) for y in drawn.y.tolist()],
        "radius": [round(radius, 1) for radius in drawn.radius.tolist()],
        "shade": [round(100 * shade) for shade in sheet.shade.tolist()],
        "asked": sheet.asked,
        "relevance": [
            round(relevance, 3) if known else None
            for relevance, known in zip(sheet.relevance.tolist(), sheet.known.tolist(), strict=True)
        ],
        "hub": [round(score, 2) for score in sheet.hub.tolist()],
        "authority": [round(score, 2) for score in sheet.authority.tolist()],
        "role": [ROLES.index(role) for role in sheet.roles],
        "tails": tails.tolist(),
        "heads": heads.tolist(),
        "group": drawn.group.tolist(),
        "groups": [
            {
                "name": each.name[:_NAME],
                "pages": each.pages,
                "x": round(each.x),
                "y": round(each.y),
                "radius": round(each.radius),
            }
            for each in drawn.groups
        ],
        "guessed": sheet.guessed.nonzero()[0].tolist() if drawn.layout != "graph" else [],
    }
