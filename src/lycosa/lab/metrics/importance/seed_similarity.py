"""Importance 3, similarity to seed pages (Crawling the Web, 4.1): the cosine between a page and all seeds as one text.

v_s · v_p / (||v_s|| ||v_p||) with w_k = (1 + ln tf_k) * ln(|pool| / df_k), tf over the seed pages put together

The seeds are the topic's examples on every task, because a neighbour need not be relevant; only a topic without
examples is measured by its neighbours.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric
from lycosa.lab.metrics.vectors import logarithmic


def seeds(evidence: Evidence) -> Floats:
    """The cosine of each page to the seed pages as one document; nan when no seed is a page."""
    if not len(evidence.examples):
        return np.full(len(evidence.pool), np.nan)
    together = csr_array(evidence.corpus.terms[evidence.examples].sum(axis=0)[np.newaxis])
    return evidence.smart.cosine(logarithmic(together))


METRIC = Metric(
    key="relevance_seeds",
    title="Relevance by seed pages",
    unit="score",
    meaning="The mean similarity of the first N pages to the seed pages put together",
    paper=CRAWLING_THE_WEB,
    measure=average(seeds),
)
