"""What a metric is: a formula with what a person needs to know to read its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

BUSINESS_INTELLIGENCE = "Pant & Menczer 2003, Topical Crawling for Business Intelligence"
EXPLORATION = "Pant, Srinivasan & Menczer 2002, Exploration versus Exploitation in Topic Driven Crawlers"
OURS = ""
"""No paper has it."""
CRAWLING_THE_WEB = "Pant, Srinivasan & Menczer 2004, Crawling the Web"


class Metric(Struct, frozen=True, kw_only=True):
    """One row of the table of metrics."""

    key: str
    """Its name in an Arm, in JSON and in files."""
    title: str
    """Its name for people."""
    kind: Literal["curve", "time", "coverage", "value"] = "curve"
    """A number at each point of a crawl, at each moment of it, at each n of `top`, or one number a crawl."""
    over: Literal["pages", "requests"] = "pages"
    """What the points of a curve count."""
    unit: Literal["share", "score", "rank", "pages", "requests", "hosts", "bytes", "ms", "hours", "times"]
    """A share lies between 0 and 1; a score too, but not of anything; times is a multiple of the average."""
    better: Literal["higher", "lower", ""] = "higher"
    """Nothing where more is neither good nor bad."""
    meaning: str
    """One sentence, without its full stop."""
    paper: str
    measure: Callable[..., Any]
    """(evidence, track, points) for curves, likewise with seconds or `top`; (evidence, track) for values."""
    halves: bool = False
    """Measured on two crawls instead, one from each half of the seeds: (evidence, first, second)."""
