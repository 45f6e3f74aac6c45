"""The figures of a comparison: which plots there are, and their data. A metric without any number has no plot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import ORACLE, Comparison, Floats
from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.calibration import error_of, reliability
from lycosa.lab.phrasing import number
from lycosa.lab.report.colours import GREY, colour, dash
from lycosa.lab.report.panels import NAMED, SMALL, Line, Panel, reach
from lycosa.lab.statistics.difficulty import difficulties
from lycosa.lab.statistics.summary import axis, summarise

TRAJECTORIES = (
    *("target_recall", "target_recall_requests", "target_recall_hours"),
    *("precision", "harvest_rate", "harvest_window", "relevant_hosts"),
)
IMPORTANCE = tuple(key for key in METRICS if key.startswith("relevance_"))
STATIC_DYNAMIC = ("coverage_lexical", "rank_lexical", "coverage_linkage", "rank_linkage")
"""Static on the left, dynamic on the right; lexical above, linkage below."""
MULTIPLES = 24
"""Most topics that have their own plot."""
FAR = 2.5
"""An oracle this many times as high as all configurations is cut off, or their lines could not be read."""

EXACT = "exactly right"
"""The line of perfect calibration."""

Numbers = dict[str, int]
"""The number of each line in the whole report, by its label; it decides colour and dashes."""


def line_numbers(labels: Iterable[str]) -> Numbers:
    """A number for each label."""
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


class Figure(Struct):
    """Plots that belong together, under the name of their file."""

    name: str
    title: str
    caption: str
    panels: list[Panel]
    columns: int = 2


def figures(comparison: Comparison, numbers: Numbers) -> list[Figure]:
    """Every figure of a comparison that has something to show, in the order of the report."""
    mean = f"the mean over {len(comparison.topics):,} topics" if len(comparison.topics) > 1 else "one topic"
    banded = len(comparison.topics) > 1 and len(comparison.arms) < NAMED
    spread = f"{mean} with ±1 standard error" if banded else mean
    found = [
        Figure(
            "trajectories",
            "Trajectories",
            f"While the crawls go on: {spread}.",
            _curves(comparison, TRAJECTORIES, numbers),
        ),
        Figure(
            "importance",
            "Average relevance by six measures",
            f"The mean importance of the pages fetched so far, by each of the six measures of importance: {spread}.",
            _curves(comparison, IMPORTANCE, numbers),
        ),
        Figure(
            "static-dynamic",
            "Static and dynamic evaluation",
            "Left, static: how much of the best n pages of the pool a whole crawl holds. Right, dynamic: the mean rank "
            "of the pages fetched so far, where lower is better. Above, pages are ranked by their similarity to the "
            f"description (lexical); below, by keywords and PageRank (linkage). Lines are {spread}.",
            _curves(comparison, STATIC_DYNAMIC, numbers),
        ),
        reliability_figure(comparison, numbers),
        multiples(comparison, numbers),
    ]
    return [figure for figure in found if figure.panels]


def reliability_figure(comparison: Comparison, numbers: Numbers) -> Figure:
    """How often pages are relevant, by the probability that they were given; a plot for each configuration."""
    panels = []
    for label, arm in comparison.arms.items():
        if arm.reliability is None:
            continue
        sums = arm.reliability.sum(axis=0)
        said, seen, pages = (each[sums[:, 0] > 0] for each in reliability(sums))
        error = np.sqrt(seen * (1 - seen) / pages)
        exact = Line(EXACT, GREY, [1, 0], said, np.full(said.shape, np.nan))
        panels.append(
            Panel(
                label,
                said.tolist(),
                [exact, _line(label, numbers, seen, error)],
                x_title="probability",
                note=f"calibration error {number(error_of(sums), 'score')}, {int(pages.sum()):,} pages",
                unit=True,
                unit_x=True,
            )
        )
    caption = (
        "The share of relevant pages among those with about the same probability, in ten bins of equal width, over all "
        "topics together, with ±1 standard error; on the grey line, probabilities are exactly right. The calibration "
        "error is the mean distance from that line, weighted by pages. Pages that the crawl was told to be relevant do "
        "not count."
    )
    return Figure("reliability", "Reliability of the probabilities", caption, panels)


def multiples(comparison: Comparison, numbers: Numbers, limit: int = MULTIPLES) -> Figure:
    """Target recall on single topics, the hardest first; of many topics an even selection from hardest to easiest."""
    order = [each.topic for each in difficulties(comparison)]
    shown = [order[place] for place in evenly(len(order), limit)]
    rows = [comparison.topics.index(topic) for topic in shown]
    panels = [panel for row in rows if (panel := _topic_panel(comparison, row, numbers))]
    some = f"{len(panels)} of {len(order):,} topics, taken evenly" if len(panels) < len(order) else "All topics,"
    caption = (
        f"{some} from the hardest to the easiest by what the ways lost against the oracle. Target recall over pages."
    )
    return Figure("topics", "Target recall, topic by topic", caption, panels, columns=6)


def evenly(count: int, limit: int) -> list[int]:
    """Up to `limit` evenly spaced indices of a list, from its first to its last."""
    return list(range(count)) if count <= limit else np.linspace(0, count - 1, limit).round().astype(int).tolist()


def curve_panel(comparison: Comparison, metric: str, numbers: Numbers) -> Panel | None:
    """A metric over pages (or n): mean over topics of each configuration that has it, after the oracle's, in grey."""
    arms = {ORACLE: comparison.oracle} | comparison.arms
    tables = {label: arm.curves[metric] for label, arm in arms.items() if metric in arm.curves}
    lines = [line for line in _mean_lines(tables, numbers) if np.isfinite(line.y).any()]
    if not any(line.label != ORACLE for line in lines):
        return None
    told, static = METRICS[metric], metric.startswith("coverage")
    x, x_title = _x(comparison, metric)
    note, cut = "lower is better" if told.better == "lower" else "", ""
    ceilings = [reach(line)[1] for line in lines if line.label == ORACLE]
    if ceilings and ceilings[0] > FAR * max(reach(line)[1] for line in lines if line.label != ORACLE):
        note, cut = f"the oracle reaches {number(float(np.nanmax(lines[0].y)), told.unit)}", ORACLE
    return Panel(
        told.title,
        x,
        lines,
        x_title=x_title,
        note=note,
        logarithmic=static and x[-1] > 10 * x[0],
        zero=told.unit != "rank",
        cut=cut,
    )


