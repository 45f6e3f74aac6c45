"""What is a judgement worth? Crawls of beds whose labels are known, with and without a reader who answers from them.

    python bench/judgements.py ../shared/testbeds/schools ../shared/testbeds/rweb made:shape=business,topics=8
    python bench/judgements.py ../shared/testbeds/rweb --calls 3 10 50 --halves

The reader stands for a judge who reads (`--judge llm`) and for a person: it is asked at the same moments and about the
same pages as they are (engine/questions.py), and knows the answer. The figure is the share of the oracle's area; the
gain is that over the same crawl without a judgement, with its standard error over the crawls. `--wrong` is the share of
answers that are wrong, for a model that errs.
"""

from __future__ import annotations

import argparse
import random
import time
from bisect import insort
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lycosa.core.keys import key64
from lycosa.core.nouns import Judgement, Outcome, Visit
from lycosa.engine.crawl import Crawl
from lycosa.engine.questions import CANDIDATES, Questions
from lycosa.lab.comparison import Track
from lycosa.lab.configurations import parse_configurations
from lycosa.lab.corpus import labelled
from lycosa.lab.grounds import Ground, grounds_of
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.target_recall_auc import target_recall_auc
from lycosa.lab.oracle import Oracle, closed_pages
from lycosa.lab.trial import Trial, half_of, run_trial
from lycosa.lab.world import World, open_world
from lycosa.web.testbed import TASKS

BEDS = Path(__file__).resolve().parents[2] / "shared" / "testbeds"


class LabelledReader:
    """Answers from the labels of a topic, at most `calls` times."""

    def __init__(self, relevant: frozenset[str], calls: int, pages: int, wrong: float, dice: random.Random) -> None:
        self.relevant = relevant
        self.answers: dict[str, bool] = {}
        self._questions = Questions(calls, pages)
        self._wrong, self._dice = wrong, dice
        self._best: list[tuple[float, int, str]] = []

    def __call__(self, crawl: Crawl) -> Callable[[], None]:
        """What is called before every fetch."""
        absorb = crawl.absorb

        def noted(outcome: Outcome, now: float) -> None:
            absorb(outcome, now)
            if isinstance(outcome, Visit):
                insort(self._best, (-outcome.relevance, len(self._best), outcome.url))

        crawl.absorb = noted
        return lambda: self._look(crawl)

    def _look(self, crawl: Crawl) -> None:
        while self._questions.due(len(self.answers), crawl.tally.pages):
            done = {*self.answers, *crawl.plan.topic.examples}
            most = CANDIDATES + len(done)
            best = [url for _, _, url in self._best[:most]]
            url = self._questions.choose(len(self.answers), crawl.strategy.doubts(most), best, done)
            if url is None:
                return
            self._questions.asked_about(url)
            word = (url in self.relevant) is not (self._dice.random() < self._wrong)
            self.answers[url] = word
            crawl.judged(Judgement(url, word, "labels"), 0.0)


class Bed:
    """A world with its oracle."""

    def __init__(self, name: str, strategy: str, pages: int) -> None:
        self.world: World = open_world(name)
        self.pages = pages
        self._configuration = parse_configurations([strategy])[0]
        self._oracle = Oracle(self.world.corpus, closed_pages(self.world))

    def share(self, ground: Ground, task: str, half: int, calls: int, wrong: float) -> tuple[float, LabelledReader]:
        """The share of the oracle's area of one crawl, and the reader that it had."""
        topic, seeds = ground.topic, half_of(ground.seeds, half, 1)
        trial = Trial(
            self._configuration.label,
            self._configuration.strategy,
            self._configuration.settings,
            topic.keywords,
            seeds,
            self.pages,
            examples=tuple(url for url in seeds if url in topic.examples) if task == "examples" else (),
            random_seed=key64(f"1 {topic.id}") >> 33,
        )
        reader = LabelledReader(frozenset(labelled(topic)), calls or 1, self.pages, wrong, random.Random(topic.id))
        track = run_trial(self.world, trial, beside=reader if calls else None)
        numbers = self.world.corpus.numbers
        best = self._oracle.crawl(numbers(seeds), numbers(ground.targets), self.pages)
        return self._area(ground, track) / (self._area(ground, best) or np.nan), reader

    def _area(self, ground: Ground, track: Track) -> float:
        return target_recall_auc(Evidence(self.world.corpus, ground.topic, [track], self.pages), track)


def measure(bed: Bed, task: str, calls: Sequence[int], topics: int | None, halves: bool, wrong: float) -> None:
    """Print a line for each number of calls."""
    started = time.process_time()
    grounds, _ = grounds_of(bed.world, task)
    if topics:
        grounds = grounds[:: max(1, len(grounds) // topics)][:topics]
    shares: dict[int, list[float]] = {number: [] for number in (0, *calls)}
    yes: dict[int, list[float]] = {number: [] for number in calls}
    for ground in grounds:
        for half in (0, 1, 2) if halves and len(ground.seeds) > 1 else (0,):
            for number in shares:
                share, reader = bed.share(ground, task, half, number, wrong)
                shares[number].append(share)
                if number:
                    yes[number].append(float(np.mean([*reader.answers.values()] or [0.0])))
    base = np.array(shares[0])
    name = bed.world.name if len(bed.world.name) < 36 else f"{bed.world.name[:33]}..."
    for number, found in shares.items():
        gain = np.array(found) - base
        error = gain.std(ddof=1) / len(gain) ** 0.5 if len(gain) > 1 else np.nan
        told = f"{gain.mean():+.3f} ± {error:.3f}   {np.mean(yes[number]):4.0%}" if number else ""
        print(f"{name:<37}{task:<11}{number:>5}   {np.mean(found):.3f}   {told}", flush=True)
    print(f"  {len(base)} crawls a line, {time.process_time() - started:.0f} CPU-s", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("beds", nargs="*", default=[str(BEDS / "schools"), str(BEDS / "rweb")])
    parser.add_argument("--calls", type=int, nargs="+", default=[3, 10, 50], help="budgets of questions")
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    parser.add_argument("--topics", type=int, help="only so many topics of each bed")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--strategy", default="apprentice")
    parser.add_argument("--halves", action="store_true", help="also from either half of the start pages")
    parser.add_argument("--wrong", type=float, default=0.0, help="share of answers that are wrong")
    options = parser.parse_args()
    print(f"{'bed':<37}{'task':<11}{'calls':>5}   {'share':<7} {'gain':<15} {'yes':>5}")
    for name in options.beds:
        bed = Bed(name, options.strategy, options.pages)
        for task in options.tasks:
            measure(bed, task, options.calls, options.topics, options.halves, options.wrong)


if __name__ == "__main__":
    main()
