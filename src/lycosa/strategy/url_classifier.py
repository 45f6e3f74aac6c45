"""Logistic regression over the characters of URLs and the words of anchors, learned during the crawl."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain
from lycosa.strategy.link_words import WORDS

_BATCH = 10
"""Pages from which it learns together."""
_RATE = 0.5
"""The learning rate."""


class UrlClassifier:
    """Logistic regression over the pairs of characters of a URL and the words of its anchor, learned in batches."""

    def __init__(self) -> None:
        self._weights = np.zeros(2 * WORDS)
        self._squares = np.full(2 * WORDS, 1e-2)
        """Sums of squared gradients, by which steps become smaller (Adagrad)."""
        self._bias = 0.0
        self._batch: list[Plain] = []
        self._labels = [0, 0]

    def probability(self, url: str, anchor: list[int]) -> float:
        """How likely a link leads to a target; 0 before there was a batch with targets and other pages."""
        if not (self._labels[0] and self._labels[1]):
            return 0.0
        places, values = _features(url, anchor)
        return _sigmoid(self._bias + float(self._weights[places] @ values))

    def learn(self, url: str, anchor: list[int], target: bool) -> None:
        """Note what a link has led to; a full batch is learned at once."""
        self._batch.append([url, anchor, target])
        if len(self._batch) < _BATCH:
            return
        for link, words, label in self._batch:
            self._labels[label] += 1
            places, values = _features(link, words)
            error = label - _sigmoid(self._bias + float(self._weights[places] @ values))
            slope = error * values
            self._squares[places] += slope * slope
            self._weights[places] += np.round(_RATE * slope / np.sqrt(self._squares[places]), 9)
            self._bias += _RATE * error / 10
        self._batch = []

    def save(self) -> Plain:
        """Everything that was learned."""
        places = np.flatnonzero(self._weights)
        arrays = (places, self._weights[places], self._squares[places])
        return [[array.tobytes() for array in arrays], self._bias, self._batch, self._labels]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        (places, weights, squares), self._bias, self._batch, self._labels = state
        known = np.frombuffer(places, np.int64)
        self._weights[known] = np.frombuffer(weights)
        self._squares[known] = np.frombuffer(squares)


def _sigmoid(logit: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, logit))))


def _features(url: str, anchor: list[int]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The features of a link and their values, of unit length for URL and anchor each."""
    letters = np.frombuffer(url.partition("//")[2].encode(), np.uint8).astype(np.int64)
    pairs = np.unique(letters[:-1] * 256 + letters[1:])
    words = WORDS + np.unique(np.array(anchor, np.int64))
    values = [np.full(len(some), 1 / sqrt(max(1, len(some)))) for some in (pairs, words)]
    return np.concatenate([pairs, words]), np.concatenate(values)
