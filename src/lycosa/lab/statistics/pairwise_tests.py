"""The tests of a comparison: the pairs that were asked for, corrected together on each metric."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from lycosa.lab.comparison import Comparison
from lycosa.lab.statistics.bootstrap import interval
from lycosa.lab.statistics.compare import advantages, effect, holm, outcomes, t_test, wilcoxon
from lycosa.lab.statistics.summary import at_end, average, figures, higher_is_better, unit
from lycosa.system.errors import Code, Refused

TESTED = (
    *("target_recall", "precision", "target_recall_auc"),
    *("target_recall_requests_auc", "target_recall_hours_auc"),
)
ALPHA = 0.05
ROUNDING = 1e-12


class Test(Struct, frozen=True):
    """A test of "they do equally well" against "the one named better does better", over the topics both have."""

    metric: str
    at: int | None
    """The point of the curve; None for a metric with one number for each topic."""
    better: str
    worse: str
    difference: float
    """The mean advantage of the better one: positive if it is better, also if low figures are good."""
    p: float
    """One-tailed t-test, paired over topics, uncorrected; nan for a single topic."""
    p_corrected: float
    significant: bool
    """Whether p_corrected is below 0.05."""
    interval: tuple[float, float]
    """95 % bootstrap interval of the difference; two-sided and of this pair alone."""
    effect: float
    """Cohen's d_z."""
    wins: int
    ties: int
    losses: int
    n: int
    p_wilcoxon: float
    """The signed-rank test's p, uncorrected: a check that no outlier made the difference."""

    def plain(self) -> dict[str, Any]:
        """Plain data for JSON: a list for the interval, null if there is no number."""
        told = asdict(self) | {"interval": list(self.interval)}
        return {key: _plain(value) for key, value in told.items()}


def tests(
    comparison: Comparison,
    metrics: Sequence[str] = TESTED,
    *,
    hypotheses: Sequence[tuple[str, str]] | None = None,
) -> list[Test]:
    """Compare configurations in pairs on each metric, a curve at its last point: the reference with each other one.

    Without a reference every pair is tested. A pair is reported once, with the configuration that did better here as
    the better one. Choosing the tail after looking would halve p, so the family that is corrected holds both directions
    of every pair: the smallest of m pairs' p is multiplied by 2m. `p` itself stays the papers' one-tailed p;
    significance is decided by `p_corrected`.

    Hypotheses named beforehand, as (better, worse), are tested in that direction only, as in the papers, and a
    difference in the other direction is negative with a p near 1.

    A family is what was asked for on one metric: the metrics are different questions, each with its own answer.
    """
    for label in (label for pair in hypotheses or () for label in pair):
        if label not in comparison.arms:
            raise Refused(
                f"{label} is not among the configurations compared",
                f"name two of {', '.join(comparison.arms)}",
                code=Code.UNKNOWN_NAME,
                field="hypotheses",
            )
    pairs = list(_asked(comparison) if hypotheses is None else hypotheses)
    families = [
        [test for first, second in pairs if (test := _test(comparison, metric, first, second, turn=hypotheses is None))]
        for metric in metrics
    ]
    return [test for family in families for test in _corrected(comparison, family, both=hypotheses is None)]


def _asked(comparison: Comparison) -> Iterable[tuple[str, str]]:
    """The pairs that are compared: the reference with each of the others, or all pairs."""
    reference = comparison.reference
    if not reference:
        return combinations(comparison.arms, 2)
    return ((reference, label) for label in comparison.arms if label != reference)


def _corrected(comparison: Comparison, found: Sequence[Test], *, both: bool) -> Iterator[Test]:
    """The tests of a family with corrected p; with `both`, each stands for both directions of its pair."""
    family = [test.p for test in found]
    for test in found if both else ():
        better, worse = (figures(comparison, label, test.metric) for label in (test.better, test.worse))
        family.append(t_test(advantages(worse, better, higher=higher_is_better(test.metric))))
    for test, p in zip(found, holm(family), strict=False):
        yield replace(test, p_corrected=p, significant=p < ALPHA)


def _test(comparison: Comparison, metric: str, first: str, second: str, *, turn: bool) -> Test | None:
    """One pair on one metric, not corrected yet; with `turn`, swapped if the second did better."""
    higher = higher_is_better(metric)
    left, right = figures(comparison, first, metric), figures(comparison, second, metric)
    sample = advantages(left, right, higher=higher)
    if not sample.size:
        return None
    if turn and sample.mean() < -ROUNDING:
        return _test(comparison, metric, second, first, turn=False)
    return Test(
        metric=metric,
        at=at_end(comparison, metric),
        better=first,
        worse=second,
        difference=average(sample) if abs(average(sample)) > ROUNDING else 0.0,
        p=t_test(sample),
        p_corrected=math.nan,
        significant=False,
        interval=interval(sample),
        effect=effect(sample),
        **outcomes(left, right, higher=higher, relative=unit(metric) != "share")._asdict(),
        n=int(sample.size),
        p_wilcoxon=wilcoxon(sample),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
