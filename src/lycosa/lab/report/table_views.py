"""The tables of the page, as rows of plain text and numbers for the template."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import ORACLE, Comparison
from lycosa.lab.metrics import METRICS
from lycosa.lab.phrasing import number
from lycosa.lab.statistics.difficulty import difficulties
from lycosa.lab.statistics.pairwise_tests import Test
from lycosa.lab.statistics.standings import rankable
from lycosa.lab.statistics.summary import at_end, figures, point, summarise
from lycosa.lab.tables import Cell, Column, cells_of, has_figures

WHOLE = ("target_recall_auc", "oracle_share", "search_length", "robustness", "calibration_error", "brier_score")
REQUESTS = ("target_recall_requests", "target_recall_requests_auc", "oracle_share_requests")
HOURS = ("target_recall_hours_auc",)
AT_END = ("precision", "harvest_rate", "relevant_hosts")
COST = ("pages", "requests", "hours", "bytes", "cpu_per_page")


class ViewCell(Struct):
    """A mean over topics as it is shown."""

    text: str = ""
    error: str = ""
    letters: str = ""
    best: bool = False


class Whisker(Struct):
    """A small interval with its mean as a dot, in percent of the width; `marked` is the oracle's or zero's position."""

    low: float
    middle: float
    high: float
    mark: float | None


class ViewRow(Struct):
    """A configuration in a table."""

    label: str
    cells: list[ViewCell]
    whisker: Whisker | None = None


class ViewTable(Struct):
    """Configurations by columns; groups head several columns each."""

    groups: list[tuple[str, int]]
    columns: list[Column]
    rows: list[ViewRow]

    @property
    def letters(self) -> int:
        """The letters of the longest cell."""
        return max((len(cell.letters) for row in self.rows for cell in row.cells), default=0)


def marks(points: Sequence[int], count: int = 4) -> list[int]:
    """The last few round numbers of pages at which curves have values, and the end."""
    round_ = [point for point in points if point in {n * 10**power for power in range(8) for n in (1, 2, 5)}]
    return sorted({*round_, points[-1]})[-count:]


def main_table(comparison: Comparison, tests: Sequence[Test]) -> ViewTable:
    """The results of each configuration, the oracle last; columns without any number are left out."""
    recall = [Column("target_recall", at, f"{at:,}") for at in marks(comparison.points)]
    whole, requests, hours, last = (
        [Column(metric, at_end(comparison, metric), METRICS[metric].title) for metric in metrics]
        for metrics in (WHOLE, REQUESTS, HOURS, AT_END)
    )
    groups = {
        "Target recall after … pages": recall,
        "The whole crawl": whole,
        f"The first {comparison.points[-1]:,} requests, dead links counted": requests,
        "While all crawls ran": hours,
        f"After {comparison.points[-1]:,} pages": last,
    }
    return _table(comparison, groups, tests)


def cost_table(comparison: Comparison) -> ViewTable:
    """The cost of each configuration; cheap is not best, so nothing is marked."""
    columns = [Column(metric, at_end(comparison, metric), _with_unit(metric)) for metric in COST]
    return _table(comparison, {"": columns}, (), marked=False)


def pairs(tests: Sequence[Test]) -> list[tuple[str, list[tuple[Test, dict[str, str], Whisker | None]]]]:
    """The tests by metric, each with its figures as they are shown."""
    groups: dict[str, list[Test]] = {}
    for test in tests:
        at = f" {point(test.metric, test.at)}" if test.at is not None else ""
        groups.setdefault(f"{METRICS[test.metric].title}{at}", []).append(test)
    return [(title, [(test, _told(test), _interval(test, some)) for test in some]) for title, some in groups.items()]


def wins(comparison: Comparison, tests: Sequence[Test]) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Wins, ties and losses of each configuration against each other, on target recall or the metric tested first."""
    metrics = list(dict.fromkeys(test.metric for test in tests))
    metric = "target_recall" if "target_recall" in metrics else next(iter(metrics), "")
    found: dict[tuple[str, str], tuple[int, int, int]] = {}
    for test in tests:
        if test.metric == metric and {test.better, test.worse} <= comparison.arms.keys():
            found[test.better, test.worse] = test.wins, test.ties, test.losses
            found[test.worse, test.better] = test.losses, test.ties, test.wins
    return found


