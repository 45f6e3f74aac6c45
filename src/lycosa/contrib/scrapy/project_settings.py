"""What a project's settings say about the hunt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, NamedTuple

from scrapy.settings import BaseSettings

from lycosa.core import judge as judging
from lycosa.core import strategy as hunting
from lycosa.core.brief import Brief
from lycosa.core.judge import Judge
from lycosa.core.nouns import Topic
from lycosa.core.priors import Priors, Student
from lycosa.core.query import Query
from lycosa.core.strategy import Strategy
from lycosa.engine.relevance import Relevance
from lycosa.system.errors import Code, Refused

_ANYWHERE = "https://example.org/"
"""A seed for dry runs; it is never fetched."""


class ProjectSettings(NamedTuple):
    """What to hunt and how; the setting of each field is its name in capitals with LYCOSA_ before it."""

    keywords: str
    strategy: str = "apprentice"
    settings: Mapping[str, Any] = {}
    judge: str = "cosine"
    judge_settings: Mapping[str, Any] = {}
    on_topic: bool = True
    """Whether the start pages are about the topic."""
    obey_nofollow: bool = True
    """Whether links that ask not to be followed come last."""
    reach: int = 16
    """How many tickets down the queue to look for a host that may be asked now."""
    capacity: int = 1_000_000
    """Most requests that may wait; beyond that the least promising are dropped."""
    dice: int = 1

    def make_strategy(self) -> Strategy:
        """A fresh strategy."""
        return hunting.make(self.strategy, self.settings)

    def make_judge(self) -> Judge:
        """A fresh judge."""
        return judging.make(self.judge, self.judge_settings)

    def topic(self, seeds: Iterable[str]) -> Topic:
        """The topic; start pages are its examples, unless the strategy or judge would have to read them first."""
        topic = Topic(self.keywords, examples=tuple(seeds) if self.on_topic else ())
        students = (self.make_strategy(), self.make_judge())
        return Topic(self.keywords) if any(wants_to_read(student, topic) for student in students) else topic


def read(settings: BaseSettings) -> ProjectSettings:
    """The settings of a project; raises Refused for what cannot be done, before the first request."""
    keywords = settings.get("LYCOSA_KEYWORDS") or ""
    readers: dict[type, Callable[..., Any]] = {bool: settings.getbool, int: settings.getint, dict: settings.getdict}
    given = {}
    for name, default in ProjectSettings._field_defaults.items():
        get: Callable[..., Any] = readers.get(type(default), settings.get)
        given[name] = get(f"LYCOSA_{name.upper()}", default)
    project = ProjectSettings(keywords if isinstance(keywords, str) else " ".join(keywords), **given)
    _check(project)
    return project


def _check(project: ProjectSettings) -> None:
    if not project.keywords.strip():
        raise Refused("there is no topic", 'set LYCOSA_KEYWORDS = "a few words"', code=Code.MISSING, field="keywords")
    Query(project.keywords)
    for name in ("reach", "capacity"):
        if getattr(project, name) < 1:
            raise Refused(
                f"LYCOSA_{name.upper()} = {getattr(project, name)} is too small",
                "give at least 1",
                code=Code.OUT_OF_RANGE,
                field=name,
            )
    topic, strategy, judge = project.topic([_ANYWHERE]), project.make_strategy(), project.make_judge()
    judging.must_not_read(judge, "a Scrapy project")
    for student, setting, kinds in (
        (strategy, "LYCOSA_STRATEGY", hunting.strategies),
        (judge, "LYCOSA_JUDGE", judging.judges),
    ):
        if wants_to_read(student, topic):
            raise Refused(
                f"{setting} = {student.name!r} must read pages before the crawl, which cannot be done here",
                f"choose one of: {', '.join(_free(kinds))}",
                code=Code.NOT_ALLOWED,
                field=setting.removeprefix("LYCOSA_").lower(),
            )
    judge.prepare(topic, Priors())
    strategy.prepare(topic, Priors())
    list(strategy.begin(Brief(topic, [_ANYWHERE], Random(project.dice), pages=Relevance(topic).pages)))


def wants_to_read(student: Student, topic: Topic) -> bool:
    """Whether a strategy or judge needs more knowledge before the crawl than the topic."""
    if student.taxonomy or (student.by_example and not topic.examples):
        return True
    try:
        return any(True for _ in student.study(topic, Priors()))
    except Refused:
        return True


def _free(kinds: Callable[[], Mapping[str, type[Student]]]) -> list[str]:
    """The names of those that need nothing but keywords."""
    return [name for name, kind in kinds().items() if not wants_to_read(kind(), Topic("any"))]
