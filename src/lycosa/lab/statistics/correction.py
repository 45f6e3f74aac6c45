"""Corrections for multiple comparisons: p-values adjusted for the size of the family."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy import stats

from lycosa.lab.comparison import Floats
from lycosa.system.errors import Code, Refused


def holm(p: Floats) -> Floats:
    """Holm's step-down: the chance of one false claim or more in the whole family stays below the level.

    The i-th smallest of m is multiplied by m - i + 1, then each is raised to at least the one before it.
    """
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)))
    return adjusted


def benjamini_hochberg(p: Floats) -> Floats:
    """Benjamini and Hochberg's step-up: the expected share of false claims among all claims stays below the level."""
    return np.asarray(stats.false_discovery_control(p, method="bh"), np.float64)


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {"holm": holm, "benjamini-hochberg": benjamini_hochberg}


def correct(p: Sequence[float], method: str = "holm") -> list[float]:
    """The corrected p of each member of a family; a nan is not a test, so it stays nan and is not counted."""
    if method not in CORRECTIONS:
        raise Refused(
            f"no correction is called {method}",
            f"use {' or '.join(CORRECTIONS)}",
            code=Code.UNKNOWN_NAME,
            field="method",
        )
    family = np.asarray(p, np.float64)
    told = ~np.isnan(family)
    if told.any():
        family[told] = CORRECTIONS[method](family[told])
    return [float(each) for each in family]
