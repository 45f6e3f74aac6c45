"""Win, tie or loss, topic by topic."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lycosa.lab.nouns import Floats

TOLERANCE = 0.005
"""Half a point of recall. For figures above 1 (ranks, search length, hosts) it is half a percent of the larger one."""


class Outcomes(NamedTuple):
    wins: int
    ties: int
    losses: int


def outcomes(better: Floats, worse: Floats, *, higher: bool = True, tolerance: float = TOLERANCE) -> Outcomes:
    """On how many topics the first beats the second, on those that both have.

    A tie is a difference below tolerance * max(1, |first|, |second|): absolute for shares, relative for what is larger.
    """
    both = np.isfinite(better) & np.isfinite(worse)
    first, second = better[both], worse[both]
    slack = tolerance * np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
    difference = first - second if higher else second - first
    # One target of two hundred is a difference of exactly the tolerance: rounding must not decide.
    clear = np.abs(difference) >= slack - 1e-12 if tolerance else difference != 0
    wins, losses = int(np.sum(clear & (difference > 0))), int(np.sum(clear & (difference < 0)))
    return Outcomes(wins, int(first.size) - wins - losses, losses)
