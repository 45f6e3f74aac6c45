"""Target recall against time: what pauses between requests, workers and slow hosts leave of a strategy.

target recall by hours@t = |T ∩ C_t| / |T|
its area = (1 / H) * integral from 0 to H of target recall by hours@t

T are the targets of the topic and C_t the pages that came within t hours of virtual time. H is when the quickest crawl
of the topic had spent its budget: until then all of them were still crawling (if none has, H is when the last one
ended). Crawls that are simulated without pauses have no time. (No paper has it; Exploration versus Exploitation,
section 7, leaves speed to later work.)
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.curves import steps_to
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import OURS, Metric

HOUR = 3600.0


def _seconds_to(evidence: Evidence, track: Track) -> Floats | None:
    """When each found target came, in rising order; None if the crawl had no clock."""
    return None if track.seconds is None else track.seconds[steps_to(evidence.targets, track) - 1]


def recall(evidence: Evidence, track: Track, seconds: Ids) -> Floats:
    """The share of the targets that were found by each moment, given in seconds."""
    found = _seconds_to(evidence, track)
    if found is None:
        return np.full(len(seconds), np.nan)
    return np.searchsorted(found, seconds, side="right") / (evidence.target_count or np.nan)


def area(evidence: Evidence, track: Track) -> float:
    """The mean of target recall until the quickest crawl of the topic had spent its budget."""
    found, end = _seconds_to(evidence, track), evidence.seconds
    if found is None or not end:
        return np.nan
    return float(np.maximum(0.0, end - found).sum() / (end * evidence.target_count or np.nan))


def hours(evidence: Evidence, track: Track) -> float:
    """The virtual hours until the last page; nan for a crawl without a clock or without pages."""
    return float(track.seconds[-1]) / HOUR if track.seconds is not None and len(track.seconds) else np.nan


RECALL = Metric(
    key="target_recall_hours",
    title="Target recall by time",
    kind="time",
    unit="share",
    meaning="The share of the known targets that were found within so many hours of virtual time",
    paper=OURS,
    measure=recall,
)

AREA = Metric(
    key="target_recall_hours_auc",
    title="Target recall by time, area",
    kind="value",
    unit="share",
    meaning="Target recall averaged over the time in which all crawls of the topic were still running",
    paper=OURS,
    measure=area,
)

HOURS = Metric(
    key="hours",
    title="Hours",
    kind="value",
    unit="hours",
    better="lower",
    meaning="The hours of virtual time that a crawl took, with its workers and the pauses of hosts",
    paper=OURS,
    measure=hours,
)
