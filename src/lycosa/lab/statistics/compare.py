"""Two configurations on the same topics: advantages, wins, one-tailed paired tests, effect size; Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from lycosa.lab.comparison import Floats
from lycosa.lab.statistics.summary import is_constant

TOLERANCE = 0.005
"""Half a point of recall; half a percent for figures that are not shares."""


def advantages(better: Floats, worse: Floats, *, higher: bool = True) -> Floats:
    """By how much the first is better than the second, for each topic on which both were measured."""
    both = np.isfinite(better) & np.isfinite(worse)
    difference = better[both] - worse[both]
    return difference if higher else -difference


def t_test(sample: Floats) -> float:
    """One-tailed paired t-test: p of "the two do equally well" against "the first does better", given advantages.

    One topic says nothing: nan. No difference on any topic: 1. The same advantage on every topic has no variance, so t
    is infinite; p is then that of the sign test, 2**-n (or 1 for a disadvantage), not certainty after two topics.
    """
    if sample.size < 2:
        return float("nan")
    if is_constant(sample):
        return 0.5**sample.size if round(float(sample[0]), 12) > 0 else 1.0
    return float(stats.ttest_1samp(sample, 0.0, alternative="greater").pvalue)


def wilcoxon(sample: Floats) -> float:
    """One-tailed signed-rank test, which is robust to outliers; topics without a difference are left out."""
    if sample.size < 2:
        return float("nan")
    rounded = np.round(sample, 12)  # equal differences must have equal ranks in spite of rounding
    moved = rounded[rounded != 0]
    if not moved.size:
        return 1.0
    # With ties scipy would try all signs for up to 13 topics, which takes most of a second.
    tied = np.unique(np.abs(moved)).size < moved.size
    method = "asymptotic" if tied and moved.size > 8 else "auto"
    return float(stats.wilcoxon(moved, alternative="greater", method=method, correction=True).pvalue)


def effect(sample: Floats) -> float:
    """Cohen's d_z: the mean advantage in standard deviations of the advantages; nan if these do not vary."""
    if sample.size < 2:
        return float("nan")
    if is_constant(sample):
        return 0.0 if not np.round(sample, 12).any() else float("nan")
    return float(sample.mean() / sample.std(ddof=1))


class Outcomes(NamedTuple):
    """Win, tie or loss, topic by topic."""

    wins: int
    ties: int
    losses: int


def outcomes(
    better: Floats, worse: Floats, *, higher: bool = True, relative: bool = False, tolerance: float = TOLERANCE
) -> Outcomes:
    """On how many topics the first beats the second, on those that both have.

    A tie is a difference below the tolerance: absolute for shares such as recall, relative to the larger figure for
    ranks, numbers of pages and scores, which have their own scales.
    """
    both = np.isfinite(better) & np.isfinite(worse)
    first, second = better[both], worse[both]
    difference = first - second if higher else second - first
    slack = tolerance * np.maximum(np.abs(first), np.abs(second)) if relative else tolerance
    # One target of two hundred is a difference of exactly the tolerance: rounding must not decide.
    clear = (difference != 0) & (np.abs(difference) >= slack * (1 - 1e-9))
    wins, losses = int(np.sum(clear & (difference > 0))), int(np.sum(clear & (difference < 0)))
    return Outcomes(wins, int(first.size) - wins - losses, losses)


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down: the chance of one false claim or more in the whole family stays below the level.

    The i-th smallest of m is multiplied by m - i + 1, then each is raised to at least the one before it. A nan is not a
    test, so it stays nan and is not counted.
    """
    family = np.array(p, np.float64)
    order = np.argsort(family, kind="stable")[: np.count_nonzero(~np.isnan(family))]
    steps = np.arange(order.size, 0, -1)
    family[order] = np.minimum(1.0, np.maximum.accumulate(family[order] * steps))
    return [float(each) for each in family]
