"""Importance 4, classifier score (Crawling the Web, 4.1): the probability of being relevant, learned from the seeds.

P(relevant | p) = 1 / (1 + exp(-(b + w · v_p)))

Learned by scikit-learn's logistic regression (C = 1, both classes weighing the same) on v = (1 + ln tf) * (1 +
ln((1 + n) / (1 + df))), normalised to length 1, df and n over the training pages. Positives are the topic's examples
(for a topic without, its neighbours), negatives up to 200 pages drawn, always alike, from what all crawls of all
topics fetched, without those labelled as relevant.
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids
from lycosa.lab.metrics.curves import average
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import CRAWLING_THE_WEB, Metric

NEGATIVES = 200
DRAW = 1


def classifier(evidence: Evidence) -> Floats:
    """The probability that each page is relevant; nan where there is nothing to learn from."""
    # It takes long to import, and is needed only here.
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    positives, negatives = evidence.examples, _others(evidence)
    if not (len(positives) and len(negatives) and evidence.terms.nnz):
        return np.full(len(evidence.pool), np.nan)
    model = make_pipeline(TfidfTransformer(sublinear_tf=True), LogisticRegression(class_weight="balanced"))
    labels = np.repeat([1, 0], [len(positives), len(negatives)])
    model.fit(evidence.corpus.terms[np.concatenate((positives, negatives))], labels)
    return np.asarray(model.predict_proba(evidence.terms)[:, 1])


def _others(evidence: Evidence) -> Ids:
    fetched = evidence.haul.pages
    known = np.union1d(evidence.relevant, evidence.examples)
    drawn = np.random.default_rng(DRAW).choice(fetched, min(len(fetched), NEGATIVES + len(known)), replace=False)
    return drawn[~np.isin(drawn, known)][:NEGATIVES]


METRIC = Metric(
    key="relevance_classifier",
    title="Relevance by classifier",
    unit="score",
    meaning="The mean probability of the first N pages of being relevant, by a classifier trained on the seed pages",
    paper=CRAWLING_THE_WEB,
    measure=average(classifier),
)
