"""Search Engine-Crawler Symbiosis (Pant, Bradshaw & Menczer 2003): five days of a community, simulated.

A hundred questions a day; every night a refresh with all of them makes the next day's collection. Beside the paper's
system stand one with what its conclusion asks for, and one with our own search engine. Every question is also asked of
day one's collection that was left alone: a day of easy questions is no progress.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from lycosa.community.settings import AS_PUBLISHED
from lycosa.lab.comparison import Floats
from lycosa.lab.phrasing import chance, counted, number, spelled
from lycosa.lab.report.chapter import Statements
from lycosa.lab.report.study_report import ReportTable, write_account
from lycosa.lab.studies.claim import Claim, JudgedClaim, Measured
from lycosa.lab.studies.day_tests import higher, higher_of_others, higher_on_average, no_lower, smaller_by_a_third
from lycosa.lab.studies.study import Experiment, Scale, StudyOutcome
from lycosa.lab.symbiosis.days import Simulated, Simulation, System, simulate
from lycosa.lab.symbiosis.days_report import account, brief
from lycosa.lab.symbiosis.measures import Measures, measure
from lycosa.lab.symbiosis.query_pool import query_pool
from lycosa.lab.symbiosis.records import plain, write_days
from lycosa.lab.world import World
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress

PUBLISHED, INTEGRATED, HYBRID = "as published", "integrated", "hybrid engine"
# Like the paper's system, all three make every collection anew: no page stays because it was there.
SYSTEMS = (
    System(PUBLISHED, {**AS_PUBLISHED, "strategy": "best-first", "judge": "cosine", "by": "reference"}),
    System(INTEGRATED, {**AS_PUBLISHED, "strategy": "symbiotic", "judge": "tfidf", "by": "reference", "hubs": 10}),
    System(HYBRID, {**AS_PUBLISHED, "strategy": "best-first", "judge": "cosine", "by": "hybrid"}),
)
LEAST = 100
"""The least MAX_PAGES: twice the seeds of a query (25 results and a page that links to each), or only seeds would be
crawled."""
WEEKS = 2
ALONE = "left alone"

Found = Mapping[str, Measures]


def _precision(found: Found) -> list[Measured]:
    mine = found[PUBLISHED]
    last = _last(mine, mine.precision)
    measured = higher(f"P of {_day(mine)}", last, ("day one’s collection, left alone", mine.alone[:, -1]))
    theirs = higher_of_others("P", last, ("day one", mine.precision[:, 0]))
    own = f"day one, with its own questions, {number(theirs.second_mean, 'share')} (p {chance(theirs.p)})"
    return [replace(measured, note=own)]


def _decline(found: Found) -> list[Measured]:
    mine = found[PUBLISHED]
    return [
        higher(f"P of day {day}", (ALONE, mine.alone[:, day - 1]), ("refreshed", mine.precision[:, day - 1]))
        for day in (2, 3)
        if day <= mine.precision.shape[1]
    ]


def _as_good_and_smaller(found: Found) -> list[Measured]:
    mine = found[PUBLISHED]
    return [no_lower(f"P of {_day(mine)}", _last(mine, mine.precision), (ALONE, mine.alone[:, -1])), *_smaller(found)]


def _smaller(found: Found) -> list[Measured]:
    mine = found[PUBLISHED]
    return [smaller_by_a_third("size against day one", _last(mine, mine.size), ("day one", mine.size[:, 0]))]


def _per_cost(found: Found) -> list[Measured]:
    mine = found[PUBLISHED]
    return [higher(f"P / cost of {_day(mine)}", _last(mine, mine.per_cost), (ALONE, mine.per_cost_alone[:, -1]))]


def _similarity(found: Found) -> list[Measured]:
    mine = found[PUBLISHED]
    last = (_day(mine), mine.similarity[:, -1], mine.similarity_error[:, -1])
    pages = int(mine.size[:, -1].sum())
    alone = ("day one’s collection, left alone", mine.similarity_alone[:, -1], mine.similarity_alone_error[:, -1])
    measured = higher_on_average(f"S of {_day(mine)}, relative", last, alone, pages)
    ratio = float((mine.similarity[:, -1] / mine.similarity[:, 0]).mean())
    return [replace(measured, note=f"{number(ratio, 'share')} times that of day one with its own questions")]


def _repeated(found: Found) -> list[Measured]:
    told = found[PUBLISHED].repeated
    last, first = (np.array([each.precision[place] for each in told]) for place in (-1, 0))
    if not told:
        return [Measured(what="P", metric="P", first="last", second="first", missing=("questions that come again",))]
    return [higher("P of repeated questions", ("the last time", last), ("the first time", first))]


def _further(found: Found) -> list[Measured]:
    mine, theirs = found[INTEGRATED], found[PUBLISHED]
    pages = int(mine.size[:, -1].sum())
    similar, before = (
        (label, each.similarity[:, -1], each.similarity_error[:, -1])
        for label, each in ((INTEGRATED, mine), (PUBLISHED, theirs))
    )
    return [
        higher(f"P of {_day(mine)}", (INTEGRATED, mine.precision[:, -1]), (PUBLISHED, theirs.precision[:, -1])),
        higher_on_average(f"S of {_day(mine)}, relative", similar, before, pages),
    ]


def _last(mine: Measures, of: Floats) -> tuple[str, Floats]:
    return _day(mine), of[:, -1]


def _day(mine: Measures) -> str:
    """The name of the last day."""
    return f"day {spelled(mine.size.shape[1])}"


CLAIMS: dict[Callable[[Found], list[Measured]], Claim] = {
    _decline: Claim(
        "P falls slightly on the second and third day.",
        "section 4.4, figure 3 a",
        published="not tested",
        reason="In the paper every day has questions of its own, so a day of harder ones looks like a decline; here "
        "the same questions are also asked of the collection that was left alone.",
    ),
    _precision: Claim(
        "On day five P is above that of day one.",
        "section 4.4, figure 3 a",
        published="not significant",
        reason="On a small web the collection of day one already holds most of the pages that answer the questions.",
    ),
    _smaller: Claim(
        "The collection of day five is smaller than day one’s by over one third.",
        "section 4.4",
        published="65 of 100",
        reason="A hundred crawls a night reach a larger part of a small web than of the Web.",
    ),
    _as_good_and_smaller: Claim(
        "Performance is just as good with a collection two thirds the size.",
        "section 6",
        reason="A smaller collection of a small web lacks some of the labelled pages that the larger one has.",
    ),
    _per_cost: Claim("The ratio of precision to cost rises.", "section 4.4, figure 3 b"),
    _similarity: Claim("The collections become more similar to the questions of the day.", "section 4.4, figure 4 a"),
    _repeated: Claim(
        "A question that comes again is answered better the last time than the first time.",
        "section 4.4, figure 4 b",
        published="4.5 more relevant results of ten",
        reason="Most questions that come again were first asked on day two or later, of a collection that had already "
        "been refreshed; the paper had ten such questions.",
    ),
    _further: Claim(
        "TF-IDF link scores from the last index, and the engine’s hubs and contexts, improve on it.",
        "section 6, as an extension to be tried",
    ),
}
"""The paper's statements, each with what is measured of it."""


