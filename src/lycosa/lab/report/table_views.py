"""The tables of the page, as rows of plain text and numbers for the template."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import ORACLE, Comparison, Floats
from lycosa.lab.metrics import METRICS
from lycosa.lab.phrasing import number
from lycosa.lab.statistics.difficulty import difficulties
from lycosa.lab.statistics.pairwise_tests import Test
from lycosa.lab.statistics.standings import letter_display, rankable
from lycosa.lab.statistics.summary import at_end, figures, higher_is_better, summarise

WHOLE = ("target_recall_auc", "oracle_share", "search_length", "robustness")
AT_END = ("precision", "harvest_rate", "relevant_hosts")
COST = ("pages", "bytes", "cpu_per_page")


class ViewCell(Struct):
    """A mean over topics as it is shown."""

    text: str = ""
    error: str = ""
    letters: str = ""
    best: bool = False


class ViewColumn(Struct):
    """A column of a table: a metric, for a curve at a point."""

    metric: str
    at: int | None
    heading: str


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
    columns: list[ViewColumn]
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
    recall = [ViewColumn("target_recall", at, f"{at:,}") for at in marks(comparison.points)]
    whole, last = (
        [ViewColumn(metric, at_end(comparison, metric), METRICS[metric].title) for metric in metrics]
        for metrics in (WHOLE, AT_END)
    )
    groups = {
        "Target recall after … pages": recall,
        "The whole crawl": whole,
        f"After {comparison.points[-1]:,} pages": last,
    }
    return _table(comparison, groups, tests)


def cost_table(comparison: Comparison) -> ViewTable:
    """The cost of each configuration; cheap is not best, so nothing is marked."""
    columns = [ViewColumn(metric, at_end(comparison, metric), _with_unit(metric)) for metric in COST]
    return _table(comparison, {"": columns}, (), marked=False)


def pairs(tests: Sequence[Test]) -> list[tuple[str, list[tuple[Test, dict[str, str], Whisker | None]]]]:
    """The tests by metric, each with its figures as they are shown."""
    groups: dict[str, list[Test]] = {}
    for test in tests:
        at = f" after {test.at:,} pages" if test.at is not None else ""
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
    comparison: Comparison, groups: dict[str, list[ViewColumn]], tests: Sequence[Test], *, marked: bool = True
) -> ViewTable:
    kept = {heading: [each for each in columns if _known(comparison, each)] for heading, columns in groups.items()}
    columns = [column for some in kept.values() for column in some]
    cells = [_cells(comparison, column, tests if marked else (), marked) for column in columns]
    rows = [
        ViewRow(label, [column[label] for column in cells], _recall_whisker(comparison, label))
        for label in (*comparison.arms, *([ORACLE] if marked else []))
        if any(_known(comparison, column, label) for column in columns)
    ]
    return ViewTable([(heading, len(some)) for heading, some in kept.items() if some], columns, rows)


def _known(comparison: Comparison, column: ViewColumn, *labels: str) -> bool:
    """Whether there is any figure."""
    return any(np.isfinite(_figures(comparison, label, column)).any() for label in labels or comparison.arms)


def _figures(comparison: Comparison, label: str, column: ViewColumn) -> Floats:
    return figures(comparison, label, column.metric, column.at)


def _cells(comparison: Comparison, column: ViewColumn, tests: Sequence[Test], marked: bool) -> dict[str, ViewCell]:
    """A column's cells by configuration; the oracle is never marked, and nothing is if no ranking is allowed."""
    summaries = {label: summarise(_figures(comparison, label, column)) for label in (*comparison.arms, ORACLE)}
    found = {label: _cell(column, float(summary.mean), float(summary.error)) for label, summary in summaries.items()}
    sign = -1 if higher_is_better(column.metric) else 1
    order = sorted(comparison.arms, key=lambda label: sign * float(summaries[label].mean))
    # Means over different topics cannot be compared: some may be of easier ones.
    alike = len({np.isfinite(_figures(comparison, label, column)).tobytes() for label in order}) == 1
    if not (marked and alike and len(order) > 1 and rankable(comparison)):
        return found
    letters = _letters(order, [test for test in tests if (test.metric, test.at) == (column.metric, column.at)])
    for label in order:
        found[label].letters = letters.get(label, "")
        found[label].best = bool(summaries[label].mean == summaries[order[0]].mean)
    return found


def _cell(column: ViewColumn, mean: float, error: float) -> ViewCell:
    unit = METRICS[column.metric].unit
    spread = f"±{_number(error, unit) if error else 0}" if math.isfinite(error) else ""
    return ViewCell(_number(mean, unit), spread)


def _letters(order: list[str], tests: Sequence[Test]) -> dict[str, str]:
    """A letter for each group of configurations that do not differ significantly; none unless every pair was tested."""
    made = {frozenset((test.better, test.worse)) for test in tests if math.isfinite(test.p)}
    if len(made) < math.comb(len(order), 2):
        return {}
    return letter_display(order, [frozenset((test.better, test.worse)) for test in tests if test.significant])


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
