"""Importance 2, similarity to a query (Crawling the Web, 4.1): the cosine between keywords and page.

v_q · v_p / (||v_q|| ||v_p||) with term frequencies as weights

It is the crawlers' own sim(q, p) of the naive best-first crawler, so those that use it are judged here by what they
aim at; `precision` is the same question asked with the description, which none of them saw.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.words import norm, terms
from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric
from lycosa.lab.metrics.vectors import cosine


def query(evidence: Evidence) -> Floats:
    """The cosine of each page to the keywords."""
    words = evidence.corpus.row(evidence.topic.keywords)
    vector = np.zeros(words.shape[1])
    vector[words.indices] = words.data
    lengths = evidence.corpus.norms[evidence.pool]
    return cosine(evidence.terms @ vector, norm(terms(evidence.topic.keywords)), lengths)


METRIC = Metric(
    key="relevance_query",
    title="Relevance by query",
    unit="score",
    meaning="The mean similarity of the first N pages to the keywords",
    paper=CRAWLING_THE_WEB,
    measure=average(query),
)
