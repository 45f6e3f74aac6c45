"""Naive Bayes over words that are present, in several fields, learned one example at a time.

The same word in an anchor and in a URL are two features. A feature f has the probability (n(f, c) + 1) / (n(c) + 2)
in class c; features that occurred in fewer than `least` examples do not count, because they say nothing yet.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain
from lycosa.strategy.link_words import WORDS

Features = NDArray[np.int32]
"""A row of features for each example; 0 means none."""
Floats = NDArray[np.float64]


class WordBayes:
    """A naive Bayes classifier of rows of words."""

    def __init__(self, classes: int, fields: Sequence[slice], *, least: int = 1) -> None:
        """`fields` are the columns of each field, from the first column to the last."""
        self.fields = fields
        self.least = least
        self.examples = np.zeros(classes)
        self._counts = np.zeros((classes, len(fields) * WORDS), np.float32)
        offsets = [np.full(field.stop - field.start, n * WORDS, np.int32) for n, field in enumerate(fields)]
        self._offsets = np.concatenate(offsets)

    def features(self, words: NDArray[np.generic]) -> Features:
        """The features of rows of words."""
        rows = np.atleast_2d(words).astype(np.int32)
        return np.where(rows > 0, rows + self._offsets[: rows.shape[1]], 0)

    def add(self, words: NDArray[np.generic], label: int) -> None:
        """Learn from one example."""
        found = np.unique(self.features(words))
        self._counts[label, found[found > 0]] += 1
        self.examples[label] += 1

    def evidence(self, words: NDArray[np.generic]) -> Floats:
        """The log-likelihood of each row's words in each class, by field: rows x classes x fields."""
        features = self.features(words)
        counts = self._counts[:, features].astype(np.float64)
        logs = np.log((counts + 1) / (self.examples + 2)[:, None, None])
        logs *= (counts.sum(0) >= self.least) & (features > 0)
        sums = [logs[:, :, field].sum(2) for field in self.fields]
        return np.stack(sums, axis=2).transpose(1, 0, 2)

    def priors(self) -> Floats:
        """The log-probability of each class."""
        return np.asarray(np.log((self.examples + 1) / (self.examples.sum() + len(self.examples))))

    def posteriors(self, words: NDArray[np.generic]) -> Floats:
        """The probability of each class, for each row."""
        logs = self.priors() + self.evidence(words).sum(2)
        logs -= logs.max(axis=1, keepdims=True)
        shares = np.exp(logs)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def save(self) -> Plain:
        """All counts that are not 0."""
        label, feature = np.nonzero(self._counts)
        counts = self._counts[label, feature]
        arrays = (label.astype(np.uint8), feature.astype(np.int32), counts.astype(np.float32))
        return [self.examples.tolist(), *(array.tobytes() for array in arrays)]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        examples, label, feature, counts = state
        self.examples = np.array(examples, float)
        self._counts[:] = 0
        self._counts[np.frombuffer(label, np.uint8), np.frombuffer(feature, np.int32)] = np.frombuffer(
            counts, np.float32
        )
