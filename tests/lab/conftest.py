"""A comparison made of nothing but numbers, for all that reads one."""

import numpy as np
import pytest

from lycosa.lab.comparison import ORACLE, Arm, Comparison, Configuration
from lycosa.lab.metrics import METRICS


@pytest.fixture
def compared():
    """Make a Comparison: by way, by metric, a list a topic (one number: a value; a list of them: a curve).

    `missing` are the shares of the wanted pages that a world does not hold, by way.
    """

    def make(ways, oracle=None, missing=None, **facts):
        arms = {label: _arm(label, metrics) for label, metrics in ways.items()}
        for label, share in (missing or {}).items():
            arms[label].wanted, arms[label].missing = 1000, round(1000 * share)
        metrics = next(iter(ways.values()), {})
        topics = [f"t{n}" for n in range(1, 1 + max((len(rows) for rows in metrics.values()), default=0))]
        widths = [arm.curves["target_recall"].shape[1] for arm in arms.values() if "target_recall" in arm.curves]
        told = {
            "bed": "schools",
            "task": "examples",
            "pages": 1000,
            "repeats": 1,
            "topics": topics,
            "points": [100, 200, 500, 1000][-widths[0] :] if widths else [1000],
            "top": [10, 100],
        } | facts
        return Comparison(arms=arms, oracle=_arm(ORACLE, oracle or {}), **told)

    return make


@pytest.fixture(scope="session")
def few_plots():
    """What a comparison may be `without` where plots are not the point: each of them takes its time."""
    return METRICS.keys() - {"target_recall", "target_recall_auc", "precision", "coverage_lexical"}


def _arm(label, metrics):
    arrays = {metric: np.array(rows, np.float64) for metric, rows in metrics.items()}
    return Arm(
        Configuration(label, label),
        {metric: rows for metric, rows in arrays.items() if rows.ndim == 2},
        {metric: rows for metric, rows in arrays.items() if rows.ndim == 1},
    )
