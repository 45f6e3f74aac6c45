"""How statements are tested: paired over topics, in the direction of the statement, at one level for all.

A part of a claim agrees if the difference has the paper's direction and is significant: one-tailed, and uncorrected
because all parts must agree. It disagrees if the difference is significant in the other direction, by the same rule.
Else it is undecided, and leans one way; if its two halves contradict each other (ahead on average, but not for most of
the crawl), it is undecided and mixed. One part that disagrees is enough against the whole claim, so there the level
is divided among the parts (JudgedClaim.verdict).

A lead that was published as not significant is confirmed by one that is not significant here either. A significant one
contradicts it, as does being significantly behind; being behind without significance leaves it undecided.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from lycosa.lab.comparison import Floats
from lycosa.lab.metric_names import metric_name
from lycosa.lab.phrasing import chance, counted, number, percent
from lycosa.lab.statistics.compare import t_test
from lycosa.lab.statistics.summary import unit
from lycosa.lab.studies.claim import ALPHA, Lines, Measured, Unmeasurable, Verdict

EARLY = 0.25
"""The share of a crawl that is called early."""
NEARLY_ALL = 0.9
"""A curve that is ahead on a larger share than this is ahead throughout."""


def leads_at_end(lines: Lines) -> Measured:
    """The first is better than the second when the crawl is over."""
    return _measured(lines, f"{metric_name(lines.metric)} {_end(lines)}", lambda table: table[:, -1])


def leads_early(lines: Lines) -> Measured:
    """The first is better than the second early in the crawl."""
    return _measured(lines, f"{metric_name(lines.metric)}, first quarter of the crawl", _early(lines))


def leads_mostly(lines: Lines) -> Measured:
    """The first is better than the second for most of the crawl (or of the n), and on its average."""
    return _leads(lines, "n" if lines.static else "the crawl", slice(None), 0.5)


def leads_on_few(lines: Lines) -> Measured:
    """The first covers more of the best pages where few are asked for (the lower half of the n), throughout."""
    few, _ = _halves(lines)
    return _leads(lines, f"n up to {lines.x[few][-1]:,.0f}", few, NEARLY_ALL)


def leads_on_many(lines: Lines) -> Measured:
    """The first covers more of the best pages where many are asked for (the upper half of the n), throughout."""
    _, many = _halves(lines)
    return _leads(lines, f"n from {lines.x[many][0]:,.0f} on", many, NEARLY_ALL)


def leads_slightly(lines: Lines) -> Measured:
    """The first is ahead of the second at the end, by a lead that was not significant in the paper."""
    found = leads_at_end(lines)
    if found.verdict == "agrees":
        note = "ahead as published, but here the lead is significant"
        return replace(found, verdict="disagrees", p_against=found.p, note=note)
    if found.verdict == "undecided" and found.difference > 0 and found.n > 1:
        return replace(found, verdict="agrees", note="ahead, and here too not significantly")
    return found


def recovers(lines: Lines) -> Measured:
    """The first gains on the second from early in the crawl to its end, and is not behind any longer then."""
    gap = lines.advantage()
    early, late = _early(lines)(gap), gap[:, -1]
    found = _tested(lines, f"{metric_name(lines.metric)}, lead over {lines.labels[1]}", late - early)
    behind = t_test(-late)
    against = float(np.fmin(found.p_against, behind))
    found = replace(
        found,
        p_against=against,
        first=f"{lines.labels[0]} {_end(lines)}",
        second="over the first quarter",
        first_mean=float(late.mean()),
        second_mean=float(early.mean()),
        verdict="disagrees" if against < ALPHA else found.verdict,
        note="" if late.mean() >= 0 else f"that it is behind at the end has p {chance(behind)}",
    )
    return _agrees_only(found, late.mean() >= 0, found.note)


def leads_more_on_few(lines: Lines) -> Measured:
    """The first is ahead where few of the best pages are asked for, and by more than where many are."""
    gap = lines.advantage()
    lower, upper = _halves(lines)
    few, many = gap[:, lower].mean(axis=1), gap[:, upper].mean(axis=1)
    found = _tested(lines, f"{metric_name(lines.metric)}, lead over {lines.labels[1]}", few - many)
    found = replace(
        found,
        first=f"{lines.labels[0]} for n up to {lines.x[lower][-1]:,.0f}",
        second="for more",
        first_mean=float(few.mean()),
        second_mean=float(many.mean()),
    )
    return _agrees_only(found, few.mean() > 0, "it is not ahead there")


def lies_between(lines: Lines) -> Measured:
    """The first lies between the second and the third, on average; it must on both sides, so the larger p decides."""
    means = [table.mean(axis=1) for table in lines.tables]
    top = 1 if lines.advantage(1, 2).mean() > 0 else 2  # whichever of the two is better here
    inside = {end: lines.advantage(*((end, 0) if end == top else (0, end))).mean(axis=1) for end in (1, 2)}
    tight, far = sorted(inside, key=lambda end: -np.nan_to_num(t_test(inside[end]), nan=1.0))
    what = f"{metric_name(lines.metric)}, between {lines.labels[1]} and {lines.labels[2]}"
    found = _tested(lines, what, inside[tight])
    return replace(
        found,
        second=lines.labels[tight],
        first_mean=float(means[0].mean()),
        second_mean=float(means[tight].mean()),
        note=f"{lines.labels[far]} {number(float(means[far].mean()), unit(lines.metric))}",
    )


def falls_more(lines: Lines) -> Measured:
    """The first falls more than the second from early in the crawl to its end, whether or not that is good."""
    early = _early(lines)
    falls = [early(table) - table[:, -1] for table in lines.tables]
    what = f"fall of {metric_name(lines.metric)} from the first quarter to the end"
    found = _tested(lines, what, falls[0] - falls[1])
    found = replace(found, first_mean=float(falls[0].mean()), second_mean=float(falls[1].mean()))
    return _agrees_only(found, found.first_mean > 0, "it does not fall")


def _leads(lines: Lines, where: str, columns: slice, share: float) -> Measured:
    """The first is better on average over some columns, and on more than a share of them."""
    what = f"{metric_name(lines.metric)}, averaged over {where}"
    found = _measured(lines, what, lambda table: np.asarray(table[:, columns].mean(axis=1)))
    # An average lead may come from a small part of the crawl.
    ahead = float((lines.advantage()[:, columns].mean(axis=0) > 0).mean())
    sure = ahead > share if found.verdict == "agrees" else ahead < share
    found = replace(found, note=f"ahead on {percent(ahead)} of {where}")
    # The average may say one thing and most of the crawl another.
    return found if sure else replace(found, verdict="undecided", mixed=found.verdict != "undecided")


def _agrees_only(found: Measured, holds: bool, otherwise: str) -> Measured:
    """An agreement that holds only under a further condition; without it undecided, for the reason given."""
    if found.verdict != "agrees" or holds:
        return found
    return replace(found, verdict="undecided", mixed=True, note=otherwise)


def _measured(lines: Lines, what: str, read: Callable[[Floats], Floats]) -> Measured:
    found = _tested(lines, what, read(lines.advantage()))
    first, second = (float(read(table).mean()) for table in lines.tables)
    return replace(found, first_mean=first, second_mean=second)


def _tested(lines: Lines, what: str, sample: Floats) -> Measured:
    """The verdict on an advantage, given for each topic."""
    p, against = t_test(sample), t_test(-sample)
    verdict: Verdict = "agrees" if p < ALPHA else "disagrees" if against < ALPHA else "undecided"
    return Measured(
        what=what,
        metric=lines.metric,
        first=lines.labels[0],
        second=lines.labels[1],
        difference=float(sample.mean()),
        p=p,
        p_against=against,
        n=len(sample),
        left_out=lines.left_out,
        verdict=verdict,
        account=_account(lines, what, sample),
    )


def _account(lines: Lines, what: str, sample: Floats) -> str:
    """On how many topics the statement holds, and on which it holds least."""
    if len(lines.topics) != len(sample):
        return ""
    holds, least = int((sample > 0).sum()), int(sample.argmin())
    told = f"{what}, {lines.labels[0]} against {lines.labels[1]}: as published on {holds} of "
    told += counted(len(sample), "topic")
    return told if sample[least] >= 0 else f"{told}, least on {lines.topics[least]} ({_signed(lines, sample[least])})"


def _signed(lines: Lines, value: float) -> str:
    told = number(float(value), unit(lines.metric))
    return told if told.startswith("−") else f"+{told}"


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
