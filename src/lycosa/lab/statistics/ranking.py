"""The order of the ways, and whether an order may be told at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from lycosa.core.errors import Refused
from lycosa.lab.nouns import Comparison
from lycosa.lab.statistics.family import Test
from lycosa.lab.statistics.summary import figures, higher_is_better, summarise

LIMIT = 0.2
"""The share of wanted pages that a recording may lack before a ranking is refused."""


class Place(Struct, frozen=True):
    """A way's place in a ranking."""

    way: str
    mean: float
    error: float
    n: int
    letters: str
    """Two ways share a letter exactly if no significant difference was found between them."""
    among_best: bool
    """Not distinguishable from the first."""


def missing_share(comparison: Comparison) -> float:
    """The share of the wanted URLs that the world does not hold."""
    return comparison.missing / comparison.wanted if comparison.wanted else 0.0


def rankable(comparison: Comparison, limit: float = LIMIT) -> bool:
    """A complete world always allows a ranking; a recording does if it holds enough of what the ways asked for.

    A recording favours ways that resemble the one it was made with: what the others wanted to see it may not have.
    """
    return comparison.complete or missing_share(comparison) <= limit


def ranking(
    comparison: Comparison, tests: Iterable[Test], metric: str = "target_recall", *, limit: float = LIMIT
) -> list[Place]:
    """The ways by their mean (a curve's at its last point), the best first; refused where `rankable` says no.

    Ways without a figure are left out. Equal means keep the order in which the ways were named.
    """
    if not rankable(comparison, limit):
        raise Refused(
            f"no ranking: the recording lacks {missing_share(comparison):.0%} of the pages that were wanted",
            f"record more, or raise the limit of {limit:.0%}",
        )
    return places(comparison, tests, metric)


def places(comparison: Comparison, tests: Iterable[Test], metric: str) -> list[Place]:
    """The ways by their mean, whether or not that may be called a ranking."""
    summaries = {way: summarise(figures(comparison, way, metric)) for way in comparison.arms}
    sign = -1 if higher_is_better(metric) else 1
    known = [way for way, summary in summaries.items() if summary.n]
    order = sorted(known, key=lambda way: sign * float(summaries[way].mean))
    apart = {frozenset((test.better, test.worse)) for test in tests if test.metric == metric and test.significant}
    letters = letter_display(order, apart)
    return [
        Place(
            way,
            float(summaries[way].mean),
            float(summaries[way].error),
            int(summaries[way].n),
            letters[way],
            frozenset((way, order[0])) not in apart,
        )
        for way in order
    ]


def letter_display(order: Sequence[str], apart: Iterable[frozenset[str]]) -> dict[str, str]:
    """A compact letter display (Piepho 2004, insert and absorb): two ways share a letter exactly if not set apart."""
    groups: list[frozenset[str]] = [frozenset(order)] if order else []
    for pair in sorted(apart, key=sorted):
        if not pair <= set(order):
            continue
        split = [group - {way} for group in groups if pair <= group for way in sorted(pair)]
        groups = _absorb([group for group in groups if not pair <= group] + split)
    rank = {way: place for place, way in enumerate(order)}
    groups.sort(key=lambda group: sorted(rank[way] for way in group))
    return {way: "".join(_letter(place) for place, group in enumerate(groups) if way in group) for way in order}


def _absorb(groups: list[frozenset[str]]) -> list[frozenset[str]]:
    unique = list(dict.fromkeys(groups))
    return [group for group in unique if not any(group < other for other in unique)]


def _letter(place: int) -> str:
    """a, b, ... z, then a1, b1, ..."""
    round_, letter = divmod(place, 26)
    return chr(ord("a") + letter) + (str(round_) if round_ else "")
