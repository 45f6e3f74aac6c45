"""How good is the estimate of what is left? Crawls of beds whose truth is known; for docs/explanation/estimate.md.

    python bench/estimate.py ../shared/testbeds/schools made:pages=6000,topics=12,seed=1

The truth is the number of pages that can be reached from the seeds and are about the topic, as the bed says.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from statistics import median

import numpy as np

from lycosa.core.events import Estimated
from lycosa.core.nouns import Topic
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import Scout
from lycosa.engine.virtual_driver import VirtualDriver
from lycosa.lab.corpus import labelled
from lycosa.lab.trial import needs_of
from lycosa.lab.world import open_world

AT = (100, 200, 500, 1000, 2000)
SHARES = (0.5, 0.7, 0.8, 0.9)


def reachable(world, seeds):
    """Which pages links lead to."""
    starts, heads = world.corpus.links.indptr, world.corpus.links.indices
    known = np.zeros(len(world.corpus), bool)
    level = np.array([number for number in map(world.corpus.number, seeds) if number >= 0])
    while len(level):
        known[level] = True
        found = np.unique(np.concatenate([heads[starts[page] : starts[page + 1]] for page in level]))
        level = found[~known[found]]
    return known


async def crawl(world, topic, seeds, examples, strategy, pages, shares=None):
    """The estimates along a crawl, by the number of pages; into `shares` goes the share found at least."""
    plan = Plan(
        topic=Topic(topic.keywords, examples=examples),
        seeds=seeds,
        strategy=strategy,
        budget=Budget(pages),
        rules=PolitenessRules(delay=0.0),
        workers=1,
    )
    told = {}

    def tell(event, at):
        if isinstance(event, Estimated):
            told[running.tally.pages] = event.estimate
            if shares is not None:
                shares[running.tally.pages] = running.census.share

    running = Crawl(plan, tell)
    judge = plan.make_judge()
    judge.bags = world.bags
    strategy = plan.make_strategy()
    web = world.web(needs_of(type(strategy)).context, text=True)  # which the page model reads
    scout = Scout(web, plan.topic, strategy, judge)
    running.begin(0.0)
    async for _ in VirtualDriver(running, scout).run():
        pass
    return told


def truth(world, topic, seeds):
    """How many relevant pages can be reached."""
    known = reachable(world, seeds)
    return sum(bool(known[page]) for page in map(world.corpus.number, labelled(topic)) if page >= 0)


def measure(name, task, strategy, pages):
    """One line a number of pages: what was found, what was estimated, and how often the interval held the truth."""
    world = open_world(name)
    rows = defaultdict(list)
    ends = defaultdict(list)
    for topic in world.topics:
        seeds = world.seeds(topic, task)
        least = {}
        examples = seeds if task == "examples" else ()
        told = asyncio.run(crawl(world, topic, seeds, examples, strategy, pages, least))
        for at in AT:
            when = max((pages for pages in told if pages <= at), default=None)
            if when is None:
                continue
            found, total, low, high, _ = told[when]
            there = truth(world, topic, seeds)
            rows[at].append((found / there, total / there, low <= there <= high, high >= there, high / low))
        for share in SHARES:
            enough = (n for n, found in least.items() if found >= share)
            if (when := next(enough, None)) is not None:
                ends[share].append((when, told[when].found / truth(world, topic, seeds)))
    print(f"\n{world.name}, {task}, {strategy}: {len(world.topics)} topics")
    print("pages  found  estimate/truth: median  10 %  90 %  interval holds  upper bound holds  upper/lower")
    for at, cells in rows.items():
        found, ratio, holds, upper, width = map(list, zip(*cells, strict=True))
        low, high = np.quantile(ratio, [0.1, 0.9])
        print(
            f"{at:5}  {median(found):5.2f}  {median(ratio):22.2f}  {low:.2f}  {high:.2f}  {np.mean(holds):14.2f}"
            f"  {np.mean(upper):17.2f}  {median(width):11.1f}"
        )
    for share, crawls in sorted(ends.items()):
        pages, shares = zip(*crawls, strict=True)
        kept = np.mean([found >= share for found in shares])
        print(
            f"--until {share}: {len(crawls)} of {len(world.topics)} end, after {median(pages):.0f} pages with "
            f"{median(shares):.2f} of what there is ({min(shares):.2f} at least); {kept:.2f} have what was asked for"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("worlds", nargs="+")
    parser.add_argument("--task", action="append")
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--pages", type=int, default=max(AT))
    asked = parser.parse_args()
    for name in asked.worlds:
        for strategy in asked.strategy or ["best-first"]:
            for task in asked.task or ["examples"]:
                measure(name, task, strategy, asked.pages)


if __name__ == "__main__":
    main()
