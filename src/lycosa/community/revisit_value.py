"""What a revisit of a page is worth: how relevant it is, how likely it has changed, how many others it points to.

    value = relevance x P(changed since the last look) x (1 + hub) / 2^faults

Hub is 0 to 1, the page's hub score as a share of the best one's; faults are the attempts in vain since the last look,
so that a dead host does not eat up every night's budget. Changes are taken for a Poisson process: P is then
1 - exp(-rate x age).

The rate, for few looks at irregular times: if all looks that showed a change came c days after the one before them, the
likelihood of what was seen is greatest at

    rate = ln(1 + C / U) / c

where C are the days between looks that showed a change, c = C / (number of changes), and U are the days between looks
that showed none. With looks at regular intervals I this is -ln((n - X) / n) / I for X changes in n looks, the estimator
that Cho and Garcia-Molina start from in «Estimating frequency of change» (ACM TOIT 2003, quoted from memory); like
theirs it has no answer for pages that changed at every look. They add half a look without change; we add half a look
after thirty days that is undecided, half a change and half none, which also answers for pages seen only once.
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
"""What is thought of a page before anything is known of it: that weight has a look after so many days."""
LEAST_RELEVANCE = 0.01
"""A page without any relevance is looked at once in a while, too."""


class Due(NamedTuple):
    """A page, what looking at it again is worth, and the factors of that."""

    url: str
    value: float
    parts: dict[str, float]
    age: float
    """Days since the last look."""
    rate: float
    """Changes a day."""


def change_rate(changes: int = 0, stirred: float = 0.0, quiet: float = 0.0) -> float:
    """Changes a day: seen so many, in so many days of intervals with a change and in so many of intervals without."""
    half = PRIOR_LOOK / 2
    in_change, in_quiet = stirred + half * PRIOR_DAYS, quiet + half * PRIOR_DAYS
    return math.log1p(in_change / in_quiet) * (changes + half) / in_change


def worth(page: PageRow, history: History | None, hub: float, now: float) -> Due:
    """What looking at a page again is worth now."""
    seen, faults, rate, stale = page.at, 0, change_rate(), False
    if history:
        seen, faults = history.seen, history.faults
        rate = change_rate(history.changes, history.stirred / DAY, history.quiet / DAY)
        # Some other crawl has seen it as it is now, and our copy is an older one.
        stale = history.digest != page.digest and history.seen > page.at
    age = max(0.0, now - seen) / DAY
    parts = {
        "relevance": max(page.relevance, LEAST_RELEVANCE),
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
        """Nothing follows from it."""
        return ()
