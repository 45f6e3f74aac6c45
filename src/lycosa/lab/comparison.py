"""The laboratory's nouns: a configuration, the track of one of its crawls, and the comparison of many tracks."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Ids = NDArray[np.int32]
"""Pages of a corpus by number."""
Floats = NDArray[np.float64]

ORACLE = "oracle"
"""The crawler that knows how far every page is from the nearest target: the ceiling, not a strategy."""


class Configuration(Struct, frozen=True):
    """A strategy, a judge and their options, to be compared with others."""

    label: str
    """As the user typed it, such as `best-n-first:n=16`: the name in every table."""
    strategy: str
    """A name, `module:Class`, or ORACLE."""
    settings: dict[str, Any] = {}
    judge: str = "cosine"
    judge_settings: dict[str, Any] = {}
    after: str = ""
    """The label of the configuration whose crawl it follows: it starts from that crawl's best hubs, and may learn from
    its pages."""


class Track(Struct, array_like=True):
    """What a crawl did: the pages in the order in which they were fetched."""

    pages: Ids
    via: Ids
    """For each page, the page on which its link was found; -1 for a seed."""
    relevance: Floats
    """The judge's relevance of each page during the crawl."""
    missing: int = 0
    """URLs that were requested and are not in the world."""
    misses: int = 0
    """URLs that were requested and gave no page, for any reason."""
    cpu: float = 0.0
    """Seconds of processor time."""
    ended: str = ""
    drew_random: bool = True
    """Whether random numbers were drawn; if not, any random seed leads to the same track."""


class Arm(Struct):
    """The results of one configuration on a task, by topic; repetitions with other random seeds are averaged."""

    configuration: Configuration
    curves: dict[str, Floats]
    """By metric: a row for each topic, a column for each point (for coverage: for each n of `top`)."""
    values: dict[str, Floats]
    """By metric: a number for each topic; nan if there is none."""
    wanted: int = 0
    """URLs that its crawls requested."""
    missing: int = 0
    """Those that the world does not hold."""


class Comparison(Struct):
    """Several configurations on one task of one bed."""

    bed: str
    task: str
    pages: int
    repeats: int
    topics: list[str]
    points: list[int]
    """Numbers of fetched pages at which curves have values, ascending."""
    top: list[int]
    """The n of static coverage, ascending."""
    arms: dict[str, Arm]
    """By label, in the order in which they were named; without the oracle."""
    oracle: Arm
    """The ceiling: target_recall, target_recall_auc and harvest_rate only."""
    complete: bool = True
    """Whether a page that the world does not hold does not exist; a recording of a crawl is not complete."""
    limit: float = 0.2
    """The share of requested pages that a recording may lack for any configuration before no ranking is made."""
