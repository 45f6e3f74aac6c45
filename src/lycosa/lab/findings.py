"""A comparison in words: what won, by how much, how certain that is, and what to keep in mind."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from lycosa.lab.comparison import ORACLE, Comparison
from lycosa.lab.metrics import METRICS
from lycosa.lab.phrasing import about, capital, chance, counted, listed, number, percent, spelled
from lycosa.lab.statistics.compare import TOLERANCE
from lycosa.lab.statistics.crossing import Crossing, crossing
from lycosa.lab.statistics.difficulty import difficulties, discriminating
from lycosa.lab.statistics.pairwise_tests import TESTED, Test
from lycosa.lab.statistics.standings import Rank, most_missing, places, rankable
from lycosa.lab.statistics.summary import at_end, average, axis, figures, higher_is_better, unit

FEW = 10
"""Below this many topics the tests detect only large differences."""
_MANY = 6
_NAMES = {"target_recall_auc": "the area under target recall"}


def findings(comparison: Comparison, tests: Iterable[Test]) -> list[str]:
    """Plain sentences for people, the most important first."""
    tests = list(tests)
    metrics = list(dict.fromkeys(test.metric for test in tests)) or list(TESTED)
    standings = {metric: found for metric in metrics if (found := places(comparison, tests, metric))}
    told = _opening(comparison)
    if rankable(comparison):
        for metric, standing in standings.items():
            told += _standing(comparison, tests, metric, standing)
        told += _agreement(tests, standings) + _turns(comparison, standings) + _telling(comparison)
    else:
        told += _refusal(comparison, standings)
    told += _hardest(comparison) + _caveats(comparison, list(standings))
    return told + (_reading(tests) if rankable(comparison) else [])


def metric_name(metric: str) -> str:
    """A metric within a sentence."""
    title = METRICS[metric].title if metric in METRICS else metric.replace("_", " ")
    return _NAMES.get(metric, title[:1].lower() + title[1:])


def metric_at_end(comparison: Comparison, metric: str) -> str:
    """A metric within a sentence, for a curve with the point at which it is read."""
    end = at_end(comparison, metric)
    if end is None:
        return metric_name(metric)
    where = f"for n = {end:,}" if axis(comparison, metric) is comparison.top else f"after {counted(end, 'page')}"
    return f"{metric_name(metric)} {where}"


def _opening(comparison: Comparison) -> list[str]:
    labels = list(comparison.arms)
    where = f"{counted(len(comparison.topics), 'topic')} of {comparison.bed} (task «{comparison.task}»)"
    budget = f"{counted(comparison.pages, 'page')} a crawl"
    if comparison.repeats > 1:
        budget += f", repeated with {comparison.repeats} random seeds and averaged where a way draws random numbers"
    if not labels:
        return [f"Nothing was compared on {where}."]
    if len(labels) == 1:
        return [f"One way of hunting, {labels[0]}, was run on {where}, {budget}; there is nothing to compare it with."]
    return [f"{capital(spelled(len(labels)))} ways of hunting were compared on {where}, {budget}."]


def _standing(comparison: Comparison, tests: list[Test], metric: str, standing: list[Rank]) -> list[str]:
    """Which is first on a metric, how surely, and which are behind; sentences after the first refer to its subject."""
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
        told += f", but cannot be told apart from {_brief(metric, level, 'or')}"
    elif not behind:
        told += f", before {_brief(metric, rest)}"
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
        sentences.append(f"Significantly behind it {'is' if len(behind) == 1 else 'are'} {_brief(metric, behind)}.")
    if untested and (level or behind):
        sentences.append(f"Not tested against it: {_brief(metric, untested)}.")
    return sentences


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
    if test.significant and test.p_wilcoxon >= 0.05:
        told += f" A signed-rank test does not confirm it (p {chance(test.p_wilcoxon)}): a few topics may carry it."
    return told


def _agreement(tests: list[Test], standings: dict[str, list[Rank]]) -> list[str]:
    """Whether the metrics rank the same configuration first."""
    led = {metric: standing for metric, standing in standings.items() if len(standing) > 1 and _has_lead(standing)}
    groups: dict[str, list[str]] = {}
    for metric, standing in led.items():
        groups.setdefault(standing[0].label, []).append(metric_name(metric))
    if len(led) < 2:
        return []
    if len(groups) == 1:
        measures = "Both measures" if len(led) == 2 else f"All {spelled(len(led))} measures"
        return [f"{measures} put {next(iter(groups))} first."]
    leads = [
        f"{label}{'' if place else ' is first'} on {listed(on)}" for place, (label, on) in enumerate(groups.items())
    ]
    sure = sum(not standing[1].among_best for standing in led.values())
    doubt = "not all of these leads are significant" if sure else "none of these leads is significant"
    silent = sure == len(led) or all(math.isnan(test.p) for test in tests)
    return [f"The measures differ: {', '.join(leads)}{'' if silent else f'; {doubt}'}."]


def _has_lead(standing: list[Rank]) -> bool:
    return round(standing[0].mean - standing[1].mean, 12) != 0


def _turns(comparison: Comparison, standings: dict[str, list[Rank]]) -> list[str]:
    """Where the first in target recall was behind, or fell behind, during the crawl."""
    standing = standings.get("target_recall", [])
    if len(standing) < 2:
        return []
    best = standing[0].label
    found = [turn for place in standing[1:] if (turn := crossing(comparison, best, place.label))]
    told = [_turn(turn) for turn in sorted(found, key=lambda turn: -turn.lead)[:3]]
    return [f"Early and late differ: {'; '.join(told)}."] if told else []


def _turn(turn: Crossing) -> str:
    return (
        f"until about {about(turn.at)} pages {turn.early} is ahead of {turn.late} in target recall (by "
        f"{number(turn.lead, 'share')} after {counted(turn.lead_at, 'page')}), from then on {turn.late}"
    )


def _refusal(comparison: Comparison, standings: dict[str, list[Rank]]) -> list[str]:
    """Why there is no ranking, and the figures in the order in which the configurations were named."""
    label, share = most_missing(comparison)
    told = [
        f"No ranking is made: the recording lacks {percent(share)} of the pages that {label} wanted (the limit is "
        f"{percent(comparison.limit)}), and what it would have gained from them is unknown."
    ]
    order = list(comparison.arms)
    for metric, standing in standings.items():
        named = sorted(standing, key=lambda place: order.index(place.label))
        told.append(f"What was measured of {metric_at_end(comparison, metric)}: {_brief(metric, named)}.")
    return told


def _hardest(comparison: Comparison) -> list[str]:
    known = [each for each in difficulties(comparison) if not math.isnan(each.difficulty)]
    if len(known) < 3:
        return []
    whose = [" of the oracle's area"] + [""] * len(known)
    told = [f"{e.topic} ({percent(1 - e.difficulty)}{area})" for e, area in zip(known, whose, strict=False)]
    hard = told[: min(3, len(known) // 2)]
    start = "Averaged over the ways, the" if len(comparison.arms) > 1 else "The"
    verb = "topic was" if len(hard) == 1 else "topics were"
    return [f"{start} hardest {verb} {listed(hard)}; the easiest was {told[-1]}."]


def _telling(comparison: Comparison) -> list[str]:
    """Which topic tells the configurations apart best, and how many topics do not."""
    apart = discriminating(difficulties(comparison))
    if len(comparison.arms) < 2 or len(apart) < 3 or apart[0].spread < TOLERANCE:
        return []
    widest = apart[0]
    close = sum(each.spread < TOLERANCE for each in apart)
    ending = f"; on {close} of {counted(len(apart), 'topic')} they are all level" if close else ""
    told = f"The ways differ most on {widest.topic}, where {widest.best} is {number(widest.spread, 'share')} ahead of"
    return [f"{told} {widest.worst} in area{ending}."]


def _caveats(comparison: Comparison, metrics: list[str]) -> list[str]:
    """What to keep in mind."""
    told, topics = [], len(comparison.topics)
    if topics == 1 and len(comparison.arms) > 1:
        told.append("A single topic allows no test: this is what happened there, and no more.")
    elif 1 < topics < FEW and len(comparison.arms) > 1:
        told.append(
            f"With only {topics} topics the tests see large differences only; ways that cannot be told apart here need "
            f"not be equally good."
        )
    for metric in metrics:
        gaps = (
            np.array([~np.isfinite(figures(comparison, label, metric)) for label in comparison.arms]).any(axis=0).sum()
        )
        if gaps:
            where = f"{gaps} of {counted(topics, 'topic')}"
            told.append(f"{capital(metric_name(metric))} could not be measured for all ways on {where}.")
    early = [ended for label in comparison.arms if (ended := _early_end(comparison, label))]
    if early:
        told.append(
            f"Crawls that ran out of links before {comparison.pages:,} pages: {listed(early)}; the pages that they did "
            f"not fetch count as irrelevant ones."
        )
    label, share = most_missing(comparison)
    if not comparison.complete and share and rankable(comparison):
        told.append(
            f"The recording lacks up to {percent(share)} of the pages that a way wanted ({label}); one unlike that "
            "which recorded it may be better than shown."
        )
    return told


def _reading(tests: list[Test]) -> list[str]:
    """How to read the figures."""
    if all(math.isnan(test.p) for test in tests):
        return []
    return [
        "Figures are means over topics ± one standard error; p is of one-tailed paired t-tests, then corrected for all "
        "comparisons made; intervals are bootstrapped over topics, each for its pair alone."
    ]


def _early_end(comparison: Comparison, label: str) -> str:
    pages = figures(comparison, label, "pages")
    ended = pages[np.isfinite(pages) & (pages < comparison.pages - 0.5)]
    if not ended.size:
        return ""
    where = f"{ended.size} of {counted(len(comparison.topics), 'topic')}"
    return f"{label} on {where} (after {about(float(ended.mean()))} on average)"


def _between(tests: list[Test], metric: str, first: str, second: str) -> Test | None:
    pair = {first, second}
    return next((test for test in tests if test.metric == metric and {test.better, test.worse} == pair), None)


def _brief(metric: str, found: list[Rank], last: str = "and") -> str:
    """Configurations with their figures; of a long list only the first few."""
    told = [f"{place.label} ({_number(metric, place.mean)})" for place in found]
    return listed(
        told if len(told) <= _MANY else [*told[: _MANY - 1], f"{spelled(len(told) - _MANY + 1)} others"], last
    )


def _number(metric: str, value: float) -> str:
    return number(value, unit(metric))
