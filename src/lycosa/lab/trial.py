"""One crawl in the laboratory: one worker in virtual time that gets keywords and start pages and nothing else."""

from __future__ import annotations

import random
import time
from collections.abc import Coroutine, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.judge import make as make_judge
from lycosa.core.nouns import Outcome, Redirect, Ticket, Topic, Visit
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
from lycosa.lab.comparison import Track
from lycosa.lab.traits import kind_of
from lycosa.lab.world import World


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


def half_of(seeds: tuple[str, ...], half: int, random_seed: int) -> tuple[str, ...]:
    """One of two disjoint random halves of the start pages (1 or 2), or all of them (0)."""
    if not half:
        return seeds
    shuffled = random.Random(random_seed).sample(seeds, len(seeds))
    middle = (len(seeds) + 1) // 2
    return tuple(shuffled[:middle] if half == 1 else shuffled[middle:])


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


def run_trial(world: World, trial: Trial, kind: type[Strategy] | None = None, web: Web | None = None) -> Track:
    """Make a crawl; `kind` is the strategy's class, `web` the world for its needs, if the caller has them already."""
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
        rules=PolitenessRules(delay=0.0),
        workers=1,
        seed=trial.random_seed,
        judge=trial.judge,
        judge_settings=trial.judge_settings,
        kind=kind,
    )
    if trial.capacity is not None:
        plan = replace(plan, capacity=trial.capacity)
    started = time.process_time()
    crawl, scribe = Crawl(plan), _Scribe(world)
    web = web or world.web(*needs_of(kind, trial.judge))
    _run(_crawl(crawl, world, web, Priors(taxonomy=trial.taxonomy, past=visits_of(world, trial.past)), scribe))
    assert crawl.stopped
    return Track(
        np.array(scribe.pages, np.int32),
        np.array(scribe.via, np.int32),
        np.array(scribe.relevance, np.float64),
        missing=scribe.missing,
        misses=crawl.tally.misses.total() + scribe.odd,
        cpu=time.process_time() - started,
        ended=crawl.stopped.reason,
        drew_random=crawl.used_random_numbers() or _random_state() != before,
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


async def _crawl(crawl: Crawl, world: World, web: Web, known: Priors, scribe: _Scribe) -> None:
    plan = crawl.plan
    priors = await _learned(plan, world, known)
    crawl.prepare(priors)
    judge = plan.make_judge()
    judge.bags = world.bags
    scout = Scout(web, plan.topic, plan.make_strategy(), judge, priors)
    crawl.begin(0.0)
    async for outcome in VirtualDriver(crawl, scout).run():
        scribe.note(outcome)


async def _learned(plan: Plan, world: World, priors: Priors) -> Priors:
    """The priors that strategy and judge need before they begin; pages read for this are not in the track."""

    # The crawl that reads these pages uses the strategy Reads, not the one that needs them.
    reading = replace(plan, kind=Reads, settings={})

    async def from_world(urls: Sequence[str]) -> dict[str, PageReading | None]:
        return await read(reading, urls, on_recorded(world.web(text=True), 0.0))

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


class _Scribe:
    """Records what a crawl does, by page number."""

    def __init__(self, world: World) -> None:
        self.pages: list[int] = []
        self.via: list[int] = []
        self.relevance: list[float] = []
        self.missing = 0
        self.odd = 0
        """Answers that are not pages of the corpus, such as a robots.txt to which a page links."""
        self._world = world
        self._numbers: dict[str | None, int] = {None: -1}
        """The numbers of fetched pages, the only ones on which links are found."""
        self._found_on: dict[str | None, str | None] = {}
        """By redirecting URL: the page that links to it."""

    def note(self, outcome: Outcome) -> None:
        """Record an outcome."""
        ticket = outcome.ticket
        if isinstance(outcome, Visit):
            page = self._numbers[ticket.url] = self._world.corpus.number(ticket.url)
            if page < 0:
                self.odd += 1
                return
            self.pages.append(page)
            self.via.append(self._numbers.get(self._found_on.get(ticket.via, ticket.via), -1))
            self.relevance.append(outcome.relevance)
        elif isinstance(outcome, Redirect):
            self._found_on[ticket.url] = self._found_on.get(ticket.via, ticket.via)
        elif outcome.reason == "status 404":
            self.missing += self._world.parsed.row(ticket.url) < 0
