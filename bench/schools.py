"""Target recall of strategies on a test bed in virtual time, beside the bed's reference figures, and visits a second.

One worker, 1,000 pages, every topic, both tasks. Pages are parsed and their words counted before the clock starts.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lycosa.core.nouns import Topic, Visit
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.scout import Scout
from lycosa.engine.virtual import VirtualDriver
from lycosa.frontier.manners import Rules
from lycosa.judge.cosine import Cosine
from lycosa.lab.world import open_world
from lycosa.web.bed import TASKS

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools"
PAGES, POINTS = 1000, (100, 200, 500, 1000)

REFERENCE = {
    ("examples", "random"): (0.043, 0.064, 0.140, 0.227, 0.130),
    ("examples", "breadth-first"): (0.280, 0.449, 0.581, 0.675, 0.522),
    ("examples", "best-first"): (0.203, 0.383, 0.611, 0.767, 0.549),
    ("neighbors", "random"): (0.020, 0.048, 0.123, 0.204, 0.110),
    ("neighbors", "breadth-first"): (0.029, 0.063, 0.138, 0.334, 0.152),
    ("neighbors", "best-first"): (0.097, 0.322, 0.607, 0.761, 0.523),
}
"""From the schools bed's README: target recall at POINTS, and the mean over all steps (AUC)."""


class Result(NamedTuple):
    """Means over the topics, and how quickly they were had."""

    recall: tuple[float, ...]
    auc: float
    visits_per_second: float


class Practice:
    """A bed in memory, ready for any number of crawls."""

    def __init__(self, path: Path) -> None:
        self.bed = open_world(str(path))
        self.web = self.bed.web(text=False)
        self.bags = self.bed.bags

    def run(self, strategy: str, task: str) -> Result:
        """Crawl every topic."""
        curves, visits, started = [], 0, time.perf_counter()
        for topic in self.bed.topics:
            plan = Plan(
                topic=Topic(topic.keywords),
                seeds=self.bed.seeds(topic, task),
                strategy=strategy,
                budget=Budget(PAGES),
                rules=Rules(delay=0.0),
                workers=1,
            )
            urls = asyncio.run(self._crawl(plan))
            visits += len(urls)
            curves.append(_recall(urls, set(topic.targets)))
        seconds = time.perf_counter() - started
        recall = tuple(_mean(curve[point - 1] for curve in curves) for point in POINTS)
        return Result(recall, _mean(_mean(curve) for curve in curves), visits / seconds)

    async def _crawl(self, plan: Plan) -> list[str]:
        crawl = Crawl(plan)
        scout = Scout(self.web, Cosine(plan.topic.keywords, self.bags), crawl.strategy.sense, plan.topic)
        crawl.begin(0.0)
        return [outcome.url async for outcome in VirtualDriver(crawl, scout).run() if isinstance(outcome, Visit)]


def _recall(urls: list[str], targets: set[str]) -> list[float]:
    """Target recall after each page; a crawl that ended early keeps what it had."""
    curve, found = [], 0
    for step in range(PAGES):
        found += step < len(urls) and urls[step] in targets
        curve.append(found / len(targets))
    return curve


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strategies", nargs="*", default=["random", "breadth-first", "best-first", "best-n-first"])
    parser.add_argument("--bed", type=Path, default=SCHOOLS)
    options = parser.parse_args()
    if not options.bed.exists():
        raise SystemExit(f"there is no test bed at {options.bed}; name one with --bed, `lycosa bed make` makes one")
    started = time.perf_counter()
    practice = Practice(options.bed)
    print(f"loaded and counted in {time.perf_counter() - started:.1f} s")
    heads = [f"@{point}" for point in POINTS]
    print(f"{'task':<10} {'strategy':<16}", *(f"{head:>6}" for head in [*heads, "AUC", "visits/s"]))
    for task in TASKS:
        for strategy in options.strategies:
            result = practice.run(strategy, task)
            figures = " ".join(f"{value:6.3f}" for value in (*result.recall, result.auc))
            print(f"{task:<10} {strategy:<16} {figures} {result.visits_per_second:8.0f}")
            if options.bed == SCHOOLS and (known := REFERENCE.get((task, strategy))):
                print(f"{'':<10} {'  reference':<16}", *(f"{value:6.3f}" for value in known))


if __name__ == "__main__":
    main()
