"""Share of the oracle: how much of what was possible a crawl achieved.

target_recall_auc / target_recall_auc of the oracle on the same topic

The oracle knows how far every page is from the nearest target, so links and seeds that lead nowhere cost it as little
as they can. (No paper has it; the areas are those of Topical Crawling for Business Intelligence, eq. 4.)
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Track
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import OURS, Metric
from lycosa.lab.metrics.target_recall_auc import target_recall_auc


def oracle_share(evidence: Evidence, track: Track) -> float:
    """The area under target recall as a share of the oracle's; nan where the oracle has none."""
    if evidence.oracle is None:
        return np.nan
    return target_recall_auc(evidence, track) / (target_recall_auc(evidence, evidence.oracle) or np.nan)


METRIC = Metric(
    key="oracle_share",
    title="Share of the oracle",
    kind="value",
    unit="share",
    meaning="The area under target recall as a share of what the oracle reaches on the same topic",
    paper=OURS,
    measure=oracle_share,
)
