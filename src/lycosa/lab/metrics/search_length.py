"""Search length (Crawling the Web, 4.2): how many pages it takes to find half of the targets.

min N such that target recall@N >= 0.5; the whole budget where there is none

Without the budget in its place, a crawl that finds half of the targets on easy topics only would seem quicker than one
that finds them on all. Targets that the world does not hold count as in target recall.
"""

from __future__ import annotations

from math import ceil, nan

from lycosa.lab.comparison import Track
from lycosa.lab.metrics.curves import steps_to
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric

SHARE = 0.5


def search_length(evidence: Evidence, track: Track, share: float = SHARE) -> float:
    """The pages fetched until that share of the targets is found; the budget if it never is."""
    if not evidence.target_count:
        return nan
    wanted = ceil(share * evidence.target_count - 1e-9)  # 0.1 * 30 is a little more than 3
    steps = steps_to(evidence.targets, track)
    return float(steps[wanted - 1]) if wanted <= len(steps) else float(evidence.budget)


METRIC = Metric(
    key="search_length",
    title="Search length",
    kind="value",
    unit="pages",
    better="lower",
    meaning="The number of pages fetched until half of the targets are found, or the whole budget",
    paper=CRAWLING_THE_WEB,
    measure=search_length,
)
