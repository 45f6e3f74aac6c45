"""One crawl in the laboratory: in virtual time, given keywords and start pages and nothing else."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from lycosa.core.judge import make as make_judge
from lycosa.core.nouns import Outcome, Ticket, Topic, Visit
from lycosa.core.priors import PageReading, Priors
from lycosa.core.strategy import Strategy
from lycosa.core.taxonomy import Taxonomy
from lycosa.engine.crawl import Crawl
from lycosa.engine.example_crawl import Reads, on_recorded, read
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.preparation import Preparation
from lycosa.engine.scout import Scout
from lycosa.engine.virtual_driver import VirtualDriver
from lycosa.lab.comparison import Pace, Track
from lycosa.lab.scribe import Scribe
from lycosa.lab.traits import kind_of
from lycosa.lab.world import World
from lycosa.web.parsed_pages import ParsedWeb


class Trial(Struct, frozen=True):
    """The order for a crawl that a process gets: plain data, without anything that a strategy must not know."""

    label: str
    strategy: str
    settings: dict[str, Any]
    keywords: str
    seeds: tuple[str, ...]
    pages: int
    examples: tuple[str, ...] = ()
    """The start pages that are known to be about the topic."""
    random_seed: int = 1
    capacity: int | None = None
    """Most tickets that the frontier holds; None for the plan's default."""
    judge: str = "cosine"
    judge_settings: dict[str, Any] = {}
    taxonomy: Taxonomy | None = None
    """The world's taxonomy with the topic's category marked, for strategies and judges that need one."""
    past: tuple[tuple[str, float], ...] = ()
    """The pages of the crawl that this one follows, each with its relevance there."""
    pace: Pace = Pace()


def half_of(seeds: tuple[str, ...], half: int, random_seed: int) -> tuple[str, ...]:
    """A random half of the start pages, or all of them (0).

    1 and 2 are the disjoint halves of one random split, 3 and 4 those of another one, and so on.
    """
    if not half:
        return seeds
    split, second = divmod(half - 1, 2)
    shuffled = random.Random(f"{random_seed} {split}" if split else random_seed).sample(seeds, len(seeds))
    middle = (len(seeds) + 1) // 2
    return tuple(shuffled[middle:] if second else shuffled[:middle])


class Needs(NamedTuple):
    """What a strategy needs of a page; anything else would only cost time."""

    context: bool
    text: bool


def needs_of(kind: type[Strategy], judge: str = "cosine") -> Needs:
    """What a strategy and a judge need of a page."""
    return Needs(bool(kind.context), kind.sense is not Strategy.sense or make_judge(judge).text)


class _Plan(Plan, frozen=True, kw_only=True):
    """A plan with the strategy's class, which need not be found again."""

    kind: Any

    def make_strategy(self) -> Strategy:
        made: Strategy = self.kind(**self.settings)
        return made

    def dump(self) -> dict[str, Any]:
        return {}  # no log is written


Beside = Callable[[Crawl], Callable[[], None]]
"""Makes a function for a crawl that is called before every fetch."""


def run_trial(
    world: World,
    trial: Trial,
    kind: type[Strategy] | None = None,
    web: ParsedWeb | None = None,
    beside: Beside | None = None,
) -> Track:
    """Make a crawl; `kind` is the strategy's class, `web` the world for its needs, if the caller has them already.

    `beside` is something that talks to the crawl while it runs, such as a reader that judges pages.
    """
    kind = kind or kind_of(trial.strategy)
    # Code that uses the global random generator gets the same numbers every time.
    random.seed(trial.random_seed)
    np.random.seed(trial.random_seed % 2**32)
    before = _random_state()
    plan = _Plan(
        topic=Topic(trial.keywords, examples=trial.examples),
        seeds=trial.seeds,
        strategy=trial.strategy,
        settings=trial.settings,
        budget=Budget(trial.pages),
        rules=PolitenessRules(delay=trial.pace.delay),
        workers=trial.pace.workers,
        seed=trial.random_seed,
        judge=trial.judge,
        judge_settings=trial.judge_settings,
        recorded=world.name,
        kind=kind,
    )
    if trial.capacity is not None:
        plan = replace(plan, capacity=trial.capacity)
    started = time.process_time()
    crawl = Crawl(plan)
    scribe = Scribe(world, crawl.relevance)
    web = web or world.web(*needs_of(kind, trial.judge))
    priors = Priors(taxonomy=trial.taxonomy, past=visits_of(world, trial.past))
    _run(_crawl(crawl, world, web, priors, scribe, beside(crawl) if beside else None))
    assert crawl.stopped
    return replace(
        scribe.track(timed=trial.pace.timed),
        misses=crawl.tally.misses.total() + scribe.odd,
        cpu=time.process_time() - started,
        ended=crawl.stopped.reason,
        drew_random=crawl.used_random_numbers() or _random_state() != before,
        **scribe.chances(),
    )


def _random_state() -> str:
    """The state of the global random generators."""
    return repr((random.getstate(), np.random.get_state()))


def _run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine that never waits; an event loop would only be one more clock, and cost time."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()
    raise RuntimeError("a page of a world in memory was waited for")


async def _crawl(
    crawl: Crawl, world: World, web: ParsedWeb, known: Priors, scribe: Scribe, listen: Callable[[], None] | None
) -> None:
    plan = crawl.plan
    priors = await _learned(plan, world, known, scribe)
    crawl.prepare(priors)
    judge = plan.make_judge()
    judge.bags = world.bags
    scout = Scout(web, plan.topic, plan.make_strategy(), judge, priors, terms=crawl.relevance is not None)
    driver = VirtualDriver(crawl, scout, robots=web.pause if plan.workers > 1 or plan.rules.delay else None)
    if listen:
        driver.listen = listen
    crawl.begin(0.0)
    async for outcome in driver.run():
        scribe.note(outcome, driver.now)


async def _learned(plan: Plan, world: World, priors: Priors, scribe: Scribe) -> Priors:
    """The priors that strategy and judge need before they begin.

    Pages that are read for this are not in the track, but their requests count.
    """
    # The crawl that reads these pages uses the strategy Reads, not the one that needs them.
    reading = replace(plan, kind=Reads, settings={})

    async def counted(crawl: Crawl) -> AsyncGenerator[Outcome, None]:
        async with aclosing(on_recorded(world.web(text=True), 0.0)(crawl)) as outcomes:
            async for outcome in outcomes:
                scribe.ask(outcome)
                yield outcome

    async def from_world(urls: Sequence[str]) -> dict[str, PageReading | None]:
        return await read(reading, urls, counted)

    students = plan.make_strategy(), plan.make_judge()
    preparation = Preparation(plan.topic, students, priors, world.inlinks, world.background)
    return await preparation.complete(from_world)


def visits_of(world: World, pages: Sequence[tuple[str, float]]) -> tuple[Visit, ...]:
    """Pages of an earlier crawl, by URL and relevance, as visits with those of their links that are in the world."""
    edges, urls = world.corpus.edges, world.corpus.urls
    numbers = [world.corpus.number(url) for url, _ in pages]
    targets = [edges.indices[edges.indptr[number] : edges.indptr[number + 1]].tolist() for number in numbers]
    return tuple(
        Visit(Ticket(url), relevance, [urls[target] for target in found])
        for (url, relevance), found in zip(pages, targets, strict=True)
    )
