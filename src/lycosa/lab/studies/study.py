"""What a study is: a paper's experiment as data, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from lycosa.lab.comparison import Configuration
from lycosa.lab.inquiry import Inquiry
from lycosa.lab.report.chapter import Statements
from lycosa.lab.report.study_report import ReportTable
from lycosa.lab.report.write import writing
from lycosa.lab.studies.claim import Claim, JudgedClaim
from lycosa.lab.studies.table import statements_of, write_claims
from lycosa.lab.world import World
from lycosa.web.source_names import is_made


class StudyRound(Struct, frozen=True):
    """One comparison of a study."""

    name: str
    """Its name within a sentence, such as "augmented seeds"."""
    task: str
    configurations: tuple[Configuration, ...]
    """The configurations, whether or not their strategies exist."""
    augmented: bool = False
    """Whether hubs are added to the start pages."""


class Scale(Struct, frozen=True):
    """How large the experiment is."""

    pages: int
    topics: int
    world: str
    """The web that was crawled: for the paper in words, for us a world."""


class Experiment(Struct, frozen=True, kw_only=True):
    """A paper's experiment; one that is not a comparison of crawls has its own `run`."""

    name: str
    paper: str
    published: Scale
    default: Scale
    """The default size, which takes minutes instead of weeks."""
    full: Scale
    """The published size on a made web."""
    differs: str
    """What else was different in the paper."""
    statistics: str
    """How the paper tested its statements, and how they are tested here."""
    run: Callable[..., StudyOutcome] | None = None
    """Called with a world and the keywords folder, pages, topics, weeks, processes, progress."""


class Study(Experiment, frozen=True, kw_only=True):
    """A paper's experiment that compares crawls."""

    rounds: tuple[StudyRound, ...]
    metrics: tuple[str, ...]
    """The metrics that the paper uses, the most telling first."""
    claims: tuple[Claim, ...]
    capacity: int
    """Most links that a frontier holds."""
    repeats: int = 1
    also: Callable[[World, Mapping[str, Inquiry]], None] | None = None
    """Adds the study's own measure to the comparisons of all rounds that could be run."""


class StudyOutcome(Struct, kw_only=True):
    """The result of a study of any kind."""

    study: Experiment
    world: World
    pages: int
    claims: list[JudgedClaim]
    missing: list[str] = []
    """What the paper had and we do not."""
    warnings: list[str]
    seconds: float

    @property
    def scale(self) -> str:
        """The sizes of the paper's experiment and of this one, and what else differs."""
        raise NotImplementedError

    @property
    def where(self) -> str:
        """The world within a sentence."""
        return f"a made web ({self.world.name})" if is_made(self.world.text) else self.world.name

    @property
    def tables(self) -> Sequence[ReportTable]:
        """What is shown in a terminal besides the claims; usually the report has it all."""
        return ()

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        verdicts = [judged.verdict for judged in self.claims]
        return {
            "study": self.study.name,
            "paper": self.study.paper,
            "bed": self.world.name,
            "pages": self.pages,
            "scale": self.scale,
            "statistics": self.study.statistics,
            "claims": [judged.plain() for judged in self.claims],
            "verdicts": {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)},
            "missing": self.missing,
            "warnings": self.warnings,
            "seconds": round(self.seconds, 1),
        }

    def write(self, folder: Path, command: str = "") -> Path:
        """Write the report, with the claims as tables; returns the path of the page."""
        study, rows = self.study, statements_of(self.claims)
        statements = Statements(study.paper, self.scale, rows, self.missing, study.statistics)
        with writing(folder):
            claims = write_claims(self.claims, folder / "tables", study.statistics)
            return self._write(folder, command, statements, claims)

    def _write(self, folder: Path, command: str, statements: Statements, claims: list[Path]) -> Path:
        """Write everything but the tables of the claims."""
        raise NotImplementedError
