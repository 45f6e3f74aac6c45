"""How statements about days are tested: paired over queries if two collections were asked the same ones.

A measurement agrees if the difference has the paper's direction and is significant (one-tailed, uncorrected), and
disagrees if it is significant in the other direction; else it is undecided.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import replace
from scipy import stats

from lycosa.lab.comparison import Floats
from lycosa.lab.statistics.compare import t_test
from lycosa.lab.studies.claim import ALPHA, Measured, Verdict

MARGIN = 0.05
"""Half a result of ten: a loss too small to notice."""


def higher(what: str, first: tuple[str, Floats], second: tuple[str, Floats], *, of: str = "question") -> Measured:
    """The first is higher than the second, on the same queries."""
    sample = (first[1] - second[1]).ravel()
    p, against = t_test(sample), t_test(-sample)
    return _measured(what, first, second, p, against, len(sample), of)


def higher_of_others(what: str, first: tuple[str, Floats], second: tuple[str, Floats]) -> Measured:
    """The first is higher than the second, on different queries: Welch's test, as the paper would have done."""
    one, other = first[1].ravel(), second[1].ravel()
    if min(one.size, other.size) < 2 or not (np.ptp(one) or np.ptp(other)):
        return _measured(what, first, second, float("nan"), float("nan"), one.size, "question")
    p = float(stats.ttest_ind(one, other, equal_var=False, alternative="greater").pvalue)
    return _measured(what, first, second, p, 1 - p, one.size, "question")


def no_lower(what: str, first: tuple[str, Floats], second: tuple[str, Floats]) -> Measured:
    """The first is lower by less than half a result of ten, and not significantly lower at all."""
    sample = (first[1] - second[1]).ravel()
    p = t_test(sample + MARGIN)
    found = _measured(what, first, second, p, t_test(-sample), len(sample), "question")
    return replace(found, note=f"p of being lower by {MARGIN:g} or more")


def higher_on_average(
    what: str, first: tuple[str, Floats, Floats], second: tuple[str, Floats, Floats], pages: int
) -> Measured:
    """The mean over the pages of one collection is higher than that of another, given with their standard errors.

    Each has an entry for each week. They are reported relative to the second: similarities to a hundred queries are
    small figures. Pages that both collections hold count as if they were different ones, so p is too large.
    """
    difference = float(np.mean(first[1] - second[1]))
    error = float(np.sqrt(np.sum(first[2] ** 2 + second[2] ** 2)) / len(first[1]))
    p = float(stats.norm.sf(difference / error)) if error > 0 else float("nan")
    whole = float(np.mean(second[1])) or 1.0
    return _measured(what, (first[0], first[1] / whole), (second[0], second[1] / whole), p, 1 - p, pages, "page")


def smaller_by_a_third(what: str, first: tuple[str, Floats], second: tuple[str, Floats]) -> Measured:
    """The first is smaller than two thirds of the second, in every week; sizes are counted and need no test."""
    share = first[1] / second[1]
    whole = (second[0], np.ones_like(share))
    found = _measured(what, (first[0], share), whole, t_test(2 / 3 - share), 1.0, len(share), "week")
    verdict: Verdict = "agrees" if (share < 2 / 3).all() else "disagrees" if (share >= 2 / 3).all() else "undecided"
    against = 0.0 if verdict == "disagrees" else math.nan
    note = "p of two thirds or more" if len(share) > 1 else ""
    return replace(found, verdict=verdict, p_against=against, note=note)


def _measured(
    what: str, first: tuple[str, Floats], second: tuple[str, Floats], p: float, against: float, n: int, of: str
) -> Measured:
    verdict: Verdict = "disagrees" if against < ALPHA else "agrees" if p < ALPHA else "undecided"
    means = float(np.mean(first[1])), float(np.mean(second[1]))
    return Measured(
        what=what,
        metric=what,
        first=first[0],
        second=second[0],
        first_mean=means[0],
        second_mean=means[1],
        difference=means[0] - means[1],
        p=p,
        p_against=against,
        n=n,
        verdict=verdict,
        of=of,
    )
