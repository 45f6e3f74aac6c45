"""What the questions of insight are answered with: plain dataclasses, the same for every face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lycosa.app.option_docs import SAID


class Described:
    """What is said under the fields goes into the OpenAPI document."""

    __pydantic_config__: ClassVar = SAID


@dataclass(frozen=True)
class WaitingLink(Described):
    """A link that waits to be followed."""

    url: str
    host: str
    score: float
    lane: str
    """The queue it waits in; of InfoSpiders, whose it is."""
    via: str | None
    """The page on which it was found; None for a seed."""
    anchor: str | None
    """Its words, where they could be read quickly."""


@dataclass(frozen=True)
class FrontierView(Described):
    """The best links that wait."""

    ready: bool
    """False while the crawl is still being read: ask again."""
    seq: int
    """The last event of the log that it knows of."""
    queued: int
    """How many wait in all."""
    links: list[WaitingLink]


@dataclass(frozen=True)
class Host(Described):
    """What a host has given."""

    host: str
    pages: int
    relevance: float
    """The mean of its pages."""
    best: float
    misses: int


@dataclass(frozen=True)
class Hosts(Described):
    """The hosts with most pages."""

    seq: int
    total: int
    hosts: list[Host]


@dataclass(frozen=True)
class MissReason(Described):
    """Why pages could not be had, and which ones lately."""

    reason: str
    problem: str
    """The same in plain words."""
    count: int
    """Those that are not asked for again."""
    again: int
    """How often something was asked for again."""
    examples: list[str]
    meaning: str = ""
    """The reason in a sentence, where it needs one."""
    fix: str = ""
    """What can be done about it."""


@dataclass(frozen=True)
class Misses(Described):
    """The pages that could not be had, by reason."""

    seq: int
    total: int
    reasons: list[MissReason]


@dataclass(frozen=True)
class HarvestCurve(Described):
    """How good the pages were up to one of them."""

    pages: int
    at: float
    mean: float
    """Mean relevance of all."""
    recent: float
    """Mean relevance of the last ones, as many as the window holds."""


@dataclass(frozen=True)
class Recall(Described):
    """How many relevant pages there may be, as it was estimated then."""

    pages: int
    at: float
    found: int
    total: float
    low: float
    high: float
    threshold: float
    """The relevance from which a page counts as relevant."""


@dataclass(frozen=True)
class Curve(Described):
    """How a crawl went."""

    seq: int
    pages: int
    window: int
    harvest: list[HarvestCurve]
    recall: list[Recall]


@dataclass(frozen=True)
class Keyword(Described):
    """A word an agent looks for, and how much its net makes of it near a link."""

    word: str
    weight: float


@dataclass(frozen=True)
class Moment(Described):
    """When and where something happened to a spider."""

    page: int
    """The number of the page in the crawl, from 1; 0 where that is not known."""
    url: str
    at: float


@dataclass(frozen=True)
class Spider(Described):
    """An agent of InfoSpiders, alive or dead."""

    number: int
    parent: int | None
    alive: bool
    energy: float
    keywords: list[Keyword]
    pages: int
    relevance: float
    """The mean of its pages."""
    born: Moment
    died: Moment | None = None
    why: str = ""
    """What it died of."""


@dataclass(frozen=True)
class Spiders(Described):
    """The family of agents."""

    ready: bool
    """False while the crawl is still being read: ask again."""
    seq: int
    pages: int
    """Pages of the whole crawl."""
    born: int
    """How many there ever were; those that died long ago are not listed."""
    theta: float
    """The energy with which one has offspring."""
    spiders: list[Spider]


@dataclass(frozen=True)
class Step(Described):
    """A page on a spider's path."""

    seq: int
    page: int
    """Its number in the crawl, from 1."""
    url: str
    title: str
    host: str
    relevance: float
    at: float


@dataclass(frozen=True)
class SpiderPath(Described):
    """A spider and the pages it went through, the last ones where there are many."""

    spider: Spider
    left_out: int
    path: list[Step]


@dataclass(frozen=True)
class PathNode(Described):
    """A page in the tree of paths."""

    seq: int
    parent: int | None
    """The `seq` of the page by whose link it was fetched; None for a seed."""
    url: str
    title: str
    host: str
    relevance: float
    at: float
    hidden: int
    """How many pages below it are left out."""


@dataclass(frozen=True)
class Paths(Described):
    """The tree of paths, parents before children."""

    seq: int
    pages: int
    threshold: float | None
    """The relevance from which a page counts as relevant, where that is known."""
    left_out: int
    """Pages that are not in it, those below its nodes included."""
    nodes: list[PathNode]
