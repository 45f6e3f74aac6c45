"""Importance 5, retrieval system rank (Crawling the Web, 4.1): how far up a page is when the pool is searched.

1 - (rank_p - 1) / |S|

S is the pool of the pages that all crawls of the topic fetched and rank_p SMART's rank in it (see lexical.py) for the
description, or for the keywords where a topic has none. Unlike `rank_lexical` it does not depend on the pool's size,
so that topics weigh the same in a mean.
"""

from __future__ import annotations

from lycosa.core.words import terms
from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.lexical import lexical_rank, rank_for
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric


def rank(evidence: Evidence) -> Floats:
    """The rank of each page as a score: 1 for the best, 1 / |S| for the last."""
    topic = evidence.topic
    ranks = evidence.of(lexical_rank) if terms(topic.description) else rank_for(evidence, topic.keywords)
    return 1 - (ranks - 1) / max(len(evidence.pool), 1)


METRIC = Metric(
    key="relevance_rank",
    title="Relevance by retrieval rank",
    unit="score",
    meaning="How far up the first N pages are on average when the pool is searched, 1 being the first place",
    paper=CRAWLING_THE_WEB,
    measure=average(rank),
)
