"""An inquiry: configurations compared on one task, from crawls to sentences; what `lycosa lab run` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import ORACLE, Arm, Comparison, Configuration
from lycosa.lab.evaluate import LIMIT, MARKS, evaluate
from lycosa.lab.experiment import Tracks, run
from lycosa.lab.findings import findings
from lycosa.lab.metrics import METRICS
from lycosa.lab.phrasing import json_number
from lycosa.lab.report.chapter import Chapter, Statements
from lycosa.lab.report.crawl_graph import Crawled, crawled, telling
from lycosa.lab.report.figures import Figure
from lycosa.lab.report.write import write_report
from lycosa.lab.statistics.pairwise_tests import Test, tests
from lycosa.lab.statistics.standings import missing_share, most_missing, rankable
from lycosa.lab.statistics.summary import average
from lycosa.lab.world import World
from lycosa.system.progress import StageProgress, no_progress


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
        """The object that `lycosa lab run --json` prints."""
        return plain(self.comparison) | {
            "tests": [test.plain() for test in self.tests],
            "topics": self.comparison.topics,
            "seeds": self.comparison.repeats,
            "missing_share": round(most_missing(self.comparison)[1], 6),
            "ranked": self.ranked,
            "findings": self.findings,
            "warnings": self.warnings,
        }


def plain(comparison: Comparison) -> dict[str, Any]:
    """A comparison for JSON: means over topics, at round page numbers; null if there is no number."""
    arms = {**comparison.arms, ORACLE: comparison.oracle}
    return {
        "bed": comparison.bed,
        "task": comparison.task,
        "pages": comparison.pages,
        "strategies": {label: _plain_arm(comparison, arm) for label, arm in arms.items()},
    }


def _plain_arm(comparison: Comparison, arm: Arm) -> dict[str, Any]:
    """Every metric: one number, or numbers by pages (for coverage: by n); null if an arm has none."""
    found: dict[str, Any] = {}
    nothing = np.zeros(0)
    for metric in METRICS.values():
        if metric.kind == "value":
            found[metric.key] = json_number(average(arm.values.get(metric.key, nothing)))
        else:
            at = comparison.top if metric.kind == "coverage" else comparison.points
            table = arm.curves.get(metric.key)
            found[metric.key] = {
                str(n): json_number(average(nothing if table is None else table[:, place]))
                for place, n in enumerate(at)
                if n in MARKS or n == comparison.pages
            }
    if arm is comparison.oracle:
        found["oracle_share"] = 1.0
    return found | {"missing_share": round(missing_share(arm), 6)}


def inquire(
    world: World,
    configurations: Sequence[Configuration],
    task: str,
    pages: int,
    *,
    folder: Path,
    topics: Sequence[str] | None = None,
    repeats: int = 1,
    robustness: bool = False,
    capacity: int | None = None,
    processes: int | None = None,
    limit: float = LIMIT,
    progress: StageProgress = no_progress,
) -> Inquiry:
    """Crawl, measure, test and write findings; finished crawls are kept in the folder and never made again."""
    tracks = run(
        world,
        configurations,
        task,
        pages,
        folder=folder,
        topics=topics,
        repeats=repeats,
        robustness=robustness,
        processes=processes,
        capacity=capacity,
        progress=progress,
    )
    comparison = evaluate(world, tracks, processes, progress, limit=limit)
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
    return write_report(folder, chapters, statements=statements, warnings=warnings, command=command, also=also)


def _paths(inquiry: Inquiry, world: World) -> list[Crawled]:
    topic, labels = telling(inquiry.comparison)
    return [crawled(label, world.topic(topic), inquiry.tracks.of(label, topic), world.corpus) for label in labels]
