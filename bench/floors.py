"""The floors: what every strategy reaches on small fixed webs. `make floors` writes them anew, on purpose."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from lycosa.core.strategy import strategies
from lycosa.lab.configurations import parse_configurations
from lycosa.lab.inquiry import inquire
from lycosa.lab.statistics.summary import average
from lycosa.lab.world import open_world

FLOORS = Path(__file__).resolve().parents[1] / "tests" / "conformance" / "floors.json"
PLAIN = "made:pages=3000,topics=8,seed=7"
SMALL = "small"
PLACES = {
    SMALL: ("made:pages=800,topics=3,seed=7,page_bytes=3000", "examples"),
    "examples": (PLAIN, "examples"),
    "neighbors": (PLAIN, "neighbors"),
    "business": ("made:shape=business,pages=3000,topics=4,seed=7,page_bytes=3000", "examples"),
    "encyclopedia": ("made:shape=encyclopedia,pages=3000,topics=4,seed=7,page_bytes=3000", "neighbors"),
}
"""By name: a web, and from which pages it is hunted. Every test run hunts in the small web, `make slow` in all."""
FROM_EXAMPLES = {"context-graph"}
"""Strategies that cannot begin without examples, so not from the neighbours."""
PAGES, REPEATS = 300, 2
"""Pages of a crawl, and how often each is repeated with another random seed."""
FEW = 100
"""Pages of a crawl in the small web, where each is made once."""
CURVES = ("target_recall", "harvest_rate", "relevance_query")
"""Pinned at their last point; none of them hangs on the pool, which changes with every new strategy."""

Floors = dict[str, dict[str, dict[str, float]]]
"""By strategy, place and metric."""


def measure(places: Collection[str] = tuple(PLACES), only: Collection[str] = ()) -> Floors:
    """What every strategy of Lycosa's own, or only some of them, reaches with its default options, in these places."""
    ours = [name for name, kind in strategies().items() if kind.__module__.startswith("lycosa.")]
    ours = [name for name in ours if not only or name in only]
    floors: Floors = {name: {} for name in ours}
    chosen = {place: PLACES[place] for place in places}
    worlds = {text: open_world(text) for text, _ in chosen.values()}
    with tempfile.TemporaryDirectory() as folder:
        for place, (text, task) in chosen.items():
            names = [name for name in ours if task == "examples" or name not in FROM_EXAMPLES]
            pages, repeats = (FEW, 1) if place == SMALL else (PAGES, REPEATS)
            configurations = parse_configurations(names)
            found = inquire(worlds[text], configurations, task, pages, folder=Path(folder), repeats=repeats).comparison
            for name, arm in found.arms.items():
                figures = {key: average(arm.curves[key][:, -1]) for key in CURVES}
                figures["target_recall_auc"] = average(arm.values["target_recall_auc"])
                floors[name][place] = {key: round(value, 4) for key, value in figures.items()}
    return floors


def main() -> None:
    """Write the floors, and say what changed; with names of strategies, only theirs."""
    before: Floors = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
    only = sys.argv[1:]
    after = measure(only=only)
    if only:
        after = before | after
    FLOORS.write_text(json.dumps(after, indent=1, sort_keys=True) + "\n")
    for name, places in after.items():
        for place, figures in places.items():
            for key, value in figures.items():
                was = before.get(name, {}).get(place, {}).get(key)
                if was != value:
                    print(f"{name}, {place}, {key}: {'new' if was is None else was} -> {value}")


if __name__ == "__main__":
    main()
