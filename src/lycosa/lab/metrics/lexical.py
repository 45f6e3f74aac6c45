"""Lexical page quality (Exploration versus Exploitation, 4.1): the rank SMART gives a page for the description.

w_kp = (1 + ln tf_kp) * ln(|S| / df_k), divided by ||w_p||;  rank by the dot product v_d · v_p, 1 is best

S is the pool of the pages that all crawls of the topic fetched. Of SMART's weighting schemes, which the paper leaves
open, this is «ltc» for pages and description: without the normalisation long pages come first whatever they are about
(mean average precision of the relevant pages over the 24 topics of the schools bed: .32 against .24).

rank_lexical is the mean rank of the first N pages (dynamic), coverage_lexical the share of the best n held (static).
"""

from __future__ import annotations

import numpy as np

from lycosa.core.words import terms
from lycosa.lab.comparison import Floats
from lycosa.lab.metrics.curves import average, coverage
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import EXPLORATION, Metric
from lycosa.lab.metrics.ranks import ranks
from lycosa.lab.metrics.vectors import logarithmic


def lexical_rank(evidence: Evidence) -> Floats:
    """rank_SMART of each page of the pool; nan for a topic without a description."""
    return rank_for(evidence, evidence.topic.description)


def rank_for(evidence: Evidence, text: str) -> Floats:
    """The rank that each page of the pool has for a text; nan for a text without words."""
    if not terms(text):
        return np.full(len(evidence.pool), np.nan)
    return ranks(evidence.smart.cosine(logarithmic(evidence.corpus.row(text))))


RANK = Metric(
    key="rank_lexical",
    title="Mean rank, lexical",
    unit="rank",
    better="lower",
    meaning="The mean rank of the first N pages when the pool is ranked by similarity to the description",
    paper=EXPLORATION,
    measure=average(lexical_rank, low_is_good=True),
)

COVERAGE = Metric(
    key="coverage_lexical",
    title="Coverage of the top n, lexical",
    kind="coverage",
    unit="share",
    meaning="The share held of the n pages of the pool that are most similar to the description",
    paper=EXPLORATION,
    measure=coverage(lexical_rank),
)
