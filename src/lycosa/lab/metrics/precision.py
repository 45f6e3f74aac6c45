"""Precision (Topical Crawling for Business Intelligence, eq. 1-3): how similar the pages are to the description.

precision@N = (1 / N) * sum over i = 1..N of sim(d, p_i)                        (1)
w_kp = (0.5 + 0.5 tf_kp / max tf of p) * ln(|C*| / df_k)                        (2)
sim(d, p) = v_d · v_p / (||v_d|| ||v_p||)                                       (3)

C* is the pool of the pages that all crawls of the topic fetched, df_k the number of them that hold the stem k. The
description d is weighted like a page; its stems on no page of the pool have no df and are left out.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.words import terms
from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import BUSINESS_INTELLIGENCE, Metric
from lycosa.lab.metrics.vectors import augmented


def similarity(evidence: Evidence) -> Floats:
    """sim(d, p) of each page of the pool; nan for a topic without a description."""
    words = terms(evidence.topic.description)
    if not words:
        return np.full(len(evidence.pool), np.nan)
    return evidence.augmented.cosine(augmented(evidence.corpus.row(evidence.topic.description), max(words.values())))


METRIC = Metric(
    key="precision",
    title="Precision",
    unit="score",
    meaning="The mean similarity of the first N pages to the description, which the crawlers never saw",
    paper=BUSINESS_INTELLIGENCE,
    measure=average(similarity),
)
