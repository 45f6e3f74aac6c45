"""A comparison as the JSON object that `lycosa lab run --json` prints: means over topics, at round page numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from lycosa.lab.comparison import ORACLE, Arm, Comparison, Floats
from lycosa.lab.evaluate import MARKS
from lycosa.lab.metrics import METRICS
from lycosa.lab.statistics.standings import missing_share

DIGITS = 6
NOTHING = np.zeros(0)


def contract(comparison: Comparison) -> dict[str, Any]:
    """The object; a number that does not exist is null, and `tests` is filled by the statistics."""
    return {
        "bed": comparison.bed,
        "task": comparison.task,
        "pages": comparison.pages,
        "strategies": {
            label: _arm(comparison, arm) for label, arm in {**comparison.arms, ORACLE: comparison.oracle}.items()
        },
        "tests": [],
    }


def _arm(comparison: Comparison, arm: Arm) -> dict[str, Any]:
    """Every metric: one number, or numbers by pages (for coverage: by n); null if an arm has none."""
    found: dict[str, Any] = {}
    for metric in METRICS.values():
        if metric.kind == "value":
            found[metric.key] = _mean(arm.values.get(metric.key, NOTHING))
        else:
            at = comparison.top if metric.kind == "coverage" else comparison.points
            table = arm.curves.get(metric.key)
            found[metric.key] = {
                str(n): _mean(NOTHING if table is None else table[:, place])
                for place, n in enumerate(at)
                if n in MARKS or n == comparison.pages
            }
    if arm is comparison.oracle:
        found["oracle_share"] = 1.0
    return found | {"missing_share": round(missing_share(arm), DIGITS)}


def _mean(topics: Floats) -> float | None:
    """The mean over the topics that have a number; None when none has."""
    known = topics[np.isfinite(topics)]
    return round(float(known.mean()), DIGITS) if len(known) else None
