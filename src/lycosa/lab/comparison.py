"""The laboratory's nouns: a way of hunting, one crawl of it, the track it left, and what many tracks amount to."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Ids = NDArray[np.int32]
"""Pages of a corpus by number."""
Floats = NDArray[np.float64]

ORACLE = "oracle"
"""The crawler that knows how far every page is from the nearest target: the ceiling, and no strategy."""


class Way(Struct, frozen=True):
    """A way of hunting that is compared with others."""

    label: str
    """As the user typed it, such as `best-n-first:n=16`: the name in every table."""
    strategy: str
    """A name, `module:Class`, or ORACLE."""
    settings: dict[str, Any] = {}
    judge: str = "cosine"
    judge_settings: dict[str, Any] = {}
    after: str = ""
    """The label of the way whose crawl it follows: it starts from the best hubs there, and may learn from its pages."""


class Track(Struct):
    """What a crawl did: the pages in the order in which they were fetched."""

    pages: Ids
    via: Ids
    """For each page the page on which its link was found; -1 for a seed."""
    relevance: Floats
    """As the judge saw each page during the crawl."""
    missing: int = 0
    """URLs that were asked for and are not in the world."""
    misses: int = 0
    """URLs that were asked for and brought no page, whatever the reason."""
    cpu: float = 0.0
    """Seconds of processor time."""
    ended: str = ""
    threw: bool = True
    """Whether dice were thrown; if not, any others would have led to the same track."""


class Arm(Struct):
    """What one way of hunting achieved on a task, topic by topic; several dice are averaged before."""

    way: Way
    curves: dict[str, Floats]
    """By metric: one row a topic, one column a point (for coverage: a column for each n of `top`)."""
    values: dict[str, Floats]
    """By metric: one number a topic; nan where there is none."""
    wanted: int = 0
    """URLs that its crawls asked for."""
    missing: int = 0
    """Those that the world does not hold."""


class Comparison(Struct):
    """Several ways of hunting on one task of one bed."""

    bed: str
    task: str
    pages: int
    dice: int
    topics: list[str]
    points: list[int]
    """Numbers of fetched pages at which curves are told, rising."""
    top: list[int]
    """The n of static coverage, rising."""
    arms: dict[str, Arm]
    """By label, in the order in which they were named; without the oracle."""
    oracle: Arm
    """The ceiling: target_recall, target_recall_auc and harvest_rate only."""
    complete: bool = True
    """Whether what the world does not hold does not exist; a recording of a crawl is not complete."""
    limit: float = 0.2
    """The share of its wanted pages that a recording may lack for any way before no ranking is made."""
