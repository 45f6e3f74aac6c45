"""Tables: a row for each configuration for people and papers, and everything measured as CSV.

Stars compare with the baseline, the configuration named first: name the one to beat first. They stand for the corrected
p of the tests given (* below 0.05, ** below 0.01, *** below 0.001), so they add nothing to the list of tests; the
figures themselves show whether a starred one is better or worse than the baseline's.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from lycosa.lab.comparison import ORACLE, Comparison
from lycosa.lab.latex import escape, tabular
from lycosa.lab.metrics import METRICS
from lycosa.lab.phrasing import number
from lycosa.lab.statistics.pairwise_tests import Test
from lycosa.lab.statistics.standings import rankable
from lycosa.lab.statistics.summary import arm, at_end, axis, figures, summarise, unit

NAMED_POINTS = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
_COLUMNS = (
    ("target_recall", "Recall"),
    ("target_recall_auc", "AUC"),
    ("precision", "Precision"),
    ("harvest_rate", "Harvest rate"),
    ("oracle_share", "Oracle share"),
    ("search_length", "Search length"),
    ("relevant_hosts", "Relevant hosts"),
    ("cpu_per_page", "CPU ms/page"),
)
"""The columns of a row, with short titles."""


class Column(Struct, frozen=True):
    """A metric, at a point if it is a curve."""

    metric: str
    at: int | None
    title: str


class Cell(Struct, frozen=True):
    """A mean over topics."""

    mean: float
    error: float
    n: int
    stars: str = ""
    """How significantly it differs from the baseline's."""
    best: bool = False
    """Whether no other mean is better; none is best if configurations were measured on different topics."""


class Row(Struct, frozen=True):
    """A configuration, with a cell for each column."""

    label: str
    cells: list[Cell]


def columns(comparison: Comparison) -> list[Column]:
    """The columns that have figures: target recall at the named points and at the end, the rest at the end."""
    found = []
    for metric, title in _COLUMNS:
        end = at_end(comparison, metric)
        if not any(np.isfinite(figures(comparison, label, metric)).any() for label in comparison.arms):
            continue
        if end is not None and metric == "target_recall":
            points = [point for point in axis(comparison, metric) if point in NAMED_POINTS or point == end]
            found += [Column(metric, point, f"{title}@{point}") for point in points]
        else:
            found.append(Column(metric, end, title))
    return found


def summary_rows(comparison: Comparison, tests: Iterable[Test]) -> list[Row]:
    """The configurations as they were named, then the oracle; no stars or bests if no ranking is allowed."""
    told = columns(comparison)
    labels = [*comparison.arms, ORACLE]
    tests = list(tests) if rankable(comparison) else []
    cells = {label: [_cell(comparison, tests, label, column) for column in told] for label in labels}
    if rankable(comparison) and len(comparison.arms) > 1:
        for place, column in enumerate(told):
            for label in _best(comparison, column, {label: cells[label][place] for label in comparison.arms}):
                cells[label][place] = replace(cells[label][place], best=True)
    return [Row(label, cells[label]) for label in labels]


def _cell(comparison: Comparison, tests: Sequence[Test], label: str, column: Column) -> Cell:
    summary = summarise(figures(comparison, label, column.metric, column.at))
    baseline = next(iter(comparison.arms), "")
    p = [
        test.p_corrected
        for test in tests
        if (test.metric, test.at) == (column.metric, column.at) and {test.better, test.worse} == {label, baseline}
    ]
    return Cell(float(summary.mean), float(summary.error), int(summary.n), stars(min(p, default=math.nan)))


def _best(comparison: Comparison, column: Column, cells: dict[str, Cell]) -> list[str]:
    direction = METRICS[column.metric].better if column.metric in METRICS else "higher"
    topics = {np.isfinite(figures(comparison, label, column.metric, column.at)).tobytes() for label in cells}
    if not direction or len(topics) != 1 or not all(cell.n for cell in cells.values()):
        return []
    means = [cell.mean for cell in cells.values()]
    best = max(means) if direction == "higher" else min(means)
    return [label for label, cell in cells.items() if math.isclose(cell.mean, best, rel_tol=1e-12)]


def stars(p: float) -> str:
    """The usual marks of significance; none for nan."""
    return "*" * sum(p < level for level in (0.05, 0.01, 0.001))


def write_tables(comparison: Comparison, tests: Iterable[Test], folder: Path) -> list[Path]:
    """Write all tables as files into a folder, which is made if needed."""
    tests = list(tests)
    folder.mkdir(parents=True, exist_ok=True)
    summary = ("way", "metric", "point", "mean", "standard_error", "topics", "stars")
    return [
        _csv(folder / "curves.csv", ("way", "topic", "metric", "point", "value"), _curves(comparison)),
        _csv(folder / "values.csv", ("way", "topic", "metric", "value"), _values(comparison)),
        _csv(folder / "summary.csv", summary, _summary(comparison, tests)),
        _csv(folder / "tests.csv", _TESTS, _tests(tests)),
        _text(folder / "summary.tex", summary_tex(comparison, tests)),
        _text(folder / "tests.tex", tests_tex(tests)),
    ]


