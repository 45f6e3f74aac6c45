"""One metric in sentences: which configuration is first and how surely, or how the others compare with a reference."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lycosa.lab.comparison import ORACLE, Comparison
from lycosa.lab.metric_names import metric_at_end
from lycosa.lab.phrasing import chance, counted, listed, number, percent, spelled
from lycosa.lab.statistics.pairwise_tests import Test
from lycosa.lab.statistics.standings import Rank
from lycosa.lab.statistics.summary import average, figures, higher_is_better, unit

_MANY = 6


def standing_in_words(comparison: Comparison, tests: list[Test], metric: str, standing: list[Rank]) -> list[str]:
    """Which is first on a metric, how surely, and which are behind; sentences after the first refer to its subject."""
    if comparison.reference and len(comparison.arms) > 2:
        return _against_reference(comparison, tests, metric, standing)
    best = standing[0]
    on = f"On {metric_at_end(comparison, metric)}"
    figure = _figure(comparison, metric, best)
    if len(standing) == 1:
        return [f"{on} {best.label} reached {figure}."]
    made = {place.label: _between(tests, metric, best.label, place.label) for place in standing[1:]}
    twins = [label for label, test in made.items() if test and _no_difference(test)]
    rest = [place for place in standing[1:] if place.label not in twins]
    if not rest:
        return [f"{on} {listed([best.label, *twins])} did exactly the same: {_number(metric, best.mean)}."]
    # A test of "the other is better" does not support the best.
    tested = {
        label: test for label, test in made.items() if test and test.better == best.label and not math.isnan(test.p)
    }
    ahead = [label for label, test in made.items() if test and test.better == label and test.difference > 0]
    behind = [place for place in rest if place.label in tested and tested[place.label].significant]
    level = [place for place in rest if place.label in tested and not tested[place.label].significant]
    untested = [place for place in rest if place.label not in tested and place.label not in ahead]
    extreme = "highest" if higher_is_better(metric) else "lowest"
    told = f"{on} {best.label} has the {extreme} {'mean' if best.n > 1 else 'figure'}, {figure}"
    if level:
        told += f", but cannot be told apart from {brief(metric, level, 'or')}"
    elif not behind:
        told += f", before {brief(metric, rest)}"
    elif not untested and not ahead:
        told = f"{on} {best.label} is best with {figure}"
    sentences = [f"{told}."]
    if twins:
        sentences.append(f"Its figures there are exactly those of {listed(twins)}.")
    if level or behind:
        sentences.append(_lead(comparison, tested[(level or behind)[0].label]))
    if ahead:
        sentences.append(f"It is behind {listed(ahead)}, however, on the topics that both have.")
    if behind:
        sentences.append(f"Significantly behind it {'is' if len(behind) == 1 else 'are'} {brief(metric, behind)}.")
    if untested and (level or behind):
        sentences.append(f"Not tested against it: {brief(metric, untested)}.")
    return sentences


def _against_reference(comparison: Comparison, tests: list[Test], metric: str, standing: list[Rank]) -> list[str]:
    """How the others compare with the reference; sentences after the first refer to it."""
    found = {place.label: place for place in standing}
    on, reference = f"On {metric_at_end(comparison, metric)}", comparison.reference
    if reference not in found:
        return [
            f"{on} the reference {reference} has no figure; the highest mean is that of {brief(metric, standing[:1])}."
        ]
    own, others = found[reference], [place for place in standing if place.label != reference]
    made = {place.label: _between(tests, metric, reference, place.label) for place in others}
    tested = {label: test for label, test in made.items() if test and not math.isnan(test.p)}
    twins = [label for label, test in made.items() if test and _no_difference(test)]
    surely = [place for place in others if place.label in tested and tested[place.label].significant]
    better = [place for place in surely if tested[place.label].better != reference]
    worse = [place for place in surely if tested[place.label].better == reference]
    level = [place for place in others if place.label in tested and place not in surely and place.label not in twins]
    untested = [place for place in others if place.label not in tested and place.label not in twins]
    first = standing[0] is own and len(found) > len(twins) + 1
    extreme = f", the {'highest' if higher_is_better(metric) else 'lowest'} mean" if first else ""
    told = [f"{on} {reference}, the reference, has {_figure(comparison, metric, own)}{extreme}."]
    if better:
        told += [f"Significantly better {_is(better)} {brief(metric, better)}.", _behind(tested[better[0].label])]
    if worse:
        told += [f"Significantly worse {_is(worse)} {brief(metric, worse)}.", _lead(comparison, tested[worse[0].label])]
    if level:
        told.append(f"Not significantly different from it {_is(level)} {brief(metric, level)}.")
    if twins:
        told.append(f"Its figures are exactly those of {listed(twins)}.")
    if untested:
        told.append(f"Not tested against it {_is(untested)} {brief(metric, untested)}.")
    return told


def _is(places: Sequence[Rank]) -> str:
    return "is" if len(places) == 1 else "are"


def _behind(test: Test) -> str:
    """All that is known about the lead of another over the reference."""
    low, high = (_number(test.metric, end) for end in test.interval)
    told = f"It is behind {test.better} by {_number(test.metric, test.difference)} (95% interval {low} to {high}; "
    told += f"p {chance(test.p)}, corrected {chance(test.p_corrected).removeprefix('= ')}), "
    return f"{told}behind on {test.wins} of {counted(test.n, 'topic')}."


def _no_difference(test: Test) -> bool:
    """Whether both have the same figure on every topic; the interval of a single topic is nan."""
    return not any(round(each, 12) for each in (test.difference, *test.interval) if not math.isnan(each))


def _figure(comparison: Comparison, metric: str, place: Rank) -> str:
    """A mean with its standard error and its share of the ceiling."""
    told = _number(metric, place.mean)
    if not math.isnan(place.error):
        told += f" ± {_number(metric, place.error)}"
    ceiling = average(figures(comparison, ORACLE, metric))
    if higher_is_better(metric) and ceiling > 0:
        told += f" ({percent(place.mean / ceiling)} of the oracle's {_number(metric, ceiling)})"
    return told


def _lead(comparison: Comparison, test: Test) -> str:
    """All that is known about the difference between the best and another."""
    low, high = test.interval
    both = np.isfinite(figures(comparison, test.better, test.metric))
    base = average(np.where(both, figures(comparison, test.worse, test.metric), np.nan))
    facts = [
        *(
            [percent(test.difference / base)] if 0 < test.difference <= 10 * base else []
        ),  # a larger ratio is a lead over next to nothing
        f"95% interval {_number(test.metric, low)} to {_number(test.metric, high)}",
        f"p {chance(test.p)}, corrected {chance(test.p_corrected).removeprefix('= ')}",
    ]
    told = f"Its lead over {test.worse} is {_number(test.metric, test.difference)} ({'; '.join(facts)}), ahead on "
    told += f"{test.wins} of {counted(test.n, 'topic')}" + (f" and level on {test.ties}." if test.ties else ".")
    # The signed-rank test of fewer than five topics can never be significant.
    if test.significant and test.p_wilcoxon >= 0.05 > 0.5**test.n:
        told += f" A signed-rank test does not confirm it (p {chance(test.p_wilcoxon)}): a few topics may carry it."
    return told


def _between(tests: list[Test], metric: str, first: str, second: str) -> Test | None:
    pair = {first, second}
    return next((test for test in tests if test.metric == metric and {test.better, test.worse} == pair), None)


def brief(metric: str, found: list[Rank], last: str = "and") -> str:
    """Configurations with their figures; of a long list only the first few."""
    told = [f"{place.label} ({_number(metric, place.mean)})" for place in found]
    return listed(
        told if len(told) <= _MANY else [*told[: _MANY - 1], f"{spelled(len(told) - _MANY + 1)} others"], last
    )


def _number(metric: str, value: float) -> str:
    return number(value, unit(metric))
