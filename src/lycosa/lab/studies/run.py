"""A study from end to end: its rounds on a world, its claims judged, its results for people and for programs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from lycosa.core.strategy import strategies
from lycosa.lab import inquiry
from lycosa.lab.comparison import Comparison
from lycosa.lab.evaluate import LIMIT
from lycosa.lab.findings import findings
from lycosa.lab.inquiry import Inquiry, Watch, inquire
from lycosa.lab.phrasing import counted
from lycosa.lab.report.page import Statement, Statements
from lycosa.lab.report.study_report import ReportTable
from lycosa.lab.studies import study_named
from lycosa.lab.studies.augmented import AUGMENT, Augment, AugmentedWorld, hubs_of
from lycosa.lab.studies.claim import JudgedClaim
from lycosa.lab.studies.study import Outcome, Scale, Study, StudyRound
from lycosa.lab.studies.table import claim_rows, write_claims
from lycosa.lab.world import World, open_world
from lycosa.system.errors import Code, Refused
from lycosa.web.source_names import is_made


class StudyResult(Struct):
    """The result of a study."""

    study: Study
    world: World
    pages: int
    inquiries: dict[str, Inquiry]
    """By round, those that could be made."""
    claims: list[JudgedClaim]
    missing: list[str]
    """What the paper had and we do not."""
    warnings: list[str]
    seconds: float

    @property
    def comparisons(self) -> dict[str, Comparison]:
        """By round."""
        return {name: found.comparison for name, found in self.inquiries.items()}

    @property
    def tables(self) -> Sequence[ReportTable]:
        """None: the report contains them."""
        return ()

    @property
    def scale(self) -> str:
        """The sizes of the paper's experiment and of this one, and what else differs."""
        there = self.study.published
        counts = dict.fromkeys(len(each.topics) for each in self.comparisons.values())
        topics = " and ".join(f"{count:,}" for count in counts) + (" topic" if list(counts) == [1] else " topics")
        where = f"a made web ({self.world.name})" if is_made(self.world.text) else self.world.name
        return (
            f"The paper crawled {counted(there.pages, 'page')} on {counted(there.topics, 'topic')} of {there.world}; "
            f"here {counted(self.pages, 'page')} on {topics} of {where}. {self.study.differs}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        verdicts = [judged.verdict for judged in self.claims]
        return {
            "study": self.study.name,
            "paper": self.study.paper,
            "bed": self.world.name,
            "pages": self.pages,
            "scale": self.scale,
            "statistics": self.study.statistics,
            "metrics": list(self.study.metrics),
            "claims": [judged.plain() for judged in self.claims],
            "verdicts": {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)},
            "missing": self.missing,
            "warnings": self.warnings,
            "comparisons": {name: found.as_dict() for name, found in self.inquiries.items()},
            "seconds": round(self.seconds, 1),
        }

    def write(self, folder: Path, command: str = "") -> Path:
        """Write the report of the comparisons, and the claims as tables; returns the path of the page."""
        claims = write_claims(self.claims, folder / "tables", self.study.statistics)
        return inquiry.write(list(self.inquiries.values()), self.world, folder, command, self._statements(), claims)

    def _statements(self) -> Statements:
        rows = [
            Statement(row.says, row.here, row.agrees, judged.verdict)
            for row, judged in zip(claim_rows(self.claims), self.claims, strict=True)
        ]
        return Statements(self.study.paper, self.scale, rows, self.missing, self.study.statistics)


