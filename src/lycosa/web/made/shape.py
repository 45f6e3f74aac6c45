"""The shape of a made web: which kinds of sites there are, how each kind links, and what counts as found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lycosa.web.made.site_plan import MadePage, SitePlan

Dice = Callable[[], float]


class Out(NamedTuple):
    """A link: to which page, and where on its page it stands."""

    to: int
    place: str
    """nav, body (in a sentence), list (with a description), aside (advertisements and the like), comment."""


Rule = Callable[["SitePlan", "MadePage", Dice], list[Out]]
"""The links of a page of some kind, but for its navigation."""


class Shape(NamedTuple):
    """What one made web has and another has not; all else they have in common."""

    name: str
    community: tuple[str, ...]
    """What the k-th largest site of a topic is, over and over again; the first six hold every kind."""
    noise: tuple[str, ...]
    """The same beside the topics; one of them is a portal."""
    rules: Mapping[str, Rule]
    listed: tuple[str, ...]
    """Which sites of a topic portals list."""
    length: float = 1.0
    """How long pages are, as a multiple of the wished size."""
    blurb: int = 2
    """How often the description of a link has its topic's keywords: often (3), sometimes, seldom, never (0)."""
    named_by_topic: bool = True
    """Whether half of the sites have a keyword in their names; else these have a thing of their field."""
    catalogued: bool = False
    """Whether topics are a directory's categories: companies' home pages, and what editors say of them."""
