"""Tables: a row for each configuration for people and papers, and everything measured as CSV.

Stars compare with the baseline: the reference of the comparison, or the configuration named first. They stand for the
corrected p of the tests given (* below 0.05, ** below 0.01, *** below 0.001), so they add nothing to the list of tests;
the figures themselves show whether a starred one is better or worse than the baseline's.
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
from lycosa.lab.statistics.standings import letter_display, rankable
from lycosa.lab.statistics.summary import arm, at_end, axis, figures, summarise, unit

NAMED_POINTS = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
_COLUMNS = (
    ("target_recall", "Recall"),
    ("target_recall_auc", "AUC"),
    ("precision", "Precision"),
    ("harvest_rate", "Harvest rate"),
    ("oracle_share", "Oracle share"),
    ("target_recall_requests_auc", "AUC by requests"),
    ("oracle_share_requests", "Oracle share by requests"),
    ("target_recall_hours_auc", "AUC by time"),
    ("search_length", "Search length"),
    ("relevant_hosts", "Relevant hosts"),
    ("calibration_error", "Calibration error"),
    ("brier_score", "Brier score"),
    ("requests", "Requests"),
    ("hours", "Hours"),
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
    letters: str = ""
    """Two configurations share a letter if they do not differ significantly; none unless every pair was tested."""
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
        if end is not None and metric == "target_recall":
            points = [point for point in axis(comparison, metric) if point in NAMED_POINTS or point == end]
            found += [Column(metric, point, f"{title}@{point}") for point in points]
        else:
            found.append(Column(metric, end, title))
    return [column for column in found if has_figures(comparison, column.metric)]


def has_figures(comparison: Comparison, metric: str, *labels: str) -> bool:
    """Whether any of these configurations (by default any at all) has a figure on any topic."""
    return any(np.isfinite(figures(comparison, label, metric)).any() for label in labels or comparison.arms)


def summary_rows(comparison: Comparison, tests: Sequence[Test]) -> list[Row]:
    """The configurations as they were named, then the oracle; nothing is marked if no ranking is allowed."""
    cells = [cells_of(comparison, column, tests) for column in columns(comparison)]
    return [Row(label, [column[label] for column in cells]) for label in (*comparison.arms, ORACLE)]


def cells_of(comparison: Comparison, column: Column, tests: Sequence[Test]) -> dict[str, Cell]:
    """A column's cells by configuration, the oracle's last; the oracle is never marked."""
    values = {label: figures(comparison, label, column.metric, column.at) for label in (*comparison.arms, ORACLE)}
    summaries = {label: summarise(each) for label, each in values.items()}
    cells = {label: Cell(float(each.mean), float(each.error), int(each.n)) for label, each in summaries.items()}
    if not rankable(comparison):
        return cells
    own = [test for test in tests if (test.metric, test.at) == (column.metric, column.at)]
    baseline = comparison.baseline
    for label in comparison.arms:
        p = [test.p_corrected for test in own if {test.better, test.worse} == {label, baseline}]
        cells[label] = replace(cells[label], stars=stars(min(p, default=math.nan)))
    # Means over different topics cannot be compared: some may be of easier ones.
    alike = len({np.isfinite(values[label]).tobytes() for label in comparison.arms}) == 1
    direction = METRICS[column.metric].better if column.metric in METRICS else "higher"
    if direction and alike and len(comparison.arms) > 1 and cells[baseline].n:
        order = sorted(comparison.arms, key=lambda label: cells[label].mean, reverse=direction == "higher")
        letters = _letters(order, own)
        for label in order:
            best = math.isclose(cells[label].mean, cells[order[0]].mean, rel_tol=1e-12)
            cells[label] = replace(cells[label], best=best, letters=letters.get(label, ""))
    return cells


def _letters(order: list[str], tests: Sequence[Test]) -> dict[str, str]:
    made = {frozenset((test.better, test.worse)) for test in tests if math.isfinite(test.p)}
    if len(made) < math.comb(len(order), 2):
        return {}
    return letter_display(order, [frozenset((test.better, test.worse)) for test in tests if test.significant])


def stars(p: float) -> str:
    """The usual marks of significance; none for nan."""
    return "*" * sum(p < level for level in (0.05, 0.01, 0.001))


def write_tables(comparison: Comparison, tests: Iterable[Test], folder: Path) -> list[Path]:
    """Write all tables as files into a folder, which is made if needed."""
    tests = list(tests)
    summary = ("way", "metric", "point", "mean", "standard_error", "topics", "stars")
    return [
        write_csv(folder / "curves.csv", ("way", "topic", "metric", "point", "value"), _curves(comparison)),
        write_csv(folder / "values.csv", ("way", "topic", "metric", "value"), _values(comparison)),
        write_csv(folder / "summary.csv", summary, _summary(comparison, tests)),
        write_csv(folder / "tests.csv", _TESTS, _tests(tests)),
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


def write_csv(path: Path, head: Sequence[str], lines: Iterable[Sequence[Any]]) -> Path:
    """Write a CSV file into a folder, which is made if needed; numbers have all digits, nan is empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(["" if cell != cell else cell for cell in line] for line in lines)
    return path


def _text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def summary_tex(comparison: Comparison, tests: Sequence[Test]) -> str:
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
        f"Stars: differs from {comparison.baseline or 'nothing'} with a corrected p below 0.05, 0.01, 0.001.",
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
