"""The laboratory on the schools bed, beside the bed's own reference figures: target recall, its area, visits a second.

24 topics, both tasks, 1,000 pages, one worker. Crawls that throw dice are repeated, for one of them says little.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lycosa.lab.comparison import ORACLE
from lycosa.lab.configurations import parse_configurations
from lycosa.lab.experiment import Tracks, run
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.target_recall import target_recall
from lycosa.lab.metrics.target_recall_auc import target_recall_auc
from lycosa.lab.statistics.summary import average
from lycosa.lab.world import World, open_world
from lycosa.web.testbed import TASKS

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools"
PAGES, POINTS, REPEATS = 1000, (100, 200, 500, 1000), 3
DEFAULT = (
    *("random", "breadth-first", "best-first", "best-n-first"),
    *("fish-search", "shark-search", "dom", "hub-seeking", "infospiders", "reinforcement"),
)

REFERENCE = {
    ("examples", "random"): (0.043, 0.064, 0.140, 0.227, 0.130),
    ("examples", "breadth-first"): (0.280, 0.449, 0.581, 0.675, 0.522),
    ("examples", "best-first"): (0.203, 0.383, 0.611, 0.767, 0.549),
    ("examples", "dom"): (0.233, 0.407, 0.596, 0.742, 0.542),
    ("examples", ORACLE): (0.883, 0.936, 0.963, 0.972, 0.923),
    ("neighbors", "random"): (0.020, 0.048, 0.123, 0.204, 0.110),
    ("neighbors", "breadth-first"): (0.029, 0.063, 0.138, 0.334, 0.152),
    ("neighbors", "best-first"): (0.097, 0.322, 0.607, 0.761, 0.523),
    ("neighbors", "dom"): (0.188, 0.387, 0.587, 0.739, 0.526),
    ("neighbors", ORACLE): (0.848, 0.920, 0.954, 0.968, 0.913),
}
"""From the schools bed's README: target recall at POINTS, and the mean over all steps (AUC)."""
APART = {"dom": 0.04}
"""How far we may be from the reference, where it is not .03. We judge a URL that stands in several places of a page by
the best of them, and find .034 more in neighbors' first 100; by the first of them we would be within .015."""


class Result(NamedTuple):
    """Means over the topics, and how quickly they were had."""

    figures: tuple[float, ...]
    """Target recall at POINTS, and its area."""
    visits_per_second: float


def measure(
    strategies: Sequence[str],
    bed: Path = SCHOOLS,
    repeats: int = REPEATS,
    tasks: Sequence[str] = TASKS,
    pages: int = PAGES,
) -> dict[tuple[str, str], Result]:
    """Crawl every topic on these tasks with every strategy; the oracle is always there."""
    world, configurations = open_world(str(bed)), parse_configurations(strategies)
    with tempfile.TemporaryDirectory() as folder:
        made = [run(world, configurations, task, pages, folder=folder, repeats=repeats) for task in tasks]
    return {
        (tracks.task, label): _result(world, tracks, label)
        for tracks in made
        for label in (*(each.label for each in tracks.configurations), ORACLE)
    }


def _result(world: World, tracks: Tracks, label: str) -> Result:
    """By the two metrics alone: the others, which nobody asks for here, take longer than the crawls."""
    own = {name: track for name, track in tracks.tracks.items() if name.label == label}
    rows = []
    for name, track in own.items():
        evidence = Evidence(world.corpus, world.topic(name.topic), [track], tracks.pages)
        rows.append([*target_recall(evidence, track, np.array(POINTS)), target_recall_auc(evidence, track)])
    visits = sum(len(track.pages) for track in own.values()) / sum(track.cpu for track in own.values())
    return Result(tuple(average(column) for column in np.array(rows).T), visits)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strategies", nargs="*", default=DEFAULT)
    parser.add_argument("--bed", type=Path, default=SCHOOLS)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    options = parser.parse_args()
    if not options.bed.exists():
        raise SystemExit(f"there is no test bed at {options.bed}; name one with --bed, `lycosa bed make` makes one")
    started = time.perf_counter()
    assert open_world(str(options.bed)).corpus
    print(f"loaded and counted in {time.perf_counter() - started:.1f} s")
    started = time.perf_counter()
    results = measure(options.strategies, options.bed, options.repeats)
    print(f"crawled and measured in {time.perf_counter() - started:.1f} s")
    print(f"{'task':<10} {'strategy':<16}", *(f"@{point:<5}" for point in POINTS), "AUC   visits/CPU-s")
    for (task, label), result in results.items():
        print(
            f"{task:<10} {label:<16}",
            *(f"{value:6.3f}" for value in result.figures),
            f"{result.visits_per_second:8.0f}",
        )
        if options.bed == SCHOOLS and (known := REFERENCE.get((task, label))):
            print(f"{'':<10} {'  reference':<16}", *(f"{value:6.3f}" for value in known))


if __name__ == "__main__":
    main()
