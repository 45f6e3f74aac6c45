"""Reading pages before a crawl: a small crawl, as polite and guarded as any, that keeps only the texts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.nouns import Outcome, Page, Plain, Redirect, Ticket, Topic, Visit
from lycosa.core.priors import PageReading
from lycosa.core.strategy import Strategy
from lycosa.engine.crawl import Crawl
from lycosa.engine.live_driver import LiveDriver
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.engine.politeness.host_locks import HostLocks
from lycosa.engine.scout import Scout
from lycosa.engine.scout_pool import ScoutPool, processes_of
from lycosa.engine.virtual_driver import VirtualDriver
from lycosa.store.repository import FOLDER
from lycosa.system.errors import Interrupted

_LONGEST = 200_000
"""Characters kept of one page's text."""


@dataclass
class Reads(Strategy):
    """Fetch the seeds and bring their texts home."""

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The text of the page; title and links are in the visit anyway."""
        return page.text[:_LONGEST]

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """No links are followed."""
        return ()


Driven = Callable[[Crawl], AsyncGenerator[Outcome, None]]
"""Runs a crawl to its end, on any web."""


def plan_of_reading(plan: Plan, urls: Sequence[str]) -> Plan:
    """The plan of the small crawl, under the same rules and limits except the caps on pages per host and site."""
    return replace(
        plan,
        seeds=tuple(urls),
        strategy=f"{__name__}:{Reads.__name__}",
        settings={},
        judge="cosine",
        judge_settings={},
        sources=Sources(),
        budget=Budget(len(urls), None, plan.budget.seconds),
        rules=replace(plan.rules, per_host=None, per_site=None),
        capacity=max(plan.capacity, len(urls)),
    )


def on_recorded(web: Web, now: float) -> Driven:
    """Runs the crawl in virtual time, on a recorded web."""

    async def drive(crawl: Crawl) -> AsyncGenerator[Outcome, None]:
        plan = crawl.plan
        scout = Scout(web, plan.topic, plan.make_strategy(), plan.make_judge(), terms=False)
        crawl.begin(now)
        async with aclosing(VirtualDriver(crawl, scout, now=now).run()) as outcomes:
            async for outcome in outcomes:
                yield outcome

    return drive


def on_live(folder: Path, clock: Callable[[], float], host_locks: HostLocks | None = None) -> Driven:
    """Runs the crawl by HTTP, with scout processes; what they archive in the folder is not used."""

    async def drive(crawl: Crawl) -> AsyncGenerator[Outcome, None]:
        crawl.politeness.locks = host_locks
        (folder / FOLDER).mkdir(exist_ok=True)
        pool = ScoutPool(crawl.plan, folder, processes_of(crawl.plan), "reading")
        crawl.begin(clock())
        try:
            await pool.start()
            async with aclosing(LiveDriver(crawl, pool, lambda: None, clock).run()) as outcomes:
                async for outcome in outcomes:
                    yield outcome
        finally:
            await pool.close()

    return drive


async def read(
    plan: Plan, urls: Sequence[str], driven: Driven, going_on: Callable[[], bool] = lambda: True
) -> dict[str, PageReading | None]:
    """The pages at these URLs, redirects followed; None for those that cannot be fetched."""
    readings: dict[str, PageReading] = {}
    moved: dict[str, str] = {}
    async with aclosing(driven(Crawl(plan_of_reading(plan, urls)))) as outcomes:
        async for outcome in outcomes:
            if not going_on():
                raise Interrupted
            if isinstance(outcome, Visit):
                readings[outcome.url] = PageReading(outcome.sense, outcome.title, tuple(outcome.links))
            elif isinstance(outcome, Redirect):
                moved[outcome.ticket.url] = outcome.to
    return {url: readings.get(_end(url, moved)) for url in urls}


def _end(url: str, moved: dict[str, str]) -> str:
    """Where a chain of redirects ends; for a loop, any URL of it."""
    for _ in range(len(moved)):
        url = moved.get(url, url)
    return url
