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
    """As it is told in sentences: «augmented seeds»."""
    task: str
    ways: tuple[Way, ...]
    """Those that are wanted, whether or not their strategies exist yet."""
    augmented: bool = False
    """Whether hubs are added to the start pages."""


class Scale(Struct, frozen=True):
    """How large the experiment is."""

    pages: int
    topics: int
    world: str
    """What was hunted in: for the paper in words, for us a world."""


class Study(Struct, frozen=True):
    """A paper's experiment."""

    name: str
    paper: str
    published: Scale
    default: Scale
    """What is run unless told otherwise: minutes instead of weeks."""
    full: Scale
    """The published size on a made web."""
    differs: str
    """One sentence about what else was otherwise in the paper."""
    statistics: str
    """How the paper tested its statements, and how they are tested here."""
    rounds: tuple[StudyRound, ...]
    metrics: tuple[str, ...]
    """Those that the paper looks at, the most telling first."""
    claims: tuple[Claim, ...]
    capacity: int
    """Links a frontier holds at most."""
    dice: int = 1
    also: Callable[[World, Mapping[str, Inquiry]], None] | None = None
    """Adds a measure of its own to the comparisons, given all rounds that could be made."""


class Experiment(Struct, frozen=True):
    """A paper's experiment that is no comparison of crawls, and so is run by itself."""

    name: str
    paper: str
    published: Scale
    default: Scale
    full: Scale
    run: Callable[..., Outcome]
    """Given a world, and by name: folder, pages, topics, weeks, processes, watch."""


class Outcome(Protocol):
    """What came out of a study of any kind."""

    study: Any
    claims: list[JudgedClaim]
    missing: list[str]
    """What the paper had and we do not."""
    warnings: list[str]
    seconds: float

    @property
    def scale(self) -> str:
        """How large the paper's experiment was, how large this one, and what else was otherwise."""
        ...

    @property
    def tables(self) -> Sequence[ReportTable]:
        """What is shown in a terminal besides the claims."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        ...

    def write(self, folder: Path, command: str = "") -> Path:
        """The report; says where the page is."""
        ...
