"""Curves that cross: one configuration is ahead early in the crawl, another one late."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lycosa.lab.comparison import Comparison, Floats
from lycosa.lab.statistics.compare import TOLERANCE
from lycosa.lab.statistics.summary import arm, axis, higher_is_better, summarise


class Crossing(Struct, frozen=True):
    """Until about `at` the early configuration is ahead, by at most `lead`; from then on the late one."""

    metric: str
    early: str
    late: str
    at: float
    lead: float
    lead_at: int


def crossing(comparison: Comparison, first: str, second: str, metric: str = "target_recall") -> Crossing | None:
    """The change of leader between two mean curves, if both leads were clear; None if there was none, or several.

    A lead is clear if it is not a tie and at least two standard errors of the paired difference: curves that only touch
    do not cross.
    """
    left, right = arm(comparison, first).curves.get(metric), arm(comparison, second).curves.get(metric)
    if left is None or right is None:
        return None
    lead = summarise(left - right if higher_is_better(metric) else right - left)
    known = np.isfinite(lead.mean)
    points = np.array(axis(comparison, metric), np.float64)[known]
    leads = lead.mean[known]
    clear = _clear(leads, lead.error[known])
    ahead = np.sign(leads)
    told = np.flatnonzero(clear)
    changes = [place for place in range(1, told.size) if ahead[told[place]] != ahead[told[place - 1]]]
    if len(changes) != 1:
        return None
    before, after = told[changes[0] - 1], told[changes[0]]
    leader = ahead[before]
    turn = before + int(np.flatnonzero(ahead[before : after + 1] == leader)[-1])
    early = np.where(clear & (ahead == leader), np.abs(leads), 0.0)[: before + 1]
    peak = int(early.argmax())
    return Crossing(
        metric,
        *((first, second) if leader > 0 else (second, first)),
        at=_zero(points[turn : turn + 2], leads[turn : turn + 2]),
        lead=float(early[peak]),
        lead_at=int(points[peak]),
    )


def _clear(leads: Floats, errors: Floats) -> NDArray[np.bool_]:
    """Leads that are neither ties nor noise; a single topic has no standard error, so there only ties count."""
    return np.asarray(np.abs(leads) >= np.maximum(TOLERANCE, 2 * np.where(np.isfinite(errors), errors, 0.0)))


def _zero(points: Floats, leads: Floats) -> float:
    """Where a straight line between two points crosses zero."""
    (start, end), (before, after) = points, leads
    return float(start + (end - start) * before / (before - after))
