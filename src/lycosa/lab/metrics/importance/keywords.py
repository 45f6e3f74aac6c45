"""Importance 1, keywords in document (Crawling the Web, 4.1): the share of the distinct keywords that a page holds.

|K ∩ T_p| / |K|, with K the stems of the keywords and T_p those of the page

Of the paper's two readings, presence and frequency, this is presence: frequency grows with the length of a page.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.words import terms
from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric


def keywords(evidence: Evidence) -> Floats:
    """The share of the keywords on each page."""
    return evidence.keywords_held / (len(terms(evidence.topic.keywords)) or np.nan)


METRIC = Metric(
    key="relevance_keywords",
    title="Relevance by keywords",
    unit="score",
    meaning="The mean share of the keywords that occur on each of the first N pages",
    paper=CRAWLING_THE_WEB,
    measure=average(keywords),
)
