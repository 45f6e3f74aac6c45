"""A small neural network that estimates Q-values, trained by Adam, and a copy of it that is renewed now and then."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain

_HIDDEN = (30, 15)
_SLOPE = 0.1
"""The slope of a leaky rectifier below 0."""
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-7
"""Adam's constants."""

Floats = NDArray[np.float64]


class QNetwork:
    """Two hidden layers of leaky rectifiers and one linear output."""

    def __init__(self, inputs: int, rng: Random, rate: float) -> None:
        self.rate = rate
        sizes = (inputs, *_HIDDEN, 1)
        self._weights: list[Floats] = []
        for before, behind in pairwise(sizes):
            bound = (6 / (before + behind)) ** 0.5
            self._weights.append(np.array([[rng.uniform(-bound, bound) for _ in range(behind)] for _ in range(before)]))
            self._weights.append(np.zeros(behind))
        self._means = [np.zeros_like(each) for each in self._weights]
        self._squares = [np.zeros_like(each) for each in self._weights]
        self._steps = 0
        self.renew()

    def renew(self) -> None:
        """Let the copy be what the network is now."""
        self._copy = [each.copy() for each in self._weights]

    def values(self, inputs: Floats, *, copy: bool = False) -> Floats:
        """The Q-value of each row, by the network or by its copy."""
        return _forward(self._copy if copy else self._weights, inputs)[-1][:, 0]

    def train(self, inputs: Floats, targets: Floats) -> None:
        """One step towards these targets, by the gradient of the mean squared error."""
        layers = _forward(self._weights, inputs)
        slope = 2 * (layers[-1] - targets[:, None]) / len(targets)
        gradients: list[Floats] = []
        for depth in range(len(_HIDDEN), -1, -1):
            gradients = [layers[depth].T @ slope, slope.sum(0), *gradients]
            if depth:
                slope = slope @ self._weights[2 * depth].T * np.where(layers[depth] > 0, 1.0, _SLOPE)
        self._steps += 1
        first, second = 1 - _FIRST**self._steps, 1 - _SECOND**self._steps
        for place, gradient in enumerate(gradients):
            clipped = np.clip(gradient, -1.0, 1.0)
            self._means[place] += (1 - _FIRST) * (clipped - self._means[place])
            self._squares[place] += (1 - _SECOND) * (clipped * clipped - self._squares[place])
            step = self._means[place] / first / (np.sqrt(self._squares[place] / second) + _TINY)
            self._weights[place] -= self.rate * step

    def save(self) -> Plain:
        """All weights."""
        groups = (self._weights, self._copy, self._means, self._squares)
        return [self._steps, [[each.tobytes() for each in group] for group in groups]]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._steps, groups = state
        shapes = [each.shape for each in self._weights]
        self._weights, self._copy, self._means, self._squares = (
            [np.frombuffer(data).reshape(shape).copy() for data, shape in zip(group, shapes, strict=True)]
            for group in groups
        )


def _forward(weights: Sequence[Floats], inputs: Floats) -> list[Floats]:
    """The values of all layers, from the inputs to the output."""
    layers = [inputs]
    for depth in range(len(_HIDDEN) + 1):
        sums = layers[-1] @ weights[2 * depth] + weights[2 * depth + 1]
        layers.append(sums if depth == len(_HIDDEN) else np.where(sums > 0, sums, _SLOPE * sums))
    return layers
