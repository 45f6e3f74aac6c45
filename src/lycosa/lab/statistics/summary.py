"""Mean and standard error over topics, of a configuration's figures at a point or of its whole curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lycosa.lab.comparison import ORACLE, Arm, Comparison, Floats
from lycosa.lab.metrics import METRICS
from lycosa.lab.phrasing import counted, duration


class Summary(Struct, frozen=True):
    """Statistics over the topics that have a figure: arrays with an entry for each column, or 0-d for one column."""

    mean: Floats
    error: Floats
    """The standard error of the mean, s / sqrt(n); nan for fewer than two topics."""
    n: NDArray[np.int64]


def summarise(figures: Floats) -> Summary:
    """Over the rows: mean, standard error and how many topics were measured (nan and infinity are not)."""
    known = np.isfinite(figures)
    n = known.sum(axis=0)
    mean = _divide(np.where(known, figures, 0.0).sum(axis=0), n)
    squares = np.where(known, np.where(known, figures, 0.0) - mean, 0.0) ** 2
    error = np.sqrt(_divide(_divide(squares.sum(axis=0), n - 1), n))
    return Summary(mean, error, n)


def _divide(above: Any, below: Any) -> Floats:
    quotient = np.full(np.shape(above), np.nan)
    np.divide(above, below, out=quotient, where=np.asarray(below) > 0)
    return quotient


def average(figures: Floats) -> float:
    """The mean over the topics that were measured; nan if none was."""
    known = figures[np.isfinite(figures)]
    return float(known.mean()) if known.size else float("nan")


def is_constant(sample: Floats) -> bool:
    """Whether all entries are the same except for rounding."""
    return sample.size == 0 or bool(np.ptp(sample) <= 1e-12 * max(1.0, float(np.abs(sample).max())))


def arm(comparison: Comparison, label: str) -> Arm:
    """A configuration's results by its label; the oracle's by its name."""
    return comparison.oracle if label == ORACLE else comparison.arms[label]


def axis(comparison: Comparison, metric: str) -> list[int]:
    """What the columns of a metric's curves stand for: fetched pages or requests, seconds, or the n of coverage."""
    kind = METRICS[metric].kind if metric in METRICS else "curve"
    return {"coverage": comparison.top, "time": comparison.moments}.get(kind, comparison.points)


def point(metric: str, at: int) -> str:
    """A point of a metric's curves within a sentence: «after 1,000 requests», «for n = 50»."""
    found = METRICS.get(metric)
    if found and found.kind == "coverage":
        return f"for n = {at:,}"
    if found and found.kind == "time":
        return f"after {duration(at)}"
    return f"after {counted(at, (found.over if found else 'pages').removesuffix('s'))}"


def at_end(comparison: Comparison, metric: str) -> int | None:
    """The last point of a metric's curve; None for a metric with one number for each topic."""
    return axis(comparison, metric)[-1] if any(metric in each.curves for each in comparison.arms.values()) else None


def figures(comparison: Comparison, label: str, metric: str, at: int | None = None) -> Floats:
    """A configuration's figure for each topic: its value, or its curve at a point (default: the last); nan if none."""
    results = arm(comparison, label)
    if metric in results.curves:
        columns = axis(comparison, metric)
        return results.curves[metric][:, -1 if at is None else columns.index(at)]
    return results.values.get(metric, np.full(len(comparison.topics), np.nan))


def higher_is_better(metric: str) -> bool:
    """Whether high figures are good; ranks, search length and costs are better the lower they are."""
    return metric not in METRICS or METRICS[metric].better != "lower"


def unit(metric: str) -> str:
    """What a metric's figures are: a share, pages, hosts, ..."""
    return METRICS[metric].unit if metric in METRICS else "share"
