"""The results of insight: plain dataclasses, the same for every face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lycosa.app.option_docs import SAID


class Described:
    """Base of dataclasses whose field docstrings go into the OpenAPI document."""

    __pydantic_config__: ClassVar = SAID


@dataclass(frozen=True)
class WaitingLink(Described):
    """A link that waits to be fetched."""

    url: str
    host: str
    score: float
    lane: str
    """The lane it waits in; with InfoSpiders, the agent it belongs to."""
    via: str | None
    """The page on which it was found; None for a seed."""
    anchor: str | None
    """Its anchor text, if that could be read quickly."""


@dataclass(frozen=True)
class FrontierView(Described):
    """The best waiting links."""

    ready: bool
    """False while the crawl is still being read: ask again."""
    seq: int
    """The number of the last event that is included."""
    queued: int
    """How many links wait in all."""
    links: list[WaitingLink]


@dataclass(frozen=True)
class Host(Described):
    """The pages and misses of a host."""

    host: str
    pages: int
    relevance: float | None
    """The mean relevance of its pages: the share of them expected to be on topic; None if not known yet."""
    best: float | None
    misses: int


@dataclass(frozen=True)
class Hosts(Described):
    """The hosts with most pages."""

    seq: int
    total: int
    hosts: list[Host]


@dataclass(frozen=True)
class MissReason(Described):
    """A reason why pages could not be fetched, and the latest examples."""

    reason: str
    problem: str
    """The same in plain words."""
    count: int
    """Misses that are final: the URL is not tried again."""
    again: int
    """Misses after which the URL was tried again."""
    examples: list[str]
    meaning: str = ""
    """The reason in a sentence, if it needs one."""
    fix: str = ""
    """What can be done about it."""


@dataclass(frozen=True)
class Misses(Described):
    """The pages that could not be fetched, by reason."""

    seq: int
    total: int
    reasons: list[MissReason]


@dataclass(frozen=True)
class HarvestCurve(Described):
    """The harvest up to one page of the crawl."""

    pages: int
    at: float
    mean: float | None
    """Mean relevance of all pages so far, as judged by now: the share of them expected to be on topic."""
    recent: float | None
    """The same of the last `window` pages; None if not known yet."""


@dataclass(frozen=True)
class Recall(Described):
    """How many relevant pages there may be, as estimated at that time."""

    pages: int
    at: float
    found: int
    total: float
    low: float
    """`low` and `high` are a 90 % interval of the total."""
    high: float
    threshold: float | None
    """The relevance, a probability, from which a page counts as relevant; null if each counts as it is likely."""


@dataclass(frozen=True)
class Curve(Described):
    """Harvest and estimated recall over a crawl."""

    seq: int
    pages: int
    window: int
    known: int
    """Pages of which it is known how likely they are on topic."""
    harvest: list[HarvestCurve]
    recall: list[Recall]


@dataclass(frozen=True)
class Keyword(Described):
    """A word that an agent looks for, and its weight near a link in the agent's neural net."""

    word: str
    weight: float


@dataclass(frozen=True)
class Moment(Described):
    """When and where something happened to a spider."""

    page: int
    """The number of the page in the crawl, from 1; 0 if unknown."""
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
    relevance: float | None
    """The mean relevance of its pages: the share of them expected to be on topic; None if not known yet."""
    born: Moment
    died: Moment | None = None
    why: str = ""
    """What it died of."""


@dataclass(frozen=True)
class Spiders(Described):
    """The agents of an InfoSpiders crawl."""

    ready: bool
    """False while the crawl is still being read: ask again."""
    seq: int
    pages: int
    """Pages of the whole crawl."""
    born: int
    """How many were ever born; those that died long ago are not listed."""
    theta: float
    """The energy at which an agent has offspring."""
    spiders: list[Spider]


@dataclass(frozen=True)
class FetchedPage(Described):
    """A page of the crawl."""

    seq: int
    url: str
    title: str
    host: str
    relevance: float | None
    """How likely it is on topic, from 0 to 1; None while nothing is known."""
    at: float


@dataclass(frozen=True)
class Step(FetchedPage):
    """A page on a spider's path."""

    page: int
    """Its number in the crawl, from 1."""


@dataclass(frozen=True)
class SpiderPath(Described):
    """A spider and the pages it went through; only the last ones if there are many."""

    spider: Spider
    left_out: int
    path: list[Step]


@dataclass(frozen=True)
class PathNode(FetchedPage):
    """A page in the tree of paths."""

    parent: int | None
    """The `seq` of the page by whose link it was fetched; None for a seed."""
    hidden: int
    """How many pages below it are left out."""


@dataclass(frozen=True)
class Paths(Described):
    """The tree of paths, parents before children."""

    seq: int
    pages: int
    threshold: float | None
    """The relevance, a probability, from which a page counts as relevant, if known."""
    left_out: int
    """Pages that are not in the tree, including those below its nodes."""
    nodes: list[PathNode]