def _curves(comparison: Comparison) -> Iterator[Sequence[Any]]:
    for label in (*comparison.arms, ORACLE):
        for metric, curves in arm(comparison, label).curves.items():
            points = axis(comparison, metric)
            for topic, curve in zip(comparison.topics, curves.tolist(), strict=True):
                for point, value in zip(points, curve, strict=True):
                    yield label, topic, metric, point, value


def _values(comparison: Comparison) -> Iterator[Sequence[Any]]:
    for label in (*comparison.arms, ORACLE):
        for metric, values in arm(comparison, label).values.items():
            for topic, value in zip(comparison.topics, values.tolist(), strict=True):
                yield label, topic, metric, value


def _summary(comparison: Comparison, tests: Sequence[Test]) -> Iterator[Sequence[Any]]:
    told = columns(comparison)
    for row in summary_rows(comparison, tests):
        for column, cell in zip(told, row.cells, strict=True):
            yield row.label, column.metric, column.at, cell.mean, cell.error, cell.n, cell.stars


_TESTS = (
    *("metric", "point", "better", "worse", "difference", "interval_low", "interval_high", "p", "p_corrected"),
    *("p_wilcoxon", "significant", "effect", "wins", "ties", "losses", "topics"),
)


def _tests(tests: Iterable[Test]) -> Iterator[Sequence[Any]]:
    for test in tests:
        yield (
            *(test.metric, test.at, test.better, test.worse, test.difference, *test.interval, test.p, test.p_corrected),
            *(test.p_wilcoxon, test.significant, test.effect, test.wins, test.ties, test.losses, test.n),
        )


def _csv(path: Path, head: Sequence[str], lines: Iterable[Sequence[Any]]) -> Path:
    """Write a CSV file; numbers have all digits, nan is empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(["" if cell != cell else cell for cell in line] for line in lines)
    return path


def _text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def summary_tex(comparison: Comparison, tests: Iterable[Test]) -> str:
    """The rows of the configurations, the standard error in brackets under each mean, the best of a column bold."""
    told = columns(comparison)
    lines = []
    for row in summary_rows(comparison, tests):
        pairs = list(zip(told, row.cells, strict=True))
        lines.append([escape(row.label), *(_mean_tex(column, cell) for column, cell in pairs)])
        lines.append(["", *(_error_tex(column, cell) for column, cell in pairs)])
    notes = [
        f"{comparison.bed}, task {comparison.task}, {len(comparison.topics)} topics, {comparison.pages} pages a crawl.",
        "Means over topics, standard errors in brackets, the best of a column bold.",
        f"Stars: differs from {next(iter(comparison.arms), 'nothing')} with a corrected p below 0.05, 0.01, 0.001.",
    ]
    return tabular(["Way", *(escape(column.title) for column in told)], lines, "l" + "r" * len(told), notes)


def _mean_tex(column: Column, cell: Cell) -> str:
    mean = escape(number(cell.mean, unit(column.metric)))
    return (rf"\textbf{{{mean}}}" if cell.best else mean) + (f"$^{{{cell.stars}}}$" if cell.stars else "")


def _error_tex(column: Column, cell: Cell) -> str:
    return "" if math.isnan(cell.error) else rf"\scriptsize({escape(number(cell.error, unit(column.metric)))})"


def tests_tex(tests: Iterable[Test]) -> str:
    """The tests, with the interval of the difference and the topics won, tied and lost."""
    head = ["Metric", "Better", "Worse", "Difference", r"95\,\% interval", "$p$", "corrected", "$d_z$", "W/T/L"]
    notes = ["One-tailed paired t-tests over topics; stars: corrected p below 0.05, 0.01, 0.001."]
    return tabular(head, [_test_tex(test) for test in tests], "lllrrrrrr", notes)


def _test_tex(test: Test) -> list[str]:
    low, high = (number(end, unit(test.metric)) for end in test.interval)
    title = METRICS[test.metric].title if test.metric in METRICS else test.metric
    marks = f"$^{{{stars(test.p_corrected)}}}$" if stars(test.p_corrected) else ""
    return [
        escape(title if test.at is None else f"{title}@{test.at}"),
        *(escape(test.better), escape(test.worse), escape(number(test.difference, unit(test.metric)))),
        f"[{escape(low)}, {escape(high)}]",
        _p_tex(test.p),
        _p_tex(test.p_corrected) + marks,
        escape(number(test.effect)),
        f"{test.wins}/{test.ties}/{test.losses}",
    ]


def _p_tex(p: float) -> str:
    return "$<$0.001" if p < 0.001 else escape(number(p, "share"))
