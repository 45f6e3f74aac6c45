"""Capture and recapture: estimate how many there are in all from how often each was caught.

Both formulas are exact if all are caught with equal probability. Pages are not: those that many pages link to, or that
every strategy prefers, are caught again and again. Then m is too large, and the estimate is rather a lower bound.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

_Z = 1.645
"""Quantile of the normal distribution for 90 % confidence intervals, if the assumptions hold."""


class Unseen(NamedTuple):
    """How many were never caught, and the variance of that number."""

    number: float
    variance: float


def chapman(a: float, b: float, both: float) -> Unseen:
    """From two catches of a and b with `both` in common: n = (a+1)(b+1)/(m+1) - 1, and Seber's variance (1970)."""
    total = (a + 1) * (b + 1) / (both + 1) - 1
    variance = (a + 1) * (b + 1) * (a - both) * (b - both) / ((both + 1) ** 2 * (both + 2))
    return Unseen(max(0.0, total - (a + b - both)), variance)


def chao(once: int, twice: int, catches: int) -> Unseen:
    """From several catches: those never caught, estimated by those caught once or twice (Chao 1987, corrected)."""
    part = (catches - 1) / catches
    ratio = once / (twice + 1)
    number = part * ratio * (once - 1) / 2
    variance = (
        part * once * (once - 1) / (2 * (twice + 1))
        + part**2 * once * (2 * once - 1) ** 2 / (4 * (twice + 1) ** 2)
        + part**2 * once**2 * twice * (once - 1) ** 2 / (4 * (twice + 1) ** 4)
    )
    return Unseen(max(0.0, number), variance)


def between(catches: Iterable[set[str]]) -> Unseen:
    """How many are in none of several catches: Chapman for two, Chao for more."""
    sets = list(catches)
    if len(sets) == 2:
        return chapman(len(sets[0]), len(sets[1]), len(sets[0] & sets[1]))
    often = Counter(Counter(url for urls in sets for url in urls).values())
    return chao(often[1], often[2], len(sets))


def interval(found: float, unseen: Unseen) -> tuple[float, float]:
    """The confidence interval of the total, on a logarithmic scale, so that it is never below what was found."""
    number, variance = unseen
    if number <= 0:
        return found, found
    factor = math.exp(_Z * math.sqrt(math.log1p(variance / number**2)))
    return found + number / factor, found + number * factor
