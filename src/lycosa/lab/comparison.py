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


class Pace(Struct, frozen=True):
    """How fast crawls go in virtual time; by default one request after the other, without a pause."""

    workers: int = 1
    """Requests under way at the same time, at most."""
    delay: float = 0.0
    """Seconds of rest after each request to a host."""

    @property
    def timed(self) -> bool:
        """Whether workers or pauses are simulated, so that times mean something."""
        return self.workers > 1 or self.delay > 0


class Track(Struct, array_like=True):
    """What a crawl did: the pages in the order in which they were fetched."""

    pages: Ids
    via: Ids
    """For each page, the page on which its link was found; -1 for a seed."""
    relevance: Floats
    """The judge's relevance of each page during the crawl."""
    requests: Ids | None = None
    """For each page, the requests since the page before it, its own included; None if they were not counted."""
    seconds: Floats | None = None
    """For each page, when it came, in virtual seconds; None for a crawl without pauses, which has no clock."""
    asked: int = 0
    """All requests: pages, redirects, dead links, one robots.txt for each host, and pages read before the crawl."""
    missing: int = 0
    """URLs that were requested and are not in the world."""
    misses: int = 0
    """URLs that were requested and gave no page, for any reason."""
    cpu: float = 0.0
    """Seconds of processor time."""
    ended: str = ""
    drew_random: bool = True
    """Whether random numbers were drawn; if not, any random seed leads to the same track."""
    chance: Floats | None = None
    """For each page, the probability at the end that it is about the topic; None if the crawl gives none."""
    chance_then: Floats | None = None
    """The same when the page was fetched; not a number if nothing was known yet."""


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
    reliability: Floats | None = None
    """By topic and bin of probability: pages, summed probabilities, relevant pages; None without probabilities."""


class Comparison(Struct):
    """Several configurations on one task of one bed."""

    bed: str
    task: str
    pages: int
    repeats: int
    topics: list[str]
    points: list[int]
    """Numbers of fetched pages (or of requests) at which curves have values, ascending."""
    top: list[int]
    """The n of static coverage, ascending."""
    arms: dict[str, Arm]
    """By label, in the order in which they were named; without the oracle."""
    oracle: Arm
    """The ceiling: target recall by pages and by requests with their areas, requests, and harvest_rate only."""
    complete: bool = True
    """Whether a page that the world does not hold does not exist; a recording of a crawl is not complete."""
    limit: float = 0.2
    """The share of requested pages that a recording may lack for any configuration before no ranking is made."""
    subsets: int = 1
    """From how many sets of start pages each topic was hunted, averaged: all of them, then random halves."""
    pace: Pace = Pace()
    moments: list[int] = []
    """Virtual seconds at which curves over time have values, ascending; none without a clock."""
    reference: str = ""
    """The configuration that all others were tested against; empty if every pair was asked for."""
    unfollowed: tuple[int, float, int] = (0, 0.0, 0)
    """Links between the world's pages that are not followed because of nofollow: how many, their share, on how many
    pages."""

    @property
    def baseline(self) -> str:
        """The configuration that stars compare with: the reference, or the first one."""
        return self.reference or next(iter(self.arms), "")