def run_study(
    name: str,
    world: World | str | None = None,
    *,
    folder: str | Path,
    pages: int | None = None,
    topics: Sequence[str] | None = None,
    dice: int | None = None,
    full: bool = False,
    processes: int | None = None,
    limit: float = LIMIT,
    augment: Augment | None = AUGMENT,
    progress: Watch | None = None,
) -> StudyResult:
    """Run a paper's experiment on a world, or on a made web; `full` makes it as large as the published one.

    What the paper had and is missing here (a strategy, better seeds, a kind of start pages) is left out and named.
    """
    started = time.monotonic()
    study = study_named(name)
    assert isinstance(study, Study), f"{name} is run by `run_any`"
    scale = study.full if full else study.default
    pages = scale.pages if pages is None else pages
    watch = progress or (lambda what, done, total: None)
    opened = _opened(world, scale, watch)
    inquiries: dict[str, Inquiry] = {}
    missing = [f"the strategy {way} does not exist yet" for way in _unknown(study)]
    warnings = _size_warnings(opened, pages)
    for round_ in study.rounds:
        hubs = hubs_of(opened, topics, augment) if round_.augmented and augment else {}
        if lack := _lack(opened, round_, augment, hubs):
            missing.append(lack)
            continue
        found = inquire(
            AugmentedWorld(opened, hubs) if round_.augmented else opened,
            [way for way in round_.ways if way.strategy in strategies()],
            round_.task,
            pages,
            folder=Path(folder),
            topics=list(hubs) if round_.augmented else topics,
            dice=study.dice if dice is None else dice,
            capacity=study.capacity,
            processes=processes,
            limit=limit,
            watch=watch,
        )
        if round_.augmented:
            found.comparison.task = round_.name
            found.title = f"Starting from {round_.name}"
            found.findings = findings(found.comparison, found.tests)
        inquiries[round_.name] = found
    if not inquiries:
        raise Refused(
            f"the study {name} cannot be run on {opened.name}", "; ".join(missing), code=Code.EMPTY, field="bed"
        )
    if study.also:
        study.also(opened, inquiries)
    comparisons = {round_: found.comparison for round_, found in inquiries.items()}
    warnings += [warning for found in inquiries.values() for warning in found.warnings]
    return StudyResult(
        study,
        opened,
        pages,
        inquiries,
        [claim.judge(comparisons) for claim in study.claims],
        missing,
        list(dict.fromkeys(warnings)),
        time.monotonic() - started,
    )


def run_any(
    name: str,
    world: World | str | None = None,
    *,
    folder: str | Path,
    pages: int | None = None,
    topics: Sequence[str] | None = None,
    dice: int | None = None,
    full: bool = False,
    processes: int | None = None,
    limit: float = LIMIT,
    progress: Watch | None = None,
) -> Outcome:
    """Run a study of any kind."""
    study = study_named(name)
    if isinstance(study, Study):
        return run_study(
            name,
            world,
            folder=folder,
            pages=pages,
            topics=topics,
            dice=dice,
            full=full,
            processes=processes,
            limit=limit,
            progress=progress,
        )
    scale = study.full if full else study.default
    watch = progress or (lambda what, done, total: None)
    return study.run(
        _opened(world, scale, watch),
        folder=Path(folder),
        pages=scale.pages if pages is None else pages,
        topics=topics,
        weeks=dice,
        processes=processes,
        watch=watch,
    )


def _opened(world: World | str | None, scale: Scale, watch: Watch) -> World:
    if isinstance(world, World):
        return world
    return open_world(world or scale.world, lambda done, total: watch("reading the pages", done, total))


def _unknown(study: Study) -> list[str]:
    """The strategies that a study uses and that do not exist."""
    wanted = dict.fromkeys(way.strategy for round_ in study.rounds for way in round_.ways)
    return [strategy for strategy in wanted if strategy not in strategies()]


def _lack(world: World, round_: StudyRound, augment: Augment | None, hubs: dict[str, Sequence[str]]) -> str:
    """Why a round cannot be run; empty if it can."""
    if not any(world.seeds(topic, round_.task) for topic in world.topics):
        return f"{round_.name}: no topic of {world.name} has any"
    if round_.augmented and augment is None:
        return f"{round_.name}: nothing finds the hubs that link to a topic's seeds yet"
    return f"{round_.name}: no hubs were found for any topic" if round_.augmented and not hubs else ""


def _size_warnings(world: World, pages: int) -> list[str]:
    held = len(world.corpus)
    if pages <= held / 2:
        return []
    return [f"{world.name} has only {held:,} pages: crawls of {pages:,} end up with the same ones"]
