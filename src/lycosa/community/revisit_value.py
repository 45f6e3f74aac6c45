"""The value of a revisit of a page: how relevant it is, how likely it has changed, how good a hub it is.

    value = relevance x P(changed since the last check) x (1 + hub) / 2^faults

Hub is 0 to 1, the page's hub score as a share of the best one's. Faults are the failed attempts since the last check,
so that a dead host does not use up the budget of every revisit. Changes are modelled as a Poisson process, so P is
1 - exp(-rate x age).

The rate, for few checks at irregular times: if all checks that showed a change came c days after the one before them,
the likelihood of the observations is greatest at

    rate = ln(1 + C / U) / c

where C is the total days of intervals that showed a change, c = C / (number of changes), and U the total days of
intervals that showed none. With checks at regular intervals I this is -ln((n - X) / n) / I for X changes in n checks,
the estimator that Cho and Garcia-Molina start from in "Estimating frequency of change" (ACM TOIT 2003, quoted from
memory). Like theirs it has no answer for pages that changed at every check. They add half a check without change; we
add half a check after thirty days, half of it a change and half none, which also works for pages seen only once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from lycosa.community.freshness import History
from lycosa.core.brief import Brief
from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import Strategy
from lycosa.store.rows import PageRow

DAY = 86400.0
PRIOR_DAYS, PRIOR_LOOK = 30.0, 0.5
"""The prior of the rate: a check after so many days with this weight, half of it a change."""
LEAST_RELEVANCE = 0.01
"""The least relevance in a value, so that irrelevant pages are checked once in a while, too."""


class Due(NamedTuple):
    """A page, the value of checking it, and the factors of that value."""

    url: str
    value: float
    parts: dict[str, float]
    age: float
    """Days since the last check."""
    rate: float
    """Changes per day."""


def change_rate(changes: int = 0, stirred: float = 0.0, quiet: float = 0.0) -> float:
    """Changes per day, from how many were seen in `stirred` days of intervals with a change, `quiet` days without."""
    half = PRIOR_LOOK / 2
    in_change, in_quiet = stirred + half * PRIOR_DAYS, quiet + half * PRIOR_DAYS
    return math.log1p(in_change / in_quiet) * (changes + half) / in_change


def worth(page: PageRow, history: History | None, hub: float, now: float) -> Due:
    """The value of checking a page now."""
    seen, faults, rate, stale = page.at, 0, change_rate(), False
    if history:
        seen, faults = history.seen, history.faults
        rate = change_rate(history.changes, history.stirred / DAY, history.quiet / DAY)
        # Another crawl has seen a newer version than our copy.
        stale = history.digest != page.digest and history.seen > page.at
    age = max(0.0, now - seen) / DAY
    parts = {
        "relevance": max(page.relevance or 0.0, LEAST_RELEVANCE),
        "changed": 1.0 if stale else -math.expm1(-rate * age),
        "hub": 1.0 + hub,
        "faults": 0.5**faults,
    }
    return Due(page.url, math.prod(parts.values()), parts, age, rate)


@dataclass
class ByValue(Strategy):
    """Looks at the seeds, which come in the order of their value, and follows no link."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The first seed has the highest score."""
        return [Ticket(url, 1.0 / rank) for rank, url in enumerate(brief.seeds, 1)]

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Follow no links."""
        return ()
