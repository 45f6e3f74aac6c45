"""An inquiry: configurations compared on one task, from crawls to sentences; what `lycosa lab run` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import ORACLE, Arm, Comparison, Configuration, Pace
from lycosa.lab.evaluate import LIMIT, MARKS, evaluate
from lycosa.lab.experiment import Tracks, run
from lycosa.lab.findings import findings
from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.calibration import error_of, reliability
from lycosa.lab.metrics.hours import HOUR
from lycosa.lab.metrics.metric import Metric
from lycosa.lab.phrasing import json_number
from lycosa.lab.report.chapter import Chapter, Statements
from lycosa.lab.report.crawl_graph import Crawled, crawled, telling
from lycosa.lab.report.figures import Figure
from lycosa.lab.report.write import write_report
from lycosa.lab.statistics.pairwise_tests import Test, tests
from lycosa.lab.statistics.standings import missing_share, most_missing, rankable
from lycosa.lab.statistics.summary import average, axis
from lycosa.lab.world import World
from lycosa.system.errors import Code, Refused
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
    metrics: list[Metric] = []
    """Metrics that a study adds to those of all comparisons."""

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
            "subsets": self.comparison.subsets,
            "workers": self.comparison.pace.workers,
            "delay": self.comparison.pace.delay,
            "reference": self.comparison.reference or None,
            "nofollow": dict(zip(("links", "share", "pages"), self.comparison.unfollowed, strict=True)),
            "missing_share": round(most_missing(self.comparison)[1], 6),
            "ranked": self.ranked,
            "findings": self.findings,
            "warnings": self.warnings,
        }


def plain(comparison: Comparison) -> dict[str, Any]:
    """A comparison for JSON: means over topics and the figures of each topic; null if there is no number."""
    arms = {**comparison.arms, ORACLE: comparison.oracle}
    everything = slice(None)
    return {
        "bed": comparison.bed,
        "task": comparison.task,
        "pages": comparison.pages,
        "strategies": {
            label: _plain_arm(comparison, arm, everything)
            | {"reliability": _plain_reliability(arm), "missing_share": round(missing_share(arm), 6)}
            for label, arm in arms.items()
        },
        "by_topic": {
            topic: {label: _plain_arm(comparison, arm, slice(row, row + 1)) for label, arm in arms.items()}
            for row, topic in enumerate(comparison.topics)
        },
    }


def _plain_arm(comparison: Comparison, arm: Arm, topics: slice) -> dict[str, Any]:
    """Every metric as a mean over some topics: one number, or numbers by pages, requests, hours or n."""
    found: dict[str, Any] = {}
    nothing = np.zeros(0)
    for metric in METRICS.values():
        if metric.kind == "value":
            found[metric.key] = json_number(average(arm.values.get(metric.key, nothing)[topics]))
        else:
            table = arm.curves.get(metric.key)
            found[metric.key] = {
                name: json_number(average(nothing if table is None else table[topics, place]))
                for name, place in _named_points(comparison, metric)
            }
    if arm is comparison.oracle:
        found |= {"oracle_share": 1.0, "oracle_share_requests": 1.0}
    return found


def _plain_reliability(arm: Arm) -> dict[str, Any] | None:
    """The reliability diagram over all topics together, with its calibration error; None without probabilities."""
    if arm.reliability is None:
        return None
    sums = arm.reliability.sum(axis=0)
    bins = zip(*(each.tolist() for each in reliability(sums)), strict=True)
    return {
        "calibration_error": json_number(error_of(sums)),
        "bins": [{"said": json_number(said), "seen": json_number(seen), "pages": int(n)} for said, seen, n in bins],
    }


def _named_points(comparison: Comparison, metric: Metric) -> list[tuple[str, int]]:
    """The points of a curve that JSON has, with their columns: round numbers and the last, or tenths of the time."""
    columns = axis(comparison, metric.key)
    if metric.kind == "time":
        places = sorted({len(columns) * tenth // 10 - 1 for tenth in range(1, 11)} - {-1})
        return [(f"{columns[place] / HOUR:.6g}", place) for place in places]
    return [(str(n), place) for place, n in enumerate(columns) if n in MARKS or n == comparison.pages]


def inquire(
    world: World,
    configurations: Sequence[Configuration],
    task: str,
    pages: int,
    *,
    folder: Path,
    topics: Sequence[str] | None = None,
    repeats: int = 1,
    subsets: int = 1,
    robustness: bool = False,
    capacity: int | None = None,
    pace: Pace = Pace(),  # noqa: B008 frozen
    reference: str = "",
    processes: int | None = None,
    limit: float = LIMIT,
    progress: StageProgress = no_progress,
) -> Inquiry:
    """Crawl, measure, test and write findings; finished crawls are kept in the folder and never made again.

    `reference` is the label of the configuration that all others are tested against; without it, every pair is tested.
    """
    if reference and reference not in {each.label for each in configurations}:
        raise Refused(
            f"the reference {reference} is not among the configurations",
            f"choose one of: {', '.join(each.label for each in configurations)}",
            code=Code.UNKNOWN_NAME,
            field="reference",
        )
    tracks = run(
        world,
        configurations,
        task,
        pages,
        folder=folder,
        topics=topics,
        repeats=repeats,
        subsets=subsets,
        robustness=robustness,
        processes=processes,
        capacity=capacity,
        pace=pace,
        progress=progress,
    )
    comparison = evaluate(world, tracks, processes, progress, limit=limit)
    # A reference that cannot hunt on this task was left out.
    comparison.reference = reference if reference in comparison.arms else ""
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
        Chapter(each.comparison, each.tests, each.findings, _paths(each, world), each.title, each.figures, each.metrics)
        for each in inquiries
    ]
    warnings = list(dict.fromkeys(warning for inquiry in inquiries for warning in inquiry.warnings))
    return write_report(folder, chapters, statements=statements, warnings=warnings, command=command, also=also)


def _paths(inquiry: Inquiry, world: World) -> list[Crawled]:
    topic, labels = telling(inquiry.comparison)
    return [crawled(label, world.topic(topic), inquiry.tracks.of(label, topic), world.corpus) for label in labels]
