"""An inquiry: configurations compared on one task, from crawls to sentences; what `lycosa lab run` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from lycosa.lab.comparison import Comparison, Way
from lycosa.lab.contract import contract
from lycosa.lab.evaluate import LIMIT, evaluate
from lycosa.lab.experiment import Tracks, run
from lycosa.lab.findings import findings
from lycosa.lab.report.crawl_graph import Crawled, crawled, telling
from lycosa.lab.report.figures import Figure
from lycosa.lab.report.page import Chapter, Statements
from lycosa.lab.report.write import write_report
from lycosa.lab.statistics.pairwise_tests import Test, tests
from lycosa.lab.statistics.standings import most_missing, rankable
from lycosa.lab.world import World
from lycosa.system.errors import Code, Refused

Watch = Callable[[str, int, int], object]
"""Called with the name of the step, how much of it is done, and the total."""


class Inquiry(Struct):
    """The results on one task."""

    comparison: Comparison
    tests: list[Test]
    """Empty if no ranking is allowed."""
    findings: list[str]
    warnings: list[str]
    tracks: Tracks
    title: str = ""
    """The title of its chapter in the report; by default made from the task."""
    figures: list[Figure] = []
    """Figures that a study adds to the report's own."""

    @property
    def ranked(self) -> bool:
        """Whether the configurations may be ranked."""
        return rankable(self.comparison)

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of contract.py."""
        return contract(self.comparison) | {
            "tests": [test.plain() for test in self.tests],
            "topics": self.comparison.topics,
            "seeds": self.comparison.dice,
            "missing_share": round(most_missing(self.comparison)[1], 6),
            "ranked": self.ranked,
            "findings": self.findings,
            "warnings": self.warnings,
        }


def inquire(
    world: World,
    ways: Sequence[Way],
    task: str,
    pages: int,
    *,
    folder: Path,
    topics: Sequence[str] | None = None,
    dice: int = 1,
    robustness: bool = False,
    capacity: int | None = None,
    processes: int | None = None,
    limit: float = LIMIT,
    watch: Watch = lambda what, done, total: None,
) -> Inquiry:
    """Crawl, measure, test and write findings; finished crawls are kept in the folder and never made again."""
    tracks = run(
        world,
        ways,
        task,
        pages,
        folder=folder,
        topics=topics,
        dice=dice,
        robustness=robustness,
        processes=processes,
        capacity=capacity,
        progress=lambda done, total, cached: watch(f"crawling from the {task}", done, total),
    )
    measured = lambda done, total: watch("measuring", done, total)  # noqa: E731
    comparison = evaluate(world, tracks, processes, measured, limit=limit)
    found = tests(comparison) if rankable(comparison) else []
    warnings = [*world.about.warnings, *tracks.warnings]
    return Inquiry(comparison, found, findings(comparison, found), warnings, tracks)


def write(
    inquiries: Sequence[Inquiry],
    world: World,
    folder: Path,
    command: str = "",
    statements: Statements | None = None,
    also: Sequence[Path] = (),
) -> Path:
    """Write the report of inquiries into the same world, with figures and tables; returns the path of the page.

    `statements` are those of the paper if this is its study, `also` their tables that are in the folder already.
    """
    chapters = [
        Chapter(each.comparison, each.tests, each.findings, _paths(each, world), each.title, each.figures)
        for each in inquiries
    ]
    warnings = list(dict.fromkeys(warning for inquiry in inquiries for warning in inquiry.warnings))
    try:
        return write_report(folder, chapters, statements=statements, warnings=warnings, command=command, also=also)
    except OSError as problem:
        raise Refused(
            f"the report cannot be written to {folder}",
            problem.strerror or str(problem),
            code=Code.UNWRITABLE,
            field="out",
        ) from None


def _paths(inquiry: Inquiry, world: World) -> list[Crawled]:
    topic, labels = telling(inquiry.comparison)
    return [crawled(label, world.topic(topic), inquiry.tracks.of(label, topic), world.corpus) for label in labels]
