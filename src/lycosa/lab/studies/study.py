"""What a study is: a paper's experiment as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from lycosa.lab.comparison import Way
from lycosa.lab.inquiry import Inquiry, Watch
from lycosa.lab.report.study_report import ReportTable
from lycosa.lab.studies.claim import Claim, JudgedClaim
from lycosa.lab.world import World

__all__ = ["Experiment", "Outcome", "Scale", "Study", "StudyRound", "Watch"]


class StudyRound(Struct, frozen=True):
    """One comparison of a study."""

    name: str
    """Its name within a sentence, such as "augmented seeds"."""
    task: str
    ways: tuple[Way, ...]
    """The configurations, whether or not their strategies exist."""
    augmented: bool = False
    """Whether hubs are added to the start pages."""


class Scale(Struct, frozen=True):
    """How large the experiment is."""

    pages: int
    topics: int
    world: str
    """The web that was crawled: for the paper in words, for us a world."""


class Study(Struct, frozen=True):
    """A paper's experiment."""

    name: str
    paper: str
    published: Scale
    default: Scale
    """The default size, which takes minutes instead of weeks."""
    full: Scale
    """The published size on a made web."""
    differs: str
    """One sentence about what else was different in the paper."""
    statistics: str
    """How the paper tested its statements, and how they are tested here."""
    rounds: tuple[StudyRound, ...]
    metrics: tuple[str, ...]
    """The metrics that the paper uses, the most telling first."""
    claims: tuple[Claim, ...]
    capacity: int
    """Most links that a frontier holds."""
    dice: int = 1
    also: Callable[[World, Mapping[str, Inquiry]], None] | None = None
    """Adds the study's own measure to the comparisons of all rounds that could be run."""


class Experiment(Struct, frozen=True):
    """A paper's experiment that is not a comparison of crawls, and so has its own `run`."""

    name: str
    paper: str
    published: Scale
    default: Scale
    full: Scale
    run: Callable[..., Outcome]
    """Called with a world and the keywords folder, pages, topics, weeks, processes, watch."""


class Outcome(Protocol):
    """The result of a study of any kind."""

    study: Any
    claims: list[JudgedClaim]
    missing: list[str]
    """What the paper had and we do not."""
    warnings: list[str]
    seconds: float

    @property
    def scale(self) -> str:
        """The sizes of the paper's experiment and of this one, and what else differs."""
        ...

    @property
    def tables(self) -> Sequence[ReportTable]:
        """What is shown in a terminal besides the claims."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        ...

    def write(self, folder: Path, command: str = "") -> Path:
        """Write the report; returns the path of the page."""
        ...
