"""Win, tie or loss, topic by topic."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lycosa.lab.comparison import Floats

TOLERANCE = 0.005
"""Half a point of recall; half a percent for figures that are not shares."""


class Outcomes(NamedTuple):
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
