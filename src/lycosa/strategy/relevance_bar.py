"""Which pages are relevant, for strategies whose papers know only yes and no."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from lycosa.core.nouns import Plain
from lycosa.system.errors import Refused


class HasBar(Protocol):
    """A strategy with an option for the bar."""

    relevant: float

    def bad_option(self, *names: str, fix: str) -> Refused: ...


def check_bar(strategy: HasBar) -> None:
    """Refuse a bar that is neither a relevance nor -1."""
    if not (0 <= strategy.relevant <= 1 or strategy.relevant == -1):
        raise strategy.bad_option("relevant", fix="give a number from 0 to 1, or -1")


class RelevanceBar:
    """A page is relevant if it is an example, or at least as relevant as the bar.

    A bar of -1 is the mean relevance of the pages so far, because what a judge's numbers mean depends on the judge.
    """

    def __init__(self, examples: Iterable[str], bar: float = -1.0) -> None:
        self._examples = frozenset(examples)
        self._bar = bar
        self._pages = 0
        self._sum = 0.0

    def passes(self, url: str, relevance: float) -> bool:
        """Whether a fetched page is relevant; it counts in the mean."""
        self._pages += 1
        self._sum += relevance
        bar = self._bar if self._bar >= 0 else self._sum / self._pages
        return url in self._examples or (relevance > 0 and relevance >= bar)

    def save(self) -> Plain:
        """The mean so far."""
        return [self._pages, self._sum]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._pages, self._sum = state
