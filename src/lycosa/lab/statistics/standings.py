"""The order of the configurations, and whether a ranking is allowed at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from lycosa.lab.comparison import Arm, Comparison
from lycosa.lab.statistics.pairwise_tests import Test
from lycosa.lab.statistics.summary import figures, higher_is_better, summarise


class Rank(Struct, frozen=True):
    """A configuration's place in a ranking."""

    label: str
    mean: float
    error: float
    n: int
    letters: str
    """Two configurations share a letter exactly if no significant difference was found between them."""
    among_best: bool
    """Whether it is not significantly different from the first."""


def missing_share(arm: Arm) -> float:
    """The share of the URLs requested by a configuration that the world does not hold."""
    return arm.missing / arm.wanted if arm.wanted else 0.0


def most_missing(comparison: Comparison) -> tuple[str, float]:
    """The configuration with the largest share of missing URLs, and that share."""
    shares = {label: missing_share(arm) for label, arm in comparison.arms.items()}
    worst = max(shares, key=lambda label: shares[label], default="")
    return worst, shares.get(worst, 0.0)


def rankable(comparison: Comparison) -> bool:
    """A complete world always allows a ranking; a recording does if it holds enough of what each requested.

    A recording favours configurations similar to the one it was made with: it may lack what the others request. So the
    worst one counts, not the mean, which many configurations similar to the recorded one would flatter.
    """
    return comparison.complete or most_missing(comparison)[1] <= comparison.limit


def places(comparison: Comparison, tests: Iterable[Test], metric: str) -> list[Rank]:
    """The configurations by their mean (a curve's at its last point), best first, whether or not it is a ranking.

    Those without a figure are left out. Equal means keep the order in which the configurations were named.
    """
    summaries = {label: summarise(figures(comparison, label, metric)) for label in comparison.arms}
    sign = -1 if higher_is_better(metric) else 1
    known = [label for label, summary in summaries.items() if summary.n]
    order = sorted(known, key=lambda label: sign * float(summaries[label].mean))
    apart = {frozenset((test.better, test.worse)) for test in tests if test.metric == metric and test.significant}
    letters = letter_display(order, apart)
    return [
        Rank(
            label,
            float(summaries[label].mean),
            float(summaries[label].error),
            int(summaries[label].n),
            letters[label],
            frozenset((label, order[0])) not in apart,
        )
        for label in order
    ]


def letter_display(order: Sequence[str], apart: Iterable[frozenset[str]]) -> dict[str, str]:
    """A compact letter display (Piepho 2004, insert and absorb): two share a letter exactly if not set apart."""
    groups: list[frozenset[str]] = [frozenset(order)] if order else []
    for pair in sorted(apart, key=sorted):
        if not pair <= set(order):
            continue
        split = [group - {label} for group in groups if pair <= group for label in sorted(pair)]
        groups = _absorb([group for group in groups if not pair <= group] + split)
    rank = {label: place for place, label in enumerate(order)}
    groups.sort(key=lambda group: sorted(rank[label] for label in group))
    return {label: "".join(_letter(place) for place, group in enumerate(groups) if label in group) for label in order}


def _absorb(groups: list[frozenset[str]]) -> list[frozenset[str]]:
    unique = list(dict.fromkeys(groups))
    return [group for group in unique if not any(group < other for other in unique)]


def _letter(place: int) -> str:
    """a, b, ... z, then a1, b1, ..."""
    round_, letter = divmod(place, 26)
    return chr(ord("a") + letter) + (str(round_) if round_ else "")