def topic_rows(comparison: Comparison) -> list[tuple[str, str, list[ViewCell]]]:
    """Final target recall on each topic, the hardest first: name, difficulty, cells of configurations and oracle."""
    ends = [figures(comparison, label, "target_recall") for label in (*comparison.arms, ORACLE)]
    rows = []
    for each in difficulties(comparison):
        values = [float(end[comparison.topics.index(each.topic)]) for end in ends]
        known = [value for value in values[:-1] if math.isfinite(value)]
        best = max(known, default=math.inf) if rankable(comparison) else math.inf
        cells = [
            ViewCell(number(value, "share"), best=nth < len(ends) - 1 and value == best)
            for nth, value in enumerate(values)
        ]
        rows.append((each.topic, number(each.difficulty, "share"), cells))
    return rows


def _table(
    comparison: Comparison, groups: dict[str, list[Column]], tests: Sequence[Test], *, marked: bool = True
) -> ViewTable:
    kept = {
        heading: [each for each in columns if has_figures(comparison, each.metric)]
        for heading, columns in groups.items()
    }
    columns = [column for some in kept.values() for column in some]
    cells = [cells_of(comparison, column, tests) for column in columns]
    rows = [
        ViewRow(
            label,
            [_cell(column, found[label], marked) for column, found in zip(columns, cells, strict=True)],
            _recall_whisker(comparison, label),
        )
        for label in (*comparison.arms, *([ORACLE] if marked else []))
        if any(has_figures(comparison, column.metric, label) for column in columns)
    ]
    return ViewTable([(heading, len(some)) for heading, some in kept.items() if some], columns, rows)


def _cell(column: Column, cell: Cell, marked: bool) -> ViewCell:
    unit = METRICS[column.metric].unit
    spread = f"±{_number(cell.error, unit) if cell.error else 0}" if math.isfinite(cell.error) else ""
    return ViewCell(_number(cell.mean, unit), spread, cell.letters, cell.best and marked)


def _recall_whisker(comparison: Comparison, label: str) -> Whisker | None:
    summary, ceiling = (summarise(figures(comparison, label, "target_recall")) for label in (label, ORACLE))
    mean, error, top = float(summary.mean), float(np.nan_to_num(summary.error)), float(ceiling.mean)
    if not math.isfinite(mean):
        return None
    mark = 100 * top if math.isfinite(top) else None
    return Whisker(100 * max(0.0, mean - error), 100 * mean, 100 * min(1.0, mean + error), mark)


def _interval(test: Test, group: Sequence[Test]) -> Whisker | None:
    """A difference with its interval, on one scale for all tests of a group, with zero marked."""
    ends = [end for each in group for end in (each.difference, *each.interval, 0.0) if math.isfinite(end)]
    low, high = min(ends), max(ends)
    if high <= low or not math.isfinite(sum(test.interval)):
        return None
    places = [100 * (value - low) / (high - low) for value in (*test.interval, test.difference, 0.0)]
    return Whisker(low=places[0], middle=places[2], high=places[1], mark=places[3])


def _told(test: Test) -> dict[str, str]:
    unit = METRICS[test.metric].unit
    low, high = (_number(end, unit) for end in test.interval)
    return {
        "difference": _number(test.difference, unit),
        "interval": f"{low} to {high}" if math.isfinite(sum(test.interval)) else low,
        "p": _p(test.p),
        "p_corrected": _p(test.p_corrected),
        "effect": number(test.effect),
        "record": f"{test.wins}–{test.ties}–{test.losses}",
    }


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else number(value, "share")


def _number(value: float, unit: str) -> str:
    return number(value / 1e6) if unit == "bytes" else number(value, unit)


def _with_unit(metric: str) -> str:
    unit = {"bytes": " (MB)", "ms": " (ms)"}.get(METRICS[metric].unit, "")
    return f"{METRICS[metric].title.replace('Bytes', 'Data')}{unit}"
