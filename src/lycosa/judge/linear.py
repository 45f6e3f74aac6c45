"""A calibrated linear model («Crawling the Web» 4.1, classifier score): logistic regression over TF-IDF.

    f(p) = w · v_p + b        Pr(relevant | p) = 1 / (1 + exp(-(A f(p) + B)))

v_p are the TF-IDF weights of a page (core/tfidf_weights.py), of length 1. w and b minimise

    Σ_i k_i ln(1 + exp(-y_i f(p_i))) + (‖w‖² + b²) / 2C

over the training pages (core/training.py), with y = 1 for relevant pages and -1 for the others; k gives both classes
the same total weight, however many pages each has. Because there are fewer pages than terms, the dual is solved, by
Newton's method: w = Σ_i a_i v_i, where a follows from the products of the pages with each other.

A and B are Platt's (1999): the values of f for pages that it was not trained with, in up to five folds, are fitted to
his targets (n + 1) / (n + 2) and 1 / (n + 2). So the probabilities are calibrated for classes of equal size. The
literature found that such models guide a crawl better than naive Bayes (Pant & Srinivasan 2005, 2006, according to the
TF-IDF paper). C = 1 is our choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, tanh

import numpy as np
from numpy.typing import NDArray

from lycosa.core.judge import Judge, register
from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Priors, Want
from lycosa.core.tfidf_weights import TfIdf
from lycosa.core.training import training, wanted

Floats = NDArray[np.float64]
_FOLDS = 5
_STEPS = 30


@register("linear")
@dataclass
class Linear(Judge):
    """Judge a page by a model that was trained to distinguish the example pages from others."""

    C: float = 1.0
    """The weight of the training pages against the simplicity of the model."""
    calibrate: bool = True
    """Whether probabilities are calibrated with pages that were left out of the training."""

    def __post_init__(self) -> None:
        if not 0 < self.C < inf:
            raise self.bad_option("C", fix="give a number above 0")

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """The training pages."""
        return wanted(self.name, topic, priors)

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Train."""
        super().prepare(topic, priors)
        relevant, others = training(self.name, topic, priors)
        bags = [*relevant, *others]
        weighting = TfIdf.of(priors.background) if priors.background else TfIdf.among(bags)
        vectors = [weighting.vector(bag) for bag in bags]
        is_relevant = np.repeat([True, False], [len(relevant), len(others)])
        columns, matrix = _matrix(vectors)
        products = matrix @ matrix.T
        parts = fit(products, is_relevant, self.C)
        self._bias = float(parts.sum())
        self._product = weighting.product(dict(zip(columns, (parts @ matrix).tolist(), strict=True)))
        self._slope, self._shift = calibration(products, is_relevant, self.C) if self.calibrate else (1.0, 0.0)

    def __call__(self, page: Page) -> Verdict:
        bag, _ = self.bag(page)
        if not bag:
            return Verdict(0.0)
        value = self._product(bag) + self._bias
        return Verdict(0.5 + 0.5 * tanh((self._slope * value + self._shift) / 2))


def fit(products: Floats, is_relevant: NDArray[np.bool_], C: float) -> Floats:  # noqa: N803
    """The coefficients a_i of the training pages, from their products with each other."""
    # A column of ones stands for b.
    kernel = products + 1.0
    costs = C * _balanced(is_relevant)
    values: Floats = np.zeros(len(is_relevant))
    parts: Floats = np.zeros(len(is_relevant))
    for _ in range(_STEPS):
        chance = np.clip(_logistic(values), 1e-9, 1 - 1e-9)
        spread = chance * (1 - chance)
        before = parts
        response = values + (is_relevant - chance) / spread
        parts = np.asarray(np.linalg.solve(kernel + np.diag(1 / (costs * spread)), response), np.float64)
        values = kernel @ parts
        if np.abs(parts - before).max() < 1e-12 * (1 + np.abs(parts).max()):
            break
    return parts


def calibration(products: Floats, is_relevant: NDArray[np.bool_], C: float) -> tuple[float, float]:  # noqa: N803
    """Platt's A and B; 1 and 0 if there are too few pages, or if the model does not distinguish them."""
    count = int(is_relevant.sum())
    folds = min(_FOLDS, count, len(is_relevant) - count)
    if folds < 2:
        return 1.0, 0.0
    # The pages of each class go to the folds in turn.
    fold = np.where(is_relevant, np.cumsum(is_relevant), np.cumsum(~is_relevant)) % folds
    values = np.zeros(len(is_relevant))
    for each in range(folds):
        kept = fold != each
        parts = fit(products[np.ix_(kept, kept)], is_relevant[kept], C)
        values[~kept] = (products[np.ix_(~kept, kept)] + 1.0) @ parts
    numbers = np.where(is_relevant, count, len(is_relevant) - count)
    targets = np.where(is_relevant, (numbers + 1) / (numbers + 2), 1 / (numbers + 2))
    slope, shift = _platt(values, targets, _balanced(is_relevant))
    return (slope, shift) if slope > 0 else (1.0, 0.0)


def _platt(values: Floats, targets: Floats, weights: Floats) -> tuple[float, float]:
    """Fit a logistic curve to the targets by Newton's method; a step that leads too far is halved."""
    rows = np.stack((values, np.ones_like(values)))
    found = np.array([1.0, 0.0])

    def loss(at: Floats) -> float:
        line = at @ rows
        return float(weights @ (np.logaddexp(0.0, line) - targets * line))

    for _ in range(_STEPS):
        chance = _logistic(found @ rows)
        curve = (rows * (weights * chance * (1 - chance))) @ rows.T + 1e-9 * np.eye(2)
        step = np.linalg.solve(curve, rows @ (weights * (targets - chance)))
        # Where the model is certain the curve is flat, and a full step would lead far away.
        while loss(found + step) > loss(found) and np.abs(step).max() > 1e-12:
            step = step / 2
        found = found + step
    return float(found[0]), float(found[1])


def _balanced(is_relevant: NDArray[np.bool_]) -> Floats:
    half = len(is_relevant) / 2
    weights: Floats = np.where(is_relevant, half / is_relevant.sum(), half / (~is_relevant).sum())
    return weights


def _matrix(vectors: Sequence[Mapping[str, float]]) -> tuple[dict[str, int], Floats]:
    columns: dict[str, int] = {}
    for vector in vectors:
        for term in vector:
            columns.setdefault(term, len(columns))
    matrix = np.zeros((len(vectors), len(columns)))
    for row, vector in enumerate(vectors):
        matrix[row, [columns[term] for term in vector]] = list(vector.values())
    return columns, matrix


def _logistic(values: Floats) -> Floats:
    # 1 / (1 + exp(-x)), in a form that never overflows.
    return 0.5 + 0.5 * np.tanh(values / 2)
