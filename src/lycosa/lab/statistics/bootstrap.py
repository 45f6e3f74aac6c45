"""Bootstrap intervals of a mean over topics: bias-corrected and accelerated (Efron 1987), from fixed resamples.

BCa rather than plain percentiles because differences in recall over a few dozen topics are skewed, and percentiles then
cover too little. Our own rather than scipy.stats.bootstrap because all intervals of a comparison come from the same
resampled topics: with these drawn once as weights, each interval is one product of a matrix and a vector (about a
hundred times as fast), and the mean's acceleration is known in closed form. The tests compare it with scipy's.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from lycosa.lab.comparison import Floats
from lycosa.lab.statistics.summary import is_constant

RESAMPLES = 10_000
SEED = 1987


def interval(sample: Floats, level: float = 0.95) -> tuple[float, float]:
    """The confidence interval of the mean; of advantages it is the paired interval of the mean difference.

    Topics without a figure are left out. Fewer than two topics: (nan, nan). No variance: the value itself, twice.
    """
    sample = sample[np.isfinite(sample)]
    if sample.size < 2:
        return float("nan"), float("nan")
    mean = float(sample.mean())
    if is_constant(sample):
        return mean, mean
    means = _weights(sample.size) @ sample
    slack = 1e-12 * float(np.abs(sample).max())
    below = np.count_nonzero(means < mean - slack) + np.count_nonzero(means <= mean + slack)
    bias = ndtri(below / (2 * RESAMPLES))
    deviation = sample - mean
    acceleration = np.sum(deviation**3) / (6 * np.sum(deviation**2) ** 1.5)
    reach = bias + ndtri([(1 - level) / 2, (1 + level) / 2])
    low, high = np.quantile(means, ndtr(bias + reach / (1 - acceleration * reach)))
    return float(low), float(high)


@lru_cache(maxsize=4)
def _weights(topics: int) -> Floats:
    """Row by row, how often each topic is drawn, as a share of all draws."""
    draws = np.random.default_rng(SEED).multinomial(topics, np.full(topics, 1 / topics), size=RESAMPLES)
    return draws / topics
