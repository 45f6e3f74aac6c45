"""Metrics within sentences."""

from __future__ import annotations

from lycosa.lab.comparison import Comparison
from lycosa.lab.metrics import METRICS
from lycosa.lab.statistics.summary import at_end, point

_NAMES = {
    "target_recall_auc": "the area under target recall",
    "target_recall_requests_auc": "the area under target recall by requests",
    "target_recall_hours_auc": "the area under target recall by time",
}


def metric_name(metric: str) -> str:
    """A metric within a sentence."""
    title = METRICS[metric].title if metric in METRICS else metric.replace("_", " ")
    return _NAMES.get(metric, title[:1].lower() + title[1:])


def metric_at_end(comparison: Comparison, metric: str) -> str:
    """A metric within a sentence, for a curve with the point at which it is read."""
    end = at_end(comparison, metric)
    return metric_name(metric) if end is None else f"{metric_name(metric)} {point(metric, end)}"


def metric_meaning(metric: str) -> str:
    """What a metric is, within a sentence: «precision is the mean similarity ...»; empty if it is not a known one."""
    meaning = METRICS[metric].meaning if metric in METRICS else ""
    return f"{metric_name(metric)} is {meaning[:1].lower()}{meaning[1:]}" if meaning else ""
