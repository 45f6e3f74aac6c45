"""What a study is: a paper's experiment as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from lycosa.lab.inquiry import Inquiry
from lycosa.lab.nouns import Way
from lycosa.lab.studies.claim import Claim
from lycosa.lab.world import World


class Round(Struct, frozen=True):
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
    rounds: tuple[Round, ...]
    metrics: tuple[str, ...]
    """Those that the paper looks at, the most telling first."""
    claims: tuple[Claim, ...]
    capacity: int
    """Links a frontier holds at most."""
    dice: int = 1
    also: Callable[[World, Mapping[str, Inquiry]], None] | None = None
    """Adds a measure of its own to the comparisons, given all rounds that could be made."""