class SymbiosisResult(StudyOutcome, kw_only=True):
    """The result of the study."""

    simulated: Simulated
    measures: dict[str, Measures]

    @property
    def scale(self) -> str:
        """The sizes of the paper's experiment and of this one, and what else differs."""
        here, there = self.simulated.simulation, self.study.published
        questions = len(self.simulated.weeks[0].asked[0])
        return (
            f"The paper indexed {there.pages:,} pages of {there.world}, crawled 1,000 for each of 100 questions a day, "
            f"and judged 20 answers a day; here {self.pages:,} pages of {self.where}, {here.max_pages:,} for each of "
            f"{questions:,} questions, all of them judged, in {counted(len(self.simulated.weeks), 'week')} of "
            f"{counted(here.days, 'day')}. {self.study.differs}"
        )

    @property
    def tables(self) -> Sequence[ReportTable]:
        """The days."""
        return [brief(self.measures)]

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return super().as_dict() | plain(self.simulated, self.measures)

    def _write(self, folder: Path, command: str, statements: Statements, claims: list[Path]) -> Path:
        days = write_days(self.simulated, self.measures, folder / "tables")
        told = account(self.world.name, self.simulated, self.measures)
        return write_account(folder, told, statements, warnings=self.warnings, command=command, also=[*claims, *days])


