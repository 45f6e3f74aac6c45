"""From tracks to a comparison: every metric of every configuration, by topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.lab.comparison import ORACLE, Arm, Comparison, Configuration, Floats, Ids, Track
from lycosa.lab.experiment import TrackKey, Tracks
from lycosa.lab.metrics import METRICS, ORACLE_METRICS
from lycosa.lab.metrics.calibration import BINS, bin_sums, predictions
from lycosa.lab.metrics.evidence import Evidence, Haul
from lycosa.lab.metrics.metric import Metric
from lycosa.lab.world import World
from lycosa.system.process_pool import cores
from lycosa.system.progress import StageProgress, no_progress

LIMIT = 0.2
"""The default share of requested pages that a recording may lack."""
MARKS = (100, 200, 500, 1000, 2000, 5000, 10000)
"""Numbers of pages at which figures are reported, up to the budget."""

Measured = dict[str, Floats]
"""By metric: a curve, or one number in an array without dimensions."""
Scale = dict[str, Ids]
"""The points at which metrics are computed, by their kind; values have no entry."""


def evaluate(
    world: World,
    tracks: Tracks,
    threads: int | None = None,
    progress: StageProgress = no_progress,
    *,
    limit: float = LIMIT,
) -> Comparison:
    """Measure the crawls of an experiment by topic; `limit` is as in Comparison.

    The pool of a topic is what its crawls from all seeds fetched, and from subsets of them if these are averaged:
    neither the oracle nor the crawls for robustness add to it. A configuration without a track on a topic has nan.
    """
    topics = {topic.id: topic for topic in world.topics}
    crawls = {name: track for name, track in tracks.tracks.items() if name.label != ORACLE}
    pools: dict[str, list[Track]] = {topic: [] for topic in tracks.topics}
    for name, track in crawls.items():
        if name.half < tracks.subsets:
            pools[name.topic].append(track)
    haul = Haul(world.corpus, chain.from_iterable(pools.values()))
    moments = times(chain.from_iterable(pools.values()))
    scale = {
        "curve": np.array(points(tracks.pages)),
        "coverage": np.array(top(tracks.pages)),
        "time": np.array(moments, np.int64),
    }
    bins = {each.label: np.zeros((len(tracks.topics), BINS, 3)) for each in tracks.configurations}

    def measured(topic: str) -> dict[str, Measured]:
        evidence = Evidence(world.corpus, topics[topic], pools[topic], tracks.pages, haul)
        named = [
            TrackKey(ORACLE, topic, repeat, half)
            for repeat in range(1, tracks.repeats + 1)
            for half in range(tracks.subsets)
        ]
        results = {
            ORACLE: _mean(
                [_measure(ORACLE_METRICS, evidence, tracks.tracks, name, scale) for name in map(_ceiling, named)]
            )
        }
        for label in (each.label for each in tracks.configurations):
            found = []
            for name in sorted(name for name in crawls if (name.label, name.topic) == (label, topic)):
                evidence.oracle = tracks.tracks.get(_ceiling(name))
                metrics = [each for each in METRICS.values() if _belongs(each, name, tracks.subsets)]
                found.append(_measure(metrics, evidence, crawls, name, scale))
                if name.half < tracks.subsets and (judged := predictions(evidence, crawls[name])):
                    bins[label][tracks.topics.index(topic)] += bin_sums(*judged)
            results[label] = _mean(found)
        return results

    found: list[dict[str, Measured]] = []
    # Threads, because NumPy and SciPy release the interpreter lock while they compute; one core each, because their
    # own threads would only compete with these.
    with threadpool_limits(1), ThreadPoolExecutor(threads or cores()) as pool:
        for each in pool.map(measured, tracks.topics):
            found.append(each)
            progress("measuring", len(found), len(tracks.topics))
    return Comparison(
        bed=world.name,
        task=tracks.task,
        pages=tracks.pages,
        repeats=tracks.repeats,
        topics=tracks.topics,
        points=points(tracks.pages),
        top=top(tracks.pages),
        arms={
            each.label: _counted(_arm(each, METRICS.values(), found, scale), crawls, bins[each.label])
            for each in tracks.configurations
        },
        oracle=_arm(Configuration(ORACLE, ORACLE), ORACLE_METRICS, found, scale),
        complete=world.complete,
        limit=limit,
        subsets=tracks.subsets,
        pace=tracks.pace,
        moments=moments,
        unfollowed=world.unfollowed,
    )


def _ceiling(name: TrackKey) -> TrackKey:
    """The oracle's crawl from the same start pages; all of them are the same in every repetition."""
    return TrackKey(ORACLE, name.topic, name.repeat if name.half else 1, name.half)


