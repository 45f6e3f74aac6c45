"""The Judge interface and the registry in which judges are found by name.

Once prepared, a judge is a pure function of a page; its options are dataclass fields. It runs in the scouts, so all
that it knows besides its options comes from the topic and the priors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Priors, Student
from lycosa.core.registry import Registry
from lycosa.core.words import Analysis, analysis, norm
from lycosa.system.errors import Code, Refused

_ENGLISH = analysis()


class Bags:
    """A cache of the terms of English pages and their norms, for many topics on the same recorded web."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Mapping[str, float], float]] = {}

    def of(self, page: Page) -> tuple[Mapping[str, float], float]:
        """The terms of a page and their norm."""
        if not page.url:
            return _bag(page, _ENGLISH)
        found = self._kept.get(page.url)
        if found is None:
            found = self._kept[page.url] = _bag(page, _ENGLISH)
        return found


class Judge(Student):
    """How relevant is this page? Subclasses write `__call__`, and `study` and `prepare` if they need priors."""

    options_field: ClassVar[str] = "judge"
    text: ClassVar[bool] = False
    """Whether it reads the text itself, and not only the terms of a page."""
    reads: ClassVar[bool] = False
    """Whether it also judges some pages beside the crawl, by reading them, as people do; only a hunt can ask it to."""
    analysis: Analysis = _ENGLISH
    """How the words of pages are read; that of the topic, once it is prepared."""
    bags: Bags | None = None
    """A cache that judges of the same pages share, so that the words of a page are counted once."""

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """From now on, words are read as those of the topic; subclasses begin with this."""
        self.analysis = topic.analysis

    def __call__(self, page: Page) -> Verdict:
        """Its relevance, from 0 to 1."""
        raise NotImplementedError

    def bag(self, page: Page) -> tuple[Mapping[str, float], float]:
        """The terms of a page and their norm."""
        return self.bags.of(page) if self.bags else _bag(page, self.analysis)

    def of_text(self, text: str) -> float:
        """How relevant a text is that is not a page, such as the words around a link."""
        return self(Page("", text)).relevance


def _bag(page: Page, analysis: Analysis) -> tuple[Mapping[str, float], float]:
    bag = analysis.terms(page.text)
    return bag, norm(bag)


def must_not_read(judge: Judge, place: str) -> None:
    """Refuse a judge who reads where nothing asks it."""
    if judge.reads:
        problem = f"judge {judge.name} is asked about the pages of a hunt while it runs, which {place} cannot do"
        raise Refused(problem, "name another judge", code=Code.NOT_ALLOWED, field="judge")


_registry: Registry[Judge] = Registry("judge", "lycosa.judge", "lycosa.judges")
register = _registry.register


def judges() -> Mapping[str, type[Judge]]:
    """Every judge there is: one per file of lycosa.judge, and those of other packages' entry points."""
    return _registry.all()


def make(name: str, settings: Mapping[str, Any] | None = None) -> Judge:
    """A judge by name, or by `module:Class`, with its options set."""
    return _registry.make(name, settings or {}, Judge)
