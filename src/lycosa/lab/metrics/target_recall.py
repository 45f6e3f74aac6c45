"""Target recall (Topical Crawling for Business Intelligence, eq. 4): the share of the targets that were found.

target recall@N = |T ∩ C_N| / |T|

T are the targets of the topic, those that the world does not hold among them, and C_N the first N fetched pages.
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.curves import count_so_far, steps_to
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import BUSINESS_INTELLIGENCE, Metric


def target_recall(evidence: Evidence, track: Track, points: Ids) -> Floats:
    """The share of the targets among the first N pages; nan for a topic without targets."""
    return count_so_far(steps_to(evidence.targets, track), points) / (evidence.target_count or np.nan)


METRIC = Metric(
    key="target_recall",
    title="Target recall",
    unit="share",
    meaning="The share of the known targets that are among the first N pages",
    paper=BUSINESS_INTELLIGENCE,
    measure=target_recall,
)