def _belongs(metric: Metric, name: TrackKey, subsets: int) -> bool:
    """Whether a metric is measured on a crawl: one of halves once for each repetition, others for each subset."""
    return not name.half if metric.halves else name.half < subsets


def _counted(arm: Arm, crawls: Mapping[TrackKey, Track], bins: Floats) -> Arm:
    """The arm with how many URLs its crawls requested, how many of them were missing, and its reliability."""
    own = [track for name, track in crawls.items() if name.label == arm.configuration.label]
    arm.wanted = sum(len(track.pages) + track.misses for track in own)
    arm.missing = sum(track.missing for track in own)
    arm.reliability = bins if bins.any() else None
    return arm


def points(pages: int) -> list[int]:
    """The points of curves: about fifty evenly spaced numbers of pages, the round ones, and the last."""
    even = np.linspace(pages / 50, pages, 50).round().astype(int)
    return sorted({*even.tolist(), *(mark for mark in (10, 20, 50, *MARKS) if mark <= pages)} - {0})


def times(tracks: Iterable[Track]) -> list[int]:
    """The moments of curves over time: about fifty evenly spaced seconds up to the end of the longest crawl."""
    ends = [float(track.seconds[-1]) for track in tracks if track.seconds is not None and len(track.seconds)]
    return sorted(set(np.ceil(np.linspace(0, max(ends), 51)[1:]).astype(int).tolist())) if ends else []


def top(pages: int) -> list[int]:
    """The n of coverage: ten per decade from 10 on, rounded to two digits, and the number of pages."""
    series = (int(float(f"{10 ** (1 + step / 10):.1e}")) for step in range(100))
    return sorted({pages, *(n for n in series if n < pages)})


def _measure(
    metrics: Iterable[Metric], evidence: Evidence, crawls: Mapping[TrackKey, Track], name: TrackKey, scale: Scale
) -> Measured:
    """The metrics of the crawls of a name, as far as the crawls they need were made."""
    found: Measured = {}
    for metric in metrics:
        needed = [name._replace(half=half) for half in ((1, 2) if metric.halves else (name.half,))]
        if all(each in crawls for each in needed):
            where = [scale[metric.kind]] if metric.kind in scale else []
            measure = metric.measure(evidence, *(crawls[each] for each in needed), *where)
            found[metric.key] = np.asarray(measure, np.float64)
    return found


def _mean(repeats: Sequence[Measured]) -> Measured:
    """The mean over the repetitions that have a metric; nan if one is nan: a mean of the others would flatter."""
    keys = dict.fromkeys(key for measured in repeats for key in measured)
    return {key: np.mean([measured[key] for measured in repeats if key in measured], axis=0) for key in keys}


def _arm(
    configuration: Configuration, metrics: Iterable[Metric], topics: Sequence[Mapping[str, Measured]], scale: Scale
) -> Arm:
    """An arm with a row for each topic."""
    arm = Arm(configuration, {}, {})
    for metric in metrics:
        shape = np.shape(scale.get(metric.kind, 0.0))
        if shape == (0,):
            continue  # no crawl had a clock
        rows = [measured[configuration.label].get(metric.key, np.full(shape, np.nan)) for measured in topics]
        table = np.array(rows, np.float64).reshape(len(rows), *shape)
        (arm.values if metric.kind == "value" else arm.curves)[metric.key] = table
    return arm
