"""Which topics are hard, and which tell the configurations apart."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import ORACLE, Comparison
from lycosa.lab.statistics.summary import average, figures

_METRIC = "target_recall_auc"


class TopicDifficulty(Struct, frozen=True):
    """How hard a topic was, and how far apart the configurations were on it."""

    topic: str
    difficulty: float
    """1 - (mean target_recall_auc of the configurations) / (the oracle's): 0 if nothing is lost to the ceiling."""
    spread: float
    """Best minus worst target_recall_auc of the configurations: a topic with 0 does not discriminate between them."""
    best: str
    worst: str


def difficulties(comparison: Comparison) -> list[TopicDifficulty]:
    """All topics, the hardest first; those without a figure or with a ceiling of zero (difficulty nan) come last."""
    labels = list(comparison.arms)
    areas = np.array([figures(comparison, label, _METRIC) for label in labels]).reshape(
        len(labels), len(comparison.topics)
    )
    ceiling = figures(comparison, ORACLE, _METRIC)
    found = [
        _difficulty(topic, dict(zip(labels, areas[:, row].tolist(), strict=True)), float(ceiling[row]))
        for row, topic in enumerate(comparison.topics)
    ]
    measured = [each for each in found if not math.isnan(each.difficulty)]
    rest = [each for each in found if math.isnan(each.difficulty)]
    return sorted(measured, key=lambda each: (-each.difficulty, each.topic)) + rest


def discriminating(topics: list[TopicDifficulty]) -> list[TopicDifficulty]:
    """The topics by how far apart the configurations are on them, the widest first; unmeasured ones are left out."""
    return sorted((each for each in topics if not math.isnan(each.spread)), key=lambda each: (-each.spread, each.topic))


def _difficulty(topic: str, areas: dict[str, float], ceiling: float) -> TopicDifficulty:
    known = {label: area for label, area in areas.items() if math.isfinite(area)}
    if not known:
        return TopicDifficulty(topic, math.nan, math.nan, "", "")
    best, worst = max(known, key=lambda label: known[label]), min(known, key=lambda label: known[label])
    share = average(np.array(list(known.values()))) / ceiling if ceiling > 0 else math.nan
    return TopicDifficulty(topic, 1 - share, known[best] - known[worst], best, worst)
