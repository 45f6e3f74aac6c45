"""A comparison in words: what won, by how much, how certain that is, and what to keep in mind."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from lycosa.lab.comparison import Comparison
from lycosa.lab.metric_names import metric_at_end, metric_meaning, metric_name
from lycosa.lab.phrasing import about, capital, counted, listed, number, percent, spelled
from lycosa.lab.standing_findings import brief, standing_in_words
from lycosa.lab.statistics.compare import TOLERANCE
from lycosa.lab.statistics.crossing import Crossing, crossing
from lycosa.lab.statistics.difficulty import difficulties, discriminating
from lycosa.lab.statistics.pairwise_tests import TESTED, Test
from lycosa.lab.statistics.standings import Rank, most_missing, places, rankable
from lycosa.lab.statistics.summary import average, figures

FEW = 10
"""Below this many topics the tests detect only large differences."""


def findings(comparison: Comparison, tests: Iterable[Test]) -> list[str]:
    """Plain sentences for people, the most important first."""
    tests = list(tests)
    metrics = list(dict.fromkeys(test.metric for test in tests)) or list(TESTED)
    standings = {metric: found for metric in metrics if (found := places(comparison, tests, metric))}
    told = _opening(comparison)
    if rankable(comparison):
        for metric, standing in standings.items():
            told += standing_in_words(comparison, tests, metric, standing)
        told += _agreement(comparison, tests, standings) + _turns(comparison, standings) + _telling(comparison)
    else:
        told += _refusal(comparison, standings)
    told += _hardest(comparison) + _caveats(comparison, list(standings))
    return told + (_reading(comparison, tests) if rankable(comparison) else [])


def _opening(comparison: Comparison) -> list[str]:
    labels = list(comparison.arms)
    where = f"{counted(len(comparison.topics), 'topic')} of {comparison.bed} (task «{comparison.task}»)"
    budget = f"{counted(comparison.pages, 'page')} a crawl"
    if comparison.repeats > 1:
        budget += f", repeated with {comparison.repeats} random seeds and averaged where a way draws random numbers"
    if comparison.subsets > 1:
        budget += f", averaged over {comparison.subsets} sets of start pages for each topic"
    if comparison.pace.timed:
        delay = comparison.pace.delay
        pauses = f"pauses of {delay:g} s between requests to a host" if delay else "no pauses"
        budget += f", with {counted(comparison.pace.workers, 'worker')} and {pauses}"
    if not labels:
        return [f"Nothing was compared on {where}."]
    if len(labels) == 1:
        return [f"One way of hunting, {labels[0]}, was run on {where}, {budget}; there is nothing to compare it with."]
    tested = f"; the others are tested against {comparison.reference}" if _has_reference(comparison) else ""
    return [f"{capital(spelled(len(labels)))} ways of hunting were compared on {where}, {budget}{tested}."]


def _has_reference(comparison: Comparison) -> bool:
    """Whether only some of the pairs were asked for."""
    return bool(comparison.reference) and len(comparison.arms) > 2


def _agreement(comparison: Comparison, tests: list[Test], standings: dict[str, list[Rank]]) -> list[str]:
    """Whether the metrics rank the same configuration first; if not, what each of them asks."""
    led = {metric: standing for metric, standing in standings.items() if len(standing) > 1 and _has_lead(standing)}
    groups: dict[str, list[str]] = {}
    for metric, standing in led.items():
        groups.setdefault(standing[0].label, []).append(metric)
    if len(led) < 2:
        return []
    if len(groups) == 1:
        measures = "Both measures" if len(led) == 2 else f"All {spelled(len(led))} measures"
        return [f"{measures} put {next(iter(groups))} first."]
    leads = [
        f"{label}{'' if place else ' is first'} on {listed([metric_name(metric) for metric in on])}"
        for place, (label, on) in enumerate(groups.items())
    ]
    sure = sum(not standing[1].among_best for standing in led.values())
    doubt = "not all of these leads are significant" if sure else "none of these leads is significant"
    silent = sure == len(led) or _has_reference(comparison) or all(math.isnan(test.p) for test in tests)
    asked = [meaning for on in groups.values() if (meaning := metric_meaning(on[0]))]
    return [
        f"The measures differ: {', '.join(leads)}{'' if silent else f'; {doubt}'}.",
        *([f"They ask different questions: {'; '.join(asked)}."] if asked else []),
    ]


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
        told.append(f"What was measured of {metric_at_end(comparison, metric)}: {brief(metric, named)}.")
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
    told += _requests(comparison) + _unfollowed(comparison)
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


def _requests(comparison: Comparison) -> list[str]:
    """What the pages cost, if some requests brought none."""
    ratios = {}
    for label in comparison.arms:
        pages, requests = (average(figures(comparison, label, metric)) for metric in ("pages", "requests"))
        if pages > 0 and requests > 0:
            ratios[label] = requests / pages
    if not ratios or max(ratios.values()) < 1.05:
        return []
    least, most = min(ratios, key=lambda label: ratios[label]), max(ratios, key=lambda label: ratios[label])
    each = {label: f"{ratios[label]:.2f} requests ({label})" for label in (least, most)}
    span = " to ".join(dict.fromkeys(each.values()))
    return [f"A page cost {span}: dead links, redirects and robots.txt were asked for as well."]


def _unfollowed(comparison: Comparison) -> list[str]:
    """The links that nobody follows."""
    links, share, pages = comparison.unfollowed
    if not links:
        return []
    where = f"{counted(links, 'link')} between its pages ({percent(share)}), on {counted(pages, 'page')}"
    return [f"Links marked nofollow are left out: {where}, are out of reach for every way and for the oracle."]


def _reading(comparison: Comparison, tests: list[Test]) -> list[str]:
    """How to read the figures."""
    if all(math.isnan(test.p) for test in tests):
        return []
    family = f"comparisons with {comparison.reference}" if _has_reference(comparison) else "comparisons made"
    return [
        "Figures are means over topics ± one standard error; p is of one-tailed paired t-tests, then corrected for all "
        f"{family} on the same measure, in both directions; intervals are bootstrapped over topics, each for its pair "
        "alone."
    ]


def _early_end(comparison: Comparison, label: str) -> str:
    pages = figures(comparison, label, "pages")
    ended = pages[np.isfinite(pages) & (pages < comparison.pages - 0.5)]
    if not ended.size:
        return ""
    where = f"{ended.size} of {counted(len(comparison.topics), 'topic')}"
    return f"{label} on {where} (after {about(float(ended.mean()))} on average)"
