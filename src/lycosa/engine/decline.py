"""How much less the links that wait are worth than those that were followed, by the scores that they were given.

A strategy follows the better links first, so those that wait are worse than any sample of those that were followed. How
much worse is read from the scores: a logistic curve from score to outcome is fitted to the followed links, and the mean
of the curve over the waiting links is divided by its mean over the links followed lately. A curve that falls with the
score says nothing, so the result is at most 1. A prior holds the curve flat until there is enough to learn from; or, if
the scores are log-odds, near the curve that they say it is.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.page_model import Floats, sigmoid

LEAST = 30
"""Fewer followed links say nothing."""
FLATNESS, BELIEF = 2.0, 50.0
"""The weight of the prior on the slope, in links: of a flat curve, and of scores that are log-odds."""
FARTHEST = 8.0
"""Scores farther from the mean, in standard deviations, count as this far, unless they are log-odds."""


def decline(scores: Floats, outcomes: Floats, recent: int, waiting: Floats, log_odds: bool = False) -> float:
    """The worth of the waiting links relative to that of the last `recent` ones that were followed (0 to 1)."""
    given = np.isfinite(scores)
    recent = int(given[-recent:].sum())
    scores, outcomes, waiting = scores[given], outcomes[given], waiting[np.isfinite(waiting)]
    spread = float(scores.std()) if len(scores) >= LEAST and recent and len(waiting) else 0.0
    if spread < 1e-9 or not outcomes.any():
        return 1.0
    middle = float(scores.mean())
    farthest = np.inf if log_odds else FARTHEST
    at, left = (np.clip((some - middle) / spread, -farthest, farthest) for some in (scores, waiting))
    height, slope = _fitted(at, outcomes, *((spread, BELIEF) if log_odds else (0.0, FLATNESS)))
    if slope <= 0:
        return 1.0
    return min(1.0, float(sigmoid(height + slope * left).mean() / sigmoid(height + slope * at[-recent:]).mean()))


def _fitted(at: Floats, outcomes: Floats, slope: float, weight: float) -> tuple[float, float]:
    """Height and slope by Newton's method on the logistic loss, with fractions as labels and a prior on the slope."""
    mean = float(np.clip(outcomes.mean(), 1e-3, 1 - 1e-3))
    start = np.array([np.log(mean / (1 - mean)), slope])
    features = np.stack([np.ones(len(at)), at], 1)
    stiffness = np.array([1e-3, weight])
    found = start.copy()
    for _ in range(8):
        chance = sigmoid(features @ found)
        curve = (features.T * (chance * (1 - chance) + 1e-6)) @ features + np.diag(stiffness)
        gradient = features.T @ (outcomes - chance) - stiffness * (found - start)
        found = found + np.clip(np.linalg.solve(curve, gradient), -2.0, 2.0)
    return float(found[0]), float(found[1])
