"""The papers' sim(q, p): cosine of term-frequency vectors after stop words and Porter stems (Pant et al., eq. 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lycosa.core.nouns import Page, Verdict
from lycosa.core.query import Query
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


@dataclass
class Cosine:
    """Judges a page, or any text, by its similarity to the keywords."""

    keywords: str
    bags: Bags | None = None
    """Where many judges of the same pages share the work of counting words."""

    def __post_init__(self) -> None:
        self._query = Query(self.keywords)

    def __call__(self, page: Page) -> Verdict:
        if self.bags:
            return Verdict(self._query.of_terms(*self.bags.of(page)))
        return Verdict(self._query.of_text(page.text))

    def of_text(self, text: str) -> float:
        """The similarity of a text to the keywords."""
        return self._query.of_text(text)
