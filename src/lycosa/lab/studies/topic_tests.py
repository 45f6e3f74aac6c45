"""How statements are tested: paired over topics, in the direction of the statement, at one level for all.

A part of a claim agrees if the difference has the paper's direction and is significant: one-tailed, and uncorrected
because all parts must agree. It disagrees if the difference is significant in the other direction; one such part is
enough against the whole claim, so the level is divided among the parts (`against`). Else it is undecided.

A lead that was published as not significant is held to the same rule. Of two that do equally well either is ahead half
of the time, so a lead without significance, as in the paper, does not confirm it; a significant lead does.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from lycosa.lab.comparison import Floats
from lycosa.lab.findings import metric_name
from lycosa.lab.phrasing import chance, number, percent
from lycosa.lab.statistics.compare import t_test
from lycosa.lab.statistics.summary import unit
from lycosa.lab.studies.claim import ALPHA, Lines, Measured, Unmeasurable, Verdict

EARLY = 0.25
"""The share of a crawl that is called early."""
NEARLY_ALL = 0.9
"""A curve that is ahead on a larger share than this is ahead throughout."""


def leads_at_end(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is better than the second when the crawl is over."""
    return _measured(lines, against, f"{metric_name(lines.metric)} {_end(lines)}", lambda table: table[:, -1])


def leads_early(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is better than the second early in the crawl."""
    return _measured(lines, against, f"{metric_name(lines.metric)}, first quarter of the crawl", _early(lines))


def leads_mostly(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is better than the second for most of the crawl (or of the n), and on its average."""
    return _leads(lines, against, "n" if lines.static else "the crawl", slice(None), 0.5)


def leads_on_few(lines: Lines, against: float = ALPHA) -> Measured:
    """The first covers more of the best pages where few are asked for (the lower half of the n), throughout."""
    few, _ = _halves(lines)
    return _leads(lines, against, f"n up to {lines.x[few][-1]:,.0f}", few, NEARLY_ALL)


def leads_on_many(lines: Lines, against: float = ALPHA) -> Measured:
    """The first covers more of the best pages where many are asked for (the upper half of the n), throughout."""
    _, many = _halves(lines)
    return _leads(lines, against, f"n from {lines.x[many][0]:,.0f} on", many, NEARLY_ALL)


def leads_slightly(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is ahead of the second at the end, by a lead that was not significant in the paper."""
    found = leads_at_end(lines, against)
    if found.verdict == "agrees":
        return replace(found, note="here the lead is significant")
    if found.verdict == "undecided" and found.difference > 0 and found.n > 1:
        return replace(found, note="ahead, but here too not significantly")
    return found


def recovers(lines: Lines, against: float = ALPHA) -> Measured:
    """The first gains on the second from early in the crawl to its end, and is not behind any longer then."""
    gap = lines.advantage()
    early, late = _early(lines)(gap), gap[:, -1]
    found = _tested(lines, against, f"{metric_name(lines.metric)}, lead over {lines.labels[1]}", late - early)
    behind = t_test(-late)
    found = replace(
        found,
        first=f"{lines.labels[0]} {_end(lines)}",
        second="over the first quarter",
        first_mean=float(late.mean()),
        second_mean=float(early.mean()),
        verdict="disagrees" if behind < against else found.verdict,
        note="" if late.mean() >= 0 else f"that it is behind at the end has p {chance(behind)}",
    )
    return _agrees_only(found, late.mean() >= 0, found.note)


def leads_more_on_few(lines: Lines, against: float = ALPHA) -> Measured:
    """The first is ahead where few of the best pages are asked for, and by more than where many are."""
    gap = lines.advantage()
    lower, upper = _halves(lines)
    few, many = gap[:, lower].mean(axis=1), gap[:, upper].mean(axis=1)
    found = _tested(lines, against, f"{metric_name(lines.metric)}, lead over {lines.labels[1]}", few - many)
    found = replace(
        found,
        first=f"{lines.labels[0]} for n up to {lines.x[lower][-1]:,.0f}",
        second="for more",
        first_mean=float(few.mean()),
        second_mean=float(many.mean()),
    )
    return _agrees_only(found, few.mean() > 0, "it is not ahead there")


def lies_between(lines: Lines, against: float = ALPHA) -> Measured:
    """The first lies between the second and the third, on average; it must on both sides, so the larger p decides."""
    means = [table.mean(axis=1) for table in lines.tables]
    top = 1 if lines.advantage(1, 2).mean() > 0 else 2  # whichever of the two is better here
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
    found = replace(found, first_mean=float(falls[0].mean()), second_mean=float(falls[1].mean()))
    return _agrees_only(found, found.first_mean > 0, "it does not fall")


def _leads(lines: Lines, against: float, where: str, columns: slice, share: float) -> Measured:
    """The first is better on average over some columns, and on more than a share of them."""
    what = f"{metric_name(lines.metric)}, averaged over {where}"
    found = _measured(lines, against, what, lambda table: np.asarray(table[:, columns].mean(axis=1)))
    # An average lead may come from a small part of the crawl.
    ahead = float((lines.advantage()[:, columns].mean(axis=0) > 0).mean())
    sure = ahead > share if found.verdict == "agrees" else ahead < share
    return replace(found, verdict=found.verdict if sure else "undecided", note=f"ahead on {percent(ahead)} of {where}")


def _agrees_only(found: Measured, holds: bool, otherwise: str) -> Measured:
    """An agreement that holds only under a further condition; without it undecided, for the reason given."""
    return replace(found, verdict="undecided", note=otherwise) if found.verdict == "agrees" and not holds else found


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
        left_out=lines.left_out,
        verdict=verdict,
    )


def _early(lines: Lines) -> Callable[[Floats], Floats]:
    columns = lines.x <= EARLY * lines.x[-1]
    return lambda table: np.asarray(table[:, columns].mean(axis=1))


def _halves(lines: Lines) -> tuple[slice, slice]:
    """The columns of few best pages, and of many."""
    middle = len(lines.x) // 2
    if not middle:
        raise Unmeasurable(f"crawls of more than {lines.x[-1]:,.0f} pages")
    return slice(middle), slice(middle, None)


def _end(lines: Lines) -> str:
    return f"for n = {lines.x[-1]:,.0f}" if lines.static else f"after {lines.x[-1]:,.0f} pages"
