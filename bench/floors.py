"""The floors: what every strategy reaches on a small fixed web. `make floors` writes them anew, on purpose."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from lycosa.core.strategy import strategies
from lycosa.lab.inquiry import inquire
from lycosa.lab.statistics.summary import average
from lycosa.lab.ways import parse_ways
from lycosa.lab.world import open_world
from lycosa.web.bed import TASKS

FLOORS = Path(__file__).resolve().parents[1] / "tests" / "conformance" / "floors.json"
WORLD = "made:pages=3000,topics=8,seed=7"
PAGES, DICE = 300, 2
CURVES = ("target_recall", "harvest_rate", "relevance_query")
"""Pinned at their last point; none of them hangs on the pool, which changes with every new strategy."""

Floors = dict[str, dict[str, dict[str, float]]]
"""By strategy, task and metric."""


def measure() -> Floors:
    """What every strategy of Lycosa's own reaches with its default options."""
    world = open_world(WORLD)
    ours = [name for name, kind in strategies().items() if kind.__module__.startswith("lycosa.")]
    floors: Floors = {name: {} for name in ours}
    with tempfile.TemporaryDirectory() as folder:
        for task in TASKS:
            found = inquire(world, parse_ways(ours), task, PAGES, folder=Path(folder), dice=DICE).comparison
            for name, arm in found.arms.items():
                figures = {key: average(arm.curves[key][:, -1]) for key in CURVES}
                figures["target_recall_auc"] = average(arm.values["target_recall_auc"])
                floors[name][task] = {key: round(value, 4) for key, value in figures.items()}
    return floors


def main() -> None:
    """Write the floors, and say what changed."""
    before: Floors = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
    after = measure()
    FLOORS.write_text(json.dumps(after, indent=1, sort_keys=True) + "\n")
    for name, tasks in after.items():
        for task, figures in tasks.items():
            for key, value in figures.items():
                was = before.get(name, {}).get(task, {}).get(key)
                if was != value:
                    print(f"{name}, {task}, {key}: {'new' if was is None else was} -> {value}")


if __name__ == "__main__":
    main()
