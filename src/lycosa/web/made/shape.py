"""The shape of a made web: which kinds of sites there are, how each kind links, and which pages are targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lycosa.web.made.links import PageLinks

RandomFloats = Callable[[], float]
"""Returns the next random number from 0 to 1."""


class MadeLink(NamedTuple):
    """A link: the page to which it leads, and its place on its own page."""

    to: int
    place: str
    """nav, body (in a sentence), list (with a description), aside (advertisements and the like), comment."""


Rule = Callable[["PageLinks"], list[MadeLink]]
"""A function that returns the links of a page of some kind, without its navigation."""


class Shape(NamedTuple):
    """What differs between kinds of made webs; they have everything else in common."""

    name: str
    community: tuple[str, ...]
    """The kind of the k-th largest site of a topic, repeated cyclically; the first six contain every kind."""
    noise: tuple[str, ...]
    """The same for the noise; one of them is a portal."""
    rules: Mapping[str, Rule]
    listed: tuple[str, ...]
    """Which sites of a topic portals list."""
    length: float = 1.0
    """The length of pages, as a multiple of the requested size."""
    blurb: int = 2
    """How often the description of a link has its topic's keywords: often (3), sometimes (2), seldom (1), never (0)."""
    named_by_topic: bool = True
    """Whether half of the sites have a keyword in their names; else a thing of their field."""
    catalogued: bool = False
    """Whether topics are a directory's categories: companies' home pages, and the editors' descriptions of them."""
