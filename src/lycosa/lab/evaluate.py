"""From tracks to a comparison: every metric of every way of hunting, topic by topic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.core.workers import cores
from lycosa.lab.metrics import METRICS, ORACLE_METRICS
from lycosa.lab.metrics.evidence import Evidence, Haul
from lycosa.lab.metrics.metric import Metric
from lycosa.lab.nouns import ORACLE, Arm, Comparison, Floats, Ids, Track, Trial, Way
from lycosa.lab.world import World
from lycosa.web.shelving import Progress
from lycosa.web.source import BedTopic

MARKS = (100, 200, 500, 1000, 2000, 5000, 10000)
"""Numbers of pages at which figures are quoted, as far as a crawl goes."""

Crawls = dict[int, Track]
"""Crawls of one way with one die on one topic, by half of the seeds: 0 is the one from all of them."""
Hunt = dict[str, dict[int, Crawls]]
"""All crawls of a topic, by the way's label, then by die."""
Measured = dict[str, Floats]
"""By metric: a curve, or one number in an array without dimensions."""
Scale = dict[str, Ids]
"""Where metrics are told, by their kind; values have no entry."""


def evaluate(
    world: World,
    task: str,
    pages: int,
    tracks: Iterable[tuple[Trial, Track]],
    oracle: Mapping[str, Track] = {},
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare what trials of one task and budget achieved on the topics that were hunted; the oracle's tracks by topic.

    The pool of a topic is what its crawls from all seeds fetched: neither the oracle nor crawls from half of the seeds
    add to it. A way without a track on a topic has nan there.
    """
    hunts: dict[str, Hunt] = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    ways: dict[str, Way] = {}
    wanted = missing = 0
    for trial, track in tracks:
        ways.setdefault(trial.way.label, trial.way)
        hunts[trial.topic][trial.way.label][trial.dice][trial.half] = track
        wanted += len(track.pages) + track.misses
        missing += track.missing
    topics = [topic for topic in world.topics if topic.id in hunts]
    haul = Haul(world.corpus, [track for topic in topics for track in _pooled(hunts[topic.id])])
    scale = {"curve": np.array(points(pages)), "coverage": np.array(top(pages))}

    def measured(topic: BedTopic) -> tuple[dict[str, Measured], Measured]:
        hunt, best = hunts[topic.id], oracle.get(topic.id)
        evidence = Evidence(world.corpus, topic, _pooled(hunt), pages, haul, best)
        arms = {
            label: _mean([_measure(METRICS.values(), evidence, crawls, scale) for crawls in dice.values()])
            for label, dice in hunt.items()
        }
        return arms, _measure(ORACLE_METRICS, evidence, {0: best} if best else {}, scale)

    found: list[tuple[dict[str, Measured], Measured]] = []
    # Threads, because NumPy and SciPy let go of the interpreter while they count; one core each, because their own
    # threads would only fight with these.
    with threadpool_limits(1), ThreadPoolExecutor(threads or cores()) as pool:
        for each in pool.map(measured, topics):
            found.append(each)
            if progress:
                progress(len(found), len(topics))
    return Comparison(
        bed=world.name,
        task=task,
        pages=pages,
        dice=len({die for hunt in hunts.values() for dice in hunt.values() for die in dice}),
        topics=[topic.id for topic in topics],
        points=points(pages),
        top=top(pages),
        arms={
            label: _arm(way, METRICS.values(), [arms.get(label, {}) for arms, _ in found], scale)
            for label, way in ways.items()
        },
        oracle=_arm(Way(ORACLE, ORACLE), ORACLE_METRICS, [best for _, best in found], scale),
        wanted=wanted,
        missing=missing,
        complete=world.complete,
    )


def points(pages: int) -> list[int]:
    """Where curves are told: about fifty evenly spaced numbers of pages, the round ones, and the last."""
    even = np.linspace(pages / 50, pages, 50).round().astype(int)
    return sorted({*even.tolist(), *(mark for mark in (10, 20, 50, *MARKS) if mark <= pages)} - {0})


def top(pages: int) -> list[int]:
    """The n of coverage: ten a decade from 10 on, rounded to two digits, and the number of pages."""
    series = (int(float(f"{10 ** (1 + step / 10):.1e}")) for step in range(100))
    return sorted({pages, *(n for n in series if n < pages)})


def _pooled(hunt: Hunt) -> list[Track]:
    return [crawls[0] for dice in hunt.values() for crawls in dice.values() if 0 in crawls]


def _measure(metrics: Iterable[Metric], evidence: Evidence, crawls: Crawls, scale: Scale) -> Measured:
    """What one crawl is worth, by the metrics whose crawls are there."""
    found: Measured = {}
    for metric in metrics:
        halves = (1, 2) if metric.halves else (0,)
        if all(half in crawls for half in halves):
            where = [scale[metric.kind]] if metric.kind in scale else []
            measure = metric.measure(evidence, *(crawls[half] for half in halves), *where)
            found[metric.key] = np.asarray(measure, np.float64)
    return found


def _mean(dice: Sequence[Measured]) -> Measured:
    """The mean over the dice that have a metric; nan where one is nan, for a mean of the others would flatter."""
    keys = dict.fromkeys(key for measured in dice for key in measured)
    return {key: np.mean([measured[key] for measured in dice if key in measured], axis=0) for key in keys}


def _arm(way: Way, metrics: Iterable[Metric], topics: Sequence[Measured], scale: Scale) -> Arm:
    """The numbers of the topics one below the other."""
    arm = Arm(way, {}, {})
    for metric in metrics:
        shape = np.shape(scale.get(metric.kind, 0.0))
        rows = [measured.get(metric.key, np.full(shape, np.nan)) for measured in topics]
        table = np.array(rows, np.float64).reshape(len(rows), *shape)
        (arm.values if metric.kind == "value" else arm.curves)[metric.key] = table
    return arm
