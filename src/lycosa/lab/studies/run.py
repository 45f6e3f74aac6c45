"""A study from end to end: its rounds on a world, its claims judged, its results for people and for programs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lycosa.core.strategy import strategies
from lycosa.lab import inquiry
from lycosa.lab.comparison import Comparison
from lycosa.lab.evaluate import LIMIT
from lycosa.lab.findings import findings
from lycosa.lab.inquiry import Inquiry, inquire
from lycosa.lab.phrasing import counted
from lycosa.lab.report.chapter import Statements
from lycosa.lab.studies import study_named
from lycosa.lab.studies.augmented import Augment, AugmentedWorld, hubs_in_world, hubs_of
from lycosa.lab.studies.study import Study, StudyOutcome, StudyRound
from lycosa.lab.world import World, open_world
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress


class StudyResult(StudyOutcome, kw_only=True):
    """The result of a study that compares crawls."""

    study: Study
    inquiries: dict[str, Inquiry]
    """By round, those that could be made."""

    @property
    def comparisons(self) -> dict[str, Comparison]:
        """By round."""
        return {name: found.comparison for name, found in self.inquiries.items()}

    @property
    def scale(self) -> str:
        """The sizes of the paper's experiment and of this one, and what else differs."""
        there = self.study.published
        counts = dict.fromkeys(len(each.topics) for each in self.comparisons.values())
        topics = " and ".join(f"{count:,}" for count in counts) + (" topic" if list(counts) == [1] else " topics")
        return (
            f"The paper crawled {counted(there.pages, 'page')} on {counted(there.topics, 'topic')} of {there.world}; "
            f"here {counted(self.pages, 'page')} on {topics} of {self.where}. {self.study.differs}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        comparisons = {name: found.as_dict() for name, found in self.inquiries.items()}
        return super().as_dict() | {"metrics": list(self.study.metrics), "comparisons": comparisons}

    def _write(self, folder: Path, command: str, statements: Statements, claims: list[Path]) -> Path:
        return inquiry.write(list(self.inquiries.values()), self.world, folder, command, statements, claims)


def run_study(
    name: str,
    world: World | str | None = None,
    *,
    folder: str | Path,
    pages: int | None = None,
    topics: Sequence[str] | None = None,
    repeats: int | None = None,
    full: bool = False,
    processes: int | None = None,
    limit: float = LIMIT,
    augment: Augment | None = hubs_in_world,
    progress: StageProgress = no_progress,
) -> StudyOutcome:
    """Run a paper's experiment on a world, or on a made web; `full` makes it as large as the published one.

    What the paper had and is missing here (a strategy, better seeds, a kind of start pages) is left out and named.
    """
    started = time.monotonic()
    study = study_named(name)
    scale = study.full if full else study.default
    pages = scale.pages if pages is None else pages
    opened = world if isinstance(world, World) else open_world(world or scale.world, progress)
    if study.run:
        return study.run(
            opened,
            folder=Path(folder),
            pages=pages,
            topics=topics,
            weeks=repeats,
            processes=processes,
            progress=progress,
        )
    assert isinstance(study, Study)
    inquiries: dict[str, Inquiry] = {}
    missing = [f"the strategy {strategy} does not exist yet" for strategy in _unknown(study)]
    warnings: list[str] = []
    for round_ in study.rounds:
        hubs = hubs_of(opened, topics, augment) if round_.augmented and augment else {}
        if lack := _lack(opened, round_, augment, hubs):
            missing.append(lack)
            continue
        found = inquire(
            AugmentedWorld(opened, hubs) if round_.augmented else opened,
            [each for each in round_.configurations if each.strategy in strategies()],
            round_.task,
            pages,
            folder=Path(folder),
            topics=list(hubs) if round_.augmented else topics,
            repeats=study.repeats if repeats is None else repeats,
            capacity=study.capacity,
            processes=processes,
            limit=limit,
            progress=progress,
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
        study=study,
        world=opened,
        pages=pages,
        inquiries=inquiries,
        claims=[claim.judge(comparisons) for claim in study.claims],
        missing=missing,
        warnings=list(dict.fromkeys(warnings)),
        seconds=time.monotonic() - started,
    )


def _unknown(study: Study) -> list[str]:
    """The strategies that a study uses and that do not exist."""
    wanted = dict.fromkeys(each.strategy for round_ in study.rounds for each in round_.configurations)
    return [strategy for strategy in wanted if strategy not in strategies()]


def _lack(world: World, round_: StudyRound, augment: Augment | None, hubs: dict[str, Sequence[str]]) -> str:
    """Why a round cannot be run; empty if it can."""
    if not any(world.seeds(topic, round_.task) for topic in world.topics):
        return f"{round_.name}: no topic of {world.name} has any"
    if round_.augmented and augment is None:
        return f"{round_.name}: nothing finds the hubs that link to a topic's seeds yet"
    return f"{round_.name}: no hubs were found for any topic" if round_.augmented and not hubs else ""
