"""Hunting grounds: which topics of a world can be hunted, from which start pages, and why others cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lycosa.core.words import terms
from lycosa.lab.world import World
from lycosa.system.errors import Code, Refused
from lycosa.web.source import BedTopic


class Ground(NamedTuple):
    """A topic with those of its start pages and targets that are in the world."""

    topic: BedTopic
    seeds: tuple[str, ...]
    targets: tuple[str, ...]


def grounds_of(
    world: World, task: str, topics: Sequence[str] | None = None, halves: bool = False
) -> tuple[list[Ground], list[str]]:
    """The grounds of a task on some topics, or on all, and warnings about what is left out or missing.

    `halves`: whether there will also be crawls from half of the start pages.
    """
    wanted = {world.topic(name).id for name in topics} if topics is not None else None
    grounds, warnings = [], []
    for topic in world.topics:
        if wanted is not None and topic.id not in wanted:
            continue
        seeds = world.seeds(topic, task)
        ground = Ground(topic, _held(world, seeds), _held(world, topic.targets))
        if problem := _problem(world, ground, task, len(seeds)):
            warnings.append(f"topic {topic.id} is left out: {problem}")
            continue
        grounds.append(ground)
        for what, urls, held in (task, seeds, {*ground.seeds}), ("targets", topic.targets, {*ground.targets}):
            if lost := [url for url in urls if url not in held]:
                few = f"{len(lost)} of {len(urls)} {what}"
                warnings.append(f"topic {topic.id}: {few} are not in {world.name}, such as {lost[0]}")
        if halves and len(ground.seeds) < 2:
            warnings.append(f"topic {topic.id} has one start page, too few to halve: its robustness stays unknown")
    if not grounds:
        raise Refused(
            f"no topic of {world.name} can be hunted from its {task}", "; ".join(warnings[:3]), code=Code.EMPTY
        )
    return grounds, warnings


def _held(world: World, urls: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(url for url in urls if world.corpus.number(url) >= 0))


def _problem(world: World, ground: Ground, task: str, seeds: int) -> str:
    if not seeds:
        return f"it has no {task}"
    if not ground.seeds:
        return f"none of its {seeds} {task} are in {world.name}"
    if not ground.targets:
        return f"none of its targets are in {world.name}" if ground.topic.targets else "it has no targets"
    return "" if terms(ground.topic.keywords) else f"its keywords {ground.topic.keywords!r} say nothing"
