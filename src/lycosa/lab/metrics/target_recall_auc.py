"""The area under target recall: its mean over every step of the budget, so that early finds count more.

(1 / B) * sum over N = 1..B of target recall@N = (1 / (B |T|)) * sum over found targets of (B - s + 1)

B is the budget and s the step at which a target was fetched: from then on it counts at every step. A crawl that ends
early keeps its recall to the end of the budget. (Recall: Topical Crawling for Business Intelligence, eq. 4.)
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Track
from lycosa.lab.metrics.curves import steps_to
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import BUSINESS_INTELLIGENCE, Metric


def target_recall_auc(evidence: Evidence, track: Track) -> float:
    """The mean of target recall over all steps of the budget; nan for a topic without targets."""
    steps = steps_to(evidence.targets, track)
    return float((evidence.budget - steps + 1).sum() / (evidence.budget * evidence.target_count or np.nan))


METRIC = Metric(
    key="target_recall_auc",
    title="Target recall, area",
    kind="value",
    unit="share",
    meaning="Target recall averaged over every step of the crawl, so that finding targets early counts",
    paper=BUSINESS_INTELLIGENCE,
    measure=target_recall_auc,
)
