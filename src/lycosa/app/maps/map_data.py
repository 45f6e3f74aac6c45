"""The data of a map: its pages and lines, and where they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lycosa.core.urls import host_of

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]
Kind = Literal["site", "links"]
Layout = Literal["tree", "radial", "graph"]
Role = Literal["page", "authority", "hub", "both", "unfetched"]

ROLES: tuple[Role, ...] = ("page", "authority", "hub", "both", "unfetched")
LAYOUTS: tuple[Layout, ...] = ("tree", "radial", "graph")


@dataclass(frozen=True)
class MapCounts:
    """How many pages and links there are, and how many of them a map shows."""

    pages: int
    """Pages of the site or collection."""
    shown: int
    """Those of them that are on the map."""
    linked: int
    """URLs of the site that are linked but were not fetched; 0 in a link map."""
    linked_shown: int
    links: int
    """Links between the pages shown."""
    links_shown: int
    hosts: int
    """Different hosts among the pages shown."""


@dataclass(frozen=True)
class Sheet:
    """The pages of a map and the lines between them; all arrays have an entry for each page."""

    kind: Kind
    site: str
    """The host of a site map, as requested; empty in a link map."""
    keywords: str
    """What the relevance is about."""
    urls: list[str]
    titles: list[str]
    names: list[str]
    """The titles without what most pages of a site have in common."""
    fetched: Flags
    relevance: Floats
    """How likely a page is on topic, or how well it answers other keywords; 0 if it was not fetched or is not known."""
    known: Flags
    """Whether the relevance of a page is known."""
    asked: bool
    """Whether the relevance is how well pages answer other keywords, relative to the best page."""
    shade: Floats
    """How strongly a page is drawn, 0 to 1, by its relevance."""
    weight: Floats
    """How large a page is drawn, 0 to 1: by its relevance on a site map, as hub or authority on a link map."""
    hub: Floats
    authority: Floats
    """Scores normalised so that a typical page that has one at all has about 1 (core/hubs.py)."""
    parent: Ids
    """The parent of a page in the tree of a site; -1 for the front page and in link maps."""
    depth: Ids
    guessed: Flags
    """Whether a page has its place in the tree by its address, because no link to it is known."""
    tails: Ids
    heads: Ids
    """The links that a graph shows."""
    counts: MapCounts

    def __len__(self) -> int:
        return len(self.urls)

    @property
    def hosts(self) -> Ids:
        """The number of each page's host."""
        return host_numbers(self.urls)

    @property
    def roles(self) -> list[Role]:
        """The role of each page; a hub or an authority has a score of 1 or more."""
        return [
            _role(*page) if fetched else "unfetched"
            for fetched, *page in zip(self.fetched, self.hub, self.authority, strict=True)
        ]

    def lines(self, layout: Layout) -> tuple[Ids, Ids]:
        """Start and end of every line that a layout draws: links, or the branches of the tree."""
        if layout == "graph":
            return self.tails, self.heads
        below = np.flatnonzero(self.parent >= 0)
        return self.parent[below], below


def _role(hub: float, authority: float) -> Role:
    if hub < 1 and authority < 1:
        return "page"
    return "both" if min(hub, authority) >= 1 else "hub" if hub >= 1 else "authority"


def host_numbers(urls: Iterable[str]) -> Ids:
    """The number of the host of each URL, in the order in which hosts occur."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(host_of(url), len(numbers)) for url in urls], np.int64)


@dataclass(frozen=True)
class Group:
    """A group of pages, drawn as a disc."""

    name: str
    pages: int
    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Drawn:
    """A sheet with a position for each page."""

    sheet: Sheet
    layout: Layout
    x: Floats
    y: Floats
    radius: Floats
    unit: float
    """The usual distance between two neighbours."""
    angle: Floats = field(default_factory=lambda: np.zeros(0))
    """The direction outwards in a radial tree, in radians; empty in other layouts."""
    group: Ids = field(default_factory=lambda: np.zeros(0, np.int64))
    """The number of each page's group; empty without groups."""
    groups: tuple[Group, ...] = ()
    """Groups of pages in a link map that link to each other more than to others."""
