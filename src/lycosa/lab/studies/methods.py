"""How statements are tested: paired over topics, in the direction of the statement, at one level for all.

A part of a claim agrees if the difference goes the way the paper says and is significant, as the papers tested it:
one-tailed, uncorrected, for all parts must agree. It disagrees if the difference is significant the other way round;
one such part is enough against the whole claim, so the level is shared among the parts (`against`). Else it is
undecided.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from lycosa.lab.findings import metric_name
from lycosa.lab.nouns import Floats
from lycosa.lab.statistics.compare import t_test
from lycosa.lab.statistics.summary import unit
from lycosa.lab.studies.claim import ALPHA, Lines, Measured, Verdict
from lycosa.lab.wording import chance, number, percent

EARLY = 0.25
"""The share of a crawl that is called early."""


def leads_at_end(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is better than the second when the crawl is over."""
    return _measured(lines, against, f"{metric_name(lines.metric)} {_end(lines)}", lambda table: table[:, -1])


def leads_early(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is better than the second early in the crawl."""
    return _measured(lines, against, f"{metric_name(lines.metric)}, first quarter of the crawl", _early(lines))


def leads_mostly(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is better than the second for most of the crawl (or of the n), and on its average."""
    where = "n" if lines.static else "the crawl"
    ahead = float((lines.advantage().mean(axis=0) > 0).mean())
    what = f"{metric_name(lines.metric)}, averaged over {where}"
    found = _measured(lines, against, what, lambda table: np.asarray(table.mean(axis=1)))
    # An average lead may come from a small part of the crawl.
    sure = ahead > 0.5 if found.verdict == "agrees" else ahead < 0.5
    return replace(found, verdict=found.verdict if sure else "undecided", note=f"ahead on {percent(ahead)} of {where}")


def leads_slightly(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is ahead of the second at the end, but so little that it is not significant."""
    found = leads_at_end(lines, against)
    match found.verdict:
        case "undecided" if found.difference > 0 and found.n > 1:
            return replace(found, verdict="agrees")
        case "agrees":
            return replace(found, verdict="disagrees", note="here the lead is significant")
    return found


def recovers(lines: Lines, against: float = ALPHA) -> Measured:
    """The first gains on the second from early in the crawl to its end, and is not behind any longer then."""
    gap = lines.advantage()
    early, late = _early(lines)(gap), gap[:, -1]
    found = _tested(lines, against, f"{metric_name(lines.metric)}, lead over {lines.labels[1]}", late - early)
    behind = t_test(-late)
    return replace(
        found,
        first=f"{lines.labels[0]} {_end(lines)}",
        second="over the first quarter",
        first_mean=float(late.mean()),
        second_mean=float(early.mean()),
        verdict="disagrees" if behind < against else "undecided" if behind < ALPHA else found.verdict,
        note="" if late.mean() >= 0 else f"that it is behind at the end has p {chance(behind)}",
    )


def leads_more_on_few(lines: Lines, against: float = ALPHA) -> Measured:
    """The first's lead in coverage is larger for the smaller half of the n than for the larger half."""
    gap, middle = lines.advantage(), len(lines.x) // 2
    few, many = gap[:, :middle].mean(axis=1), gap[:, middle:].mean(axis=1)
    found = _tested(lines, against, f"{metric_name(lines.metric)}, lead over {lines.labels[1]}", few - many)
    return replace(
        found,
        first=f"{lines.labels[0]} for n < {lines.x[middle]:,.0f}",
        second="for more",
        first_mean=float(few.mean()),
        second_mean=float(many.mean()),
    )


def lies_between(lines: Lines, against: float = ALPHA) -> Measured:
    """The first lies between the second and the third, on average; it must on both sides, so the larger p decides."""
    means = [table.mean(axis=1) for table in lines.tables]
    top = 1 if lines.advantage(1, 2).mean() > 0 else 2  # whichever of the ends is the better one here
    inside = {end: lines.advantage(*((end, 0) if end == top else (0, end))).mean(axis=1) for end in (1, 2)}
    tight, far = sorted(inside, key=lambda end: -np.nan_to_num(t_test(inside[end]), nan=1.0))
    what = f"{metric_name(lines.metric)}, between {lines.labels[1]} and {lines.labels[2]}"
    found = _tested(lines, against, what, inside[tight])
    return replace(
        found,
        second=lines.labels[tight],
        first_mean=float(means[0].mean()),
        second_mean=float(means[tight].mean()),
        note=f"{lines.labels[far]} {number(float(means[far].mean()), unit(lines.metric))}",
    )


def falls_more(lines: Lines, against: float = ALPHA) -> Measured:
    """The first falls more than the second from early in the crawl to its end, whether or not that is good."""
    early = _early(lines)
    falls = [early(table) - table[:, -1] for table in lines.tables]
    what = f"fall of {metric_name(lines.metric)} from the first quarter to the end"
    found = _tested(lines, against, what, falls[0] - falls[1])
    return replace(found, first_mean=float(falls[0].mean()), second_mean=float(falls[1].mean()))


def _measured(lines: Lines, against: float, what: str, read: Callable[[Floats], Floats]) -> Measured:
    found = _tested(lines, against, what, read(lines.advantage()))
    first, second = (float(read(table).mean()) for table in lines.tables)
    return replace(found, first_mean=first, second_mean=second)


def _tested(lines: Lines, against: float, what: str, sample: Floats) -> Measured:
    """The verdict on an advantage, given for each topic."""
    p = t_test(sample)
    verdict: Verdict = "agrees" if p < ALPHA else "disagrees" if t_test(-sample) < against else "undecided"
    return Measured(
        what=what,
        metric=lines.metric,
        first=lines.labels[0],
        second=lines.labels[1],
        difference=float(sample.mean()),
        p=p,
        n=len(sample),
        verdict=verdict,
    )


def _early(lines: Lines) -> Callable[[Floats], Floats]:
    columns = lines.x <= EARLY * lines.x[-1]
    return lambda table: np.asarray(table[:, columns].mean(axis=1))


def _end(lines: Lines) -> str:
    return f"for n = {lines.x[-1]:,.0f}" if lines.static else f"after {lines.x[-1]:,.0f} pages"
