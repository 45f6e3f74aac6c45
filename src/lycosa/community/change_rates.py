"""How often pages change: what is believed of the rate of each, from few observations and from pages like it.

Changes are a Poisson process of an unknown rate. What is observed of a page are changes at known times, changes in
intervals, and time without a change. For rates r on a grid (RATES), the likelihood of that is

    L(r) = r^dated x product of (1 - exp(-r i)) over the intervals i with a change x exp(-r quiet)

A page's belief is L x prior. The priors are empirical: pages of one kind and site teach what to expect of the others.
Each prior is the mean belief over its pages, found by expectation maximisation, together with that many more pages
(WEIGHT) that are as the prior above it expects. Above a kind at one site is the kind at all sites, above that are all
pages, and above these is START. A grid can have several peaks, so a site where a part of the pages changes every minute
says nothing false about the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.community.page_history import INTERVALS

Numbers = NDArray[np.float64]
Groups = NDArray[np.intp]

RATES: Numbers = 2.0 ** np.arange(-10, 6.01, 0.5)
"""Changes per day: from one in three years to one in 22 minutes."""
_IN_INTERVAL: Numbers = np.log(-np.expm1(-np.outer(INTERVALS, RATES)))
"""The logarithm of the probability of a change in each interval."""
_START_DAYS, _START_SPREAD = 43.0, 2.0
"""What is expected of a page of which nothing is known: the centre, and the spread of the logarithm."""
START: Numbers = np.exp(-0.5 * (np.log(RATES * _START_DAYS) / _START_SPREAD) ** 2)
START /= START.sum()
WEIGHT = 5.0
"""Pages that a prior is worth where it is the prior of another."""
_ROUNDS = 15
"""Rounds of expectation maximisation. More of them sharpen the priors beyond what a few observations support."""
HORIZON = 100.0
"""Days for which what a check teaches is used."""
_SCHEDULES: Numbers = 2.0 ** np.arange(-1, 9, 0.5)
"""Days between the checks of a page, from which its schedule is chosen."""
_FRESH: Numbers = -np.expm1(-np.outer(RATES, _SCHEDULES)) / np.outer(RATES, _SCHEDULES)
"""The share of time for which a page of each rate is fresh if it is checked at each interval."""


class Evidence(NamedTuple):
    """What was observed of some pages; times are in days."""

    dated: Numbers
    """Changes whose time is known."""
    blurred: Numbers
    """Checks that showed a change of unknown time: a row for each page, a column for each of INTERVALS."""
    quiet: Numbers
    """How long it is known that there was no change."""


def likelihood(seen: Evidence) -> Numbers:
    """The likelihood of each rate, up to a factor, a row for each page."""
    logs = np.outer(seen.dated, np.log(RATES)) + seen.blurred @ _IN_INTERVAL - np.outer(seen.quiet, RATES)
    return np.asarray(np.exp(logs - logs.max(1, keepdims=True)))


def beliefs(seen: Evidence, kinds: Groups, groups: Groups) -> Numbers:
    """The belief about the rate of each page: the probability of each of RATES.

    `kinds` numbers the kind of each page from 0, and `groups` the kind and site.
    """
    likely = likelihood(seen)
    # Pages of which nothing was observed teach nothing.
    told = (seen.dated > 0) | seen.blurred.any(1) | (seen.quiet > 0)
    everywhere = np.zeros(len(likely), np.intp)
    prior = _priors(likely, told, everywhere, START[None])
    prior = _priors(likely, told, kinds, prior[everywhere])
    prior = _priors(likely, told, groups, prior[kinds])
    return _believed(likely, prior[groups])


def _priors(likely: Numbers, told: NDArray[np.bool_], groups: Groups, above: Numbers) -> Numbers:
    """The prior of each group; `above` has the prior above it, for each page or for all."""
    count = int(groups.max(initial=-1)) + 1
    start = np.empty((count, len(RATES)))
    start[groups] = above
    if not told.any():
        return start
    likely, groups = likely[told], groups[told]
    order = np.argsort(groups, kind="stable")
    likely, groups = likely[order], groups[order]
    present, first = np.unique(groups, return_index=True)
    base = WEIGHT * start[present]
    prior = start[present]
    inside = np.searchsorted(present, groups)
    for _ in range(_ROUNDS):
        prior = base + np.add.reduceat(_believed(likely, prior[inside]), first)
        prior /= prior.sum(1, keepdims=True)
    start[present] = prior
    return start


def _believed(likely: Numbers, prior: Numbers) -> Numbers:
    belief = likely * prior
    # A prior may exclude what is observed, as far as numbers of 64 bits can tell.
    belief += 1e-300
    return np.asarray(belief / belief.sum(1, keepdims=True))


class Prospect(NamedTuple):
    """What checking some pages now would bring."""

    gain: Numbers
    """Days of freshness gained, each."""
    changed: Numbers
    """The probability that the page has changed."""
    rate: Numbers
    """Changes per day: the geometric mean of the belief."""


def prospects(belief: Numbers, age: Numbers, told: Numbers) -> Prospect:
    """What a check brings at an age in days; `told` is the probability of a change by anything but the age.

    A page of the rate r that is checked every T days is fresh for (1 - exp(-r T)) / (r T) of the time. The best
    schedule checks all pages at which one more check per day brings the same, which is (1 - (1 + r T) exp(-r T)) / r
    (Cho and Garcia-Molina 2003; Azar et al. 2018): so the pages to be checked now are those where this is largest at
    their age. It never exceeds 1 / r: pages that change faster than they can be seen stay below the others. A sign of
    a change counts as the age at which the page would be as likely to have changed (Busa-Fekete et al. 2025).
    """
    doubt = np.maximum(1.0 - told, 1e-12)[:, None]
    due = np.outer(age, RATES) - np.log(doubt)
    same, changed = np.exp(-due), -np.expm1(-due)
    gain = (belief * (changed - due * same) / RATES).sum(1)
    return Prospect(gain, (belief * changed).sum(1), np.exp(belief @ np.log(RATES)))


def lessons(belief: Numbers, age: Numbers, price: Numbers) -> Numbers:
    """Days of freshness that later checks bring because of what a check now teaches.

    `price` is what a check of each page costs, in days of its freshness. Both answers, changed or not, may lead to a
    better schedule: this is worth nothing where the rate is known, most where a page may change slowly or too fast.
    """
    same = np.exp(-np.outer(age, RATES))
    unchanged = belief * same
    changed = belief - unchanged
    # A belief times its probability: what it brings is proportional to that.
    before, after = _brings(belief, price), _brings(unchanged, price) + _brings(changed, price)
    return HORIZON * np.maximum(after - before, 0.0)


def _brings(belief: Numbers, price: Numbers) -> Numbers:
    """Freshness under the best schedule, less the price of its checks; never to check brings nothing."""
    kept = belief @ _FRESH - np.outer(belief.sum(1) * price, 1.0 / _SCHEDULES)
    return np.asarray(np.maximum(kept.max(1), 0.0))
