"""Target recall against requests: dead links, redirects and robots.txt cost a crawl as much as a page does.

target recall by requests@N = |T ∩ C_N| / |T|
its area = (1 / B) * sum over N = 1..B of target recall by requests@N
share of the oracle by requests = its area / the oracle's, on the same topic

T are the targets of the topic and C_N the pages that the first N requests brought. Every URL that was asked for is a
request, whatever came back, and so are one robots.txt for each host and the pages read before the crawl began. The area
is over the first B requests, where B is the budget in pages: a crawl that spends its budget makes at least as many.
The oracle asks for no dead link and follows no redirect. (No paper has it; recall is that of Topical Crawling for
Business Intelligence, eq. 4.)
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.curves import count_so_far, steps_to
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import OURS, Metric


def requests_to(pages: Ids, track: Track) -> Ids | None:
    """The requests that brought these pages, in rising order; None if requests were not counted."""
    return None if track.requests is None else np.cumsum(track.requests, dtype=np.int32)[steps_to(pages, track) - 1]


def recall(evidence: Evidence, track: Track, points: Ids) -> Floats:
    """The share of the targets that the first N requests brought; nan if requests were not counted."""
    found = requests_to(evidence.targets, track)
    if found is None:
        return np.full(len(points), np.nan)
    return count_so_far(found, points) / (evidence.target_count or np.nan)


def area(evidence: Evidence, track: Track) -> float:
    """The mean of target recall over the first B requests, B being the budget in pages."""
    found = requests_to(evidence.targets, track)
    if found is None:
        return np.nan
    gained = np.maximum(0, evidence.budget - found + 1).sum()
    return float(gained / (evidence.budget * evidence.target_count or np.nan))


def share(evidence: Evidence, track: Track) -> float:
    """The area as a share of the oracle's; nan where the oracle has none."""
    return area(evidence, track) / (area(evidence, evidence.oracle) or np.nan) if evidence.oracle else np.nan


RECALL = Metric(
    key="target_recall_requests",
    title="Target recall by requests",
    over="requests",
    unit="share",
    meaning="The share of the known targets among the pages that the first N requests brought, dead links counted",
    paper=OURS,
    measure=recall,
)

AREA = Metric(
    key="target_recall_requests_auc",
    title="Target recall by requests, area",
    kind="value",
    unit="share",
    meaning="Target recall averaged over as many requests as a crawl may fetch pages, dead links counted",
    paper=OURS,
    measure=area,
)

SHARE = Metric(
    key="oracle_share_requests",
    title="Share of the oracle by requests",
    kind="value",
    unit="share",
    meaning="The area under target recall by requests as a share of what the oracle reaches on the same topic",
    paper=OURS,
    measure=share,
)
