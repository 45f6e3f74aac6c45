"""The Judge interface and the shelf on which judges are found by name.

A judge is a pure function of a page, once it is prepared; its options are dataclass fields. It runs in the scouts, so
what it knows beyond its options comes from the topic and the lore.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lycosa.core.nouns import Page, Verdict
from lycosa.core.priors import Student
from lycosa.core.registry import Registry
from lycosa.core.words import norm, terms


class Bags:
    """The terms of pages and their norms, counted once and kept: for many topics on the same recorded web."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Mapping[str, float], float]] = {}

    def of(self, page: Page) -> tuple[Mapping[str, float], float]:
        """The terms of a page and their norm."""
        found = self._kept.get(page.url)
        if found is None:
            bag = terms(page.text)
            found = self._kept[page.url] = bag, norm(bag)
        return found


class Judge(Student):
    """How relevant is this page? Subclasses write `__call__`, and `study` and `prepare` if they must read first."""

    text: ClassVar[bool] = False
    """Whether it reads texts themselves, and not only which terms a page has."""
    bags: Bags | None = None
    """Where many judges of the same pages share the work of counting words; whoever counts words may look here."""

    def __call__(self, page: Page) -> Verdict:
        """Its relevance, from 0 to 1."""
        raise NotImplementedError

    def bag(self, page: Page) -> tuple[Mapping[str, float], float]:
        """The terms of a page and their norm."""
        if self.bags:
            return self.bags.of(page)
        bag = terms(page.text)
        return bag, norm(bag)


_shelf: Registry[Judge] = Registry("judge", "lycosa.judge", "lycosa.judges")
register = _shelf.register


def judges() -> Mapping[str, type[Judge]]:
    """Every judge there is: one per file of lycosa.judge, and those of other packages' entry points."""
    return _shelf.all()


def make(name: str, settings: Mapping[str, Any] | None = None) -> Judge:
    """A judge by name, or by `module:Class`, with its options set."""
    return _shelf.make(name, settings or {}, Judge)