def _x(comparison: Comparison, metric: str) -> tuple[Sequence[float], str]:
    """The values of the x axis of a metric's plot, and what they are."""
    told, places = METRICS[metric], axis(comparison, metric)
    if told.kind == "time":
        size, unit = (3600, "hours") if places[-1] >= 2 * 3600 else (60, "minutes")
        return [place / size for place in places], unit
    return (
        places,
        "n best pages"
        if told.kind == "coverage"
        else f"{told.over} {'made' if told.over == 'requests' else 'fetched'}",
    )


def mean_panel(title: str, x: Sequence[float], tables: Mapping[str, Floats], numbers: Numbers, **options: Any) -> Panel:
    """A line for each table: the mean over its rows."""
    return Panel(title, x, _mean_lines(tables, numbers), **options)


def _mean_lines(tables: Mapping[str, Floats], numbers: Numbers) -> list[Line]:
    found = {label: summarise(table) for label, table in tables.items()}
    return [_line(label, numbers, each.mean, each.error) for label, each in found.items()]


def _curves(comparison: Comparison, metrics: tuple[str, ...], numbers: Numbers) -> list[Panel]:
    return [panel for metric in metrics if (panel := curve_panel(comparison, metric, numbers))]


def _topic_panel(comparison: Comparison, row: int, numbers: Numbers) -> Panel | None:
    arms = {ORACLE: comparison.oracle} | comparison.arms
    curves = {label: arm.curves["target_recall"][row] for label, arm in arms.items() if "target_recall" in arm.curves}
    lines = [_line(label, numbers, y, np.full(y.shape, np.nan)) for label, y in curves.items() if np.isfinite(y).any()]
    if not lines:
        return None
    return Panel(comparison.topics[row], comparison.points, lines, unit=True, size=SMALL)


def _line(label: str, numbers: Numbers, y: Floats, error: Floats) -> Line:
    if label == ORACLE:
        return Line(label, GREY, [1, 0], y, error)
    return Line(label, colour(numbers[label]), dash(numbers[label]), y, error)
