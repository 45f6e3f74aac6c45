"""Two configurations on the same topics: a one-tailed paired t-test, the signed-rank test, the effect size."""

from __future__ import annotations

import numpy as np
from scipy import stats

from lycosa.lab.comparison import Floats
from lycosa.lab.statistics.summary import is_constant


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
        return _sign_test(sample)
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


def _sign_test(constant: Floats) -> float:
    return 0.5**constant.size if round(float(constant[0]), 12) > 0 else 1.0
