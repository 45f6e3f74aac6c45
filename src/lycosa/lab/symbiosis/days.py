"""The simulation of section 4.2: day one answers from a breadth-first collection; each night a refresh with all of the
day's questions makes the next day's collection. Each system begins as a copy of the same first community.

    OUT/communities/1-KEY/day-one         the first community of the first week, which is never refreshed
    OUT/communities/1-KEY/SYSTEM          a copy of it that is refreshed every night
    OUT/communities/1-KEY/SYSTEM.2.json   the facts of a day: the pages of the collection, and its results
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from lycosa.community.first_generation import complete, first_hunt
from lycosa.community.home import Home
from lycosa.community.refresh import interrupted, refresh
from lycosa.community.refresh_state import make_loop
from lycosa.community.settings import CommunitySettings
from lycosa.index.index import Index
from lycosa.index.search_types import Question
from lycosa.lab.comparison import Ids
from lycosa.lab.symbiosis.day_cache import Day, Facts, key_of
from lycosa.lab.symbiosis.query_pool import PoolQuery, bookmarks, daily, query_pool
from lycosa.lab.world import World
from lycosa.store.collection import INDEX
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.source import BedTopic

ANSWERS = 10
"""Results of a query that are judged."""
FIRST = "day-one"


class System(Struct, frozen=True):
    """A search engine and a crawler, defined by how they refresh."""

    label: str
    refresh: dict[str, Any]
    """The options of a refresh, as on the command line; `by` is also the index that answers during the day."""

    @property
    def by(self) -> str:
        """Which index answers."""
        return str(self.refresh.get("by", "hybrid"))


class Simulation(Struct, frozen=True, kw_only=True):
    """The parameters of the days, with the paper's names."""

    systems: tuple[System, ...]
    max_in_index: int
    max_pages: int
    max_iter: int = 3
    n_hits: int = 25
    referrers: int = 1
    """Pages that link to a result and become seeds, for each result."""
    queries: int = 100
    days: int = 5
    parallel: int = 4
    """Queries crawled side by side."""


class Week(Struct):
    """One repetition: its queries, and the days of each system."""

    number: int
    bookmarks: int
    asked: list[list[PoolQuery]]
    systems: dict[str, list[Day]]


class Simulated(Struct):
    """The whole simulation."""

    simulation: Simulation
    topics: list[BedTopic]
    pool: int
    weeks: list[Week]


def simulate(
    world: World,
    simulation: Simulation,
    *,
    folder: Path,
    topics: Sequence[BedTopic],
    weeks: int = 1,
    processes: int = 0,
    progress: StageProgress = no_progress,
) -> Simulated:
    """Simulate the weeks; finished refreshes are kept in the folder and not made again."""
    pool = query_pool(topics)
    done, total = 0, weeks * len(simulation.systems) * (simulation.days - 1)
    found = []
    for number in range(1, weeks + 1):
        # A string seeds the same random numbers on every machine.
        rng = Random(f"week {number}")
        marked = bookmarks(topics, lambda url: world.corpus.number(url) >= 0, rng)
        asked = daily(pool, simulation.days, simulation.queries, rng)
        settings = CommunitySettings(
            max_in_index=simulation.max_in_index,
            max_pages=simulation.max_pages,
            max_iter=simulation.max_iter,
            n_hits=simulation.n_hits,
            parallel=simulation.parallel,
            workers=1,
            processes=processes,
            recorded=world.text,
            seed=number,
        )
        place = folder / "communities" / f"{number}-{key_of(world, settings, marked)}"
        first = _begin(place / FIRST, settings, marked, progress)
        week = Week(number, len(marked), asked, {})
        for system in simulation.systems:
            facts = Facts(place, re.sub(r"\W+", "-", system.label), [simulation.referrers, system, asked])
            lived = _Lived(world, simulation, system, first, facts, processes, progress)
            week.systems[system.label] = []
            for day in range(1, simulation.days + 1):
                progress("nights", done, total)
                week.systems[system.label].append(lived.day(day, asked))
                done += day > 1
        found.append(week)
    progress("nights", total, total)
    return Simulated(simulation, list(topics), len(pool), found)


class _Lived(Struct):
    """One system in one week."""

    world: World
    simulation: Simulation
    system: System
    first: Home
    facts: Facts
    processes: int
    progress: StageProgress

    def day(self, number: int, asked: Sequence[Sequence[PoolQuery]]) -> Day:
        """The facts of a day; it is simulated now, unless it was before."""
        if known := self.facts.day(number):
            return known
        home = self._home(number)
        while (at := int(home.current().name)) < number:
            self._night(home, [each.text for each in asked[at - 1]])
        texts = [each.text for each in asked[number - 1]]
        alone = self._answers(self.first.current(), texts)
        if number == 1:
            lived = Day(self._held(home), alone, alone)
        else:
            record = next(each.record for each in home.generations() if each.current)
            fetched, seconds = int(record.report["fetched"]), float(record.report["seconds"])
            lived = Day(self._held(home), self._answers(home.current(), texts), alone, fetched, seconds)
        self.facts.keep(number, lived)
        with home.changing():
            # The facts are kept; all collections of a week would fill a disk.
            home.forget(keep=1)
        return lived

    def _home(self, number: int) -> Home:
        """The community as it was on a day, or earlier."""
        folder = self.facts.community
        if folder.exists() and int(Home.open(folder).current().name) > number:
            shutil.rmtree(folder)  # the facts of a finished day were lost
        if not folder.exists():
            part = folder.with_name(f".{folder.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(self.first.folder, part, symlinks=True)
            part.rename(folder)
        return Home.open(folder)

    def _night(self, home: Home, questions: list[str]) -> None:
        """Run the refresh, or resume it."""
        given = {"query": questions, "referrers": self.simulation.referrers, "processes": self.processes}
        # Nobody is there to accept a collection that was held back.
        given["max_loss"] = 1.0
        loop = None if interrupted(home) else make_loop(home, given | self.system.refresh)
        refresh(home, loop, lambda what, done, total: self.progress(f"{what} of the night", done, total))

    def _held(self, home: Home) -> Ids:
        with Index.open(home.current() / INDEX) as index:
            return self._numbers(sorted(index.urls()))

    def _answers(self, generation: Path, questions: Sequence[str]) -> list[Ids]:
        with Index.open(generation / INDEX) as index:
            asked = (Question(text, by=self.system.by, limit=ANSWERS, verbatim=True) for text in questions)
            return [self._numbers([hit.url for hit in index.search(each).hits]) for each in asked]

    def _numbers(self, urls: Sequence[str]) -> Ids:
        return self.facts.numbers(self.world.corpus.number, urls)


def _begin(folder: Path, settings: CommunitySettings, marked: Sequence[Any], progress: StageProgress) -> Home:
    """The first community, begun or resumed."""
    home = Home.open(folder) if Home.is_one(folder) else Home.create(folder, settings)
    if home.begun:
        return home
    with home.changing():
        hunt = first_hunt(home, marked)
        if hunt:
            with hunt:
                for done, _ in enumerate(hunt, 1):
                    progress("pages of day one", done, settings.max_in_index)
        complete(home)
    return home