def run(
    world: World,
    *,
    folder: Path,
    pages: int,
    topics: Sequence[str] | None = None,
    weeks: int | None = None,
    processes: int | None = None,
    progress: StageProgress = no_progress,
    simulation: Simulation | None = None,
) -> SymbiosisResult:
    """Simulate the days and judge the paper's statements; `pages` is MAX_IN_INDEX."""
    started = time.monotonic()
    weeks = WEEKS if weeks is None else weeks
    for name, value in (("pages", pages), ("seeds", weeks)):
        if value < 1:
            raise Refused(f"{value} is out of range for {name}", "give at least 1", code=Code.OUT_OF_RANGE, field=name)
    chosen = [topic for topic in world.topics if topics is None or topic.id in topics]
    if len(query_pool(chosen)) < 2:
        raise Refused(
            f"the descriptions of {world.name} hold no questions",
            "choose a bed with descriptions",
            code=Code.EMPTY,
            field="bed",
        )
    days = simulation or Simulation(systems=SYSTEMS, max_in_index=pages, max_pages=0)
    days = replace(days, max_in_index=pages, max_pages=days.max_pages or max(LEAST, pages // days.queries))
    simulated = simulate(
        world, days, folder=folder, topics=chosen, weeks=weeks, processes=processes or 0, progress=progress
    )
    progress("measuring", 0, 0)
    found = measure(world, simulated)
    claims = [JudgedClaim(claim, test(found)) for test, claim in CLAIMS.items()]
    warnings = [*world.about.warnings, *_warnings(world, pages, simulated)]
    return SymbiosisResult(
        study=STUDY,
        world=world,
        pages=pages,
        simulated=simulated,
        measures=found,
        claims=claims,
        warnings=warnings,
        seconds=time.monotonic() - started,
    )


def _warnings(world: World, pages: int, simulated: Simulated) -> list[str]:
    found = []
    if 2 * pages > (held := len(world.corpus)):
        found.append(f"{world.name} has only {held:,} pages: day one’s collection of {pages:,} is most of it")
    if len(questions := simulated.weeks[0].asked[0]) < simulated.simulation.queries:
        found.append(f"the pool holds only {len(questions):,} questions: all of them are asked every day")
    return found


STUDY = Experiment(
    name="symbiosis",
    paper="Pant, Bradshaw & Menczer 2003, Search Engine-Crawler Symbiosis: Adapting to Community Interests",
    published=Scale(100_000, 1, "the Web of 2003"),
    default=Scale(10_000, 36, "made:pages=40000,topics=36,page_bytes=3000"),
    full=Scale(100_000, 100, "made:pages=400000,topics=100,page_bytes=3000"),
    differs="There, people judged; here a page is relevant if it is labelled with the topic from whose description the "
    "question was cut. There, people had taken incoherent questions out; here words that many descriptions share are "
    "left out, and odd questions remain. There, all pages that link to a result were seeds, here one for each; there, "
    "75 threads fetched, here one worker takes the best link every time; there, one question was crawled after the "
    "other, here four side by side.",
    statistics="The paper shows standard errors and makes no tests. Here questions are the sample, those of all weeks "
    "together; the same ones were asked of the day’s collection and of day one’s collection that was left alone, so "
    "t-tests are paired and one-tailed in the direction of each statement; p is uncorrected. S is tested over pages, "
    "as its error bars in the paper are.",
    run=run,
)
