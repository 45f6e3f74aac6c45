"""The papers' sim(q, p): cosine of term-frequency vectors after stop words and Porter stems (Pant et al., eq. 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lycosa.core.errors import Refused
from lycosa.core.nouns import Page, Verdict
from lycosa.core.words import Spotter, norm, separated, terms, terms_of


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
        query = terms(self.keywords)
        if not query:
            raise Refused(f"no topic in the keywords {self.keywords!r}", "give words that are not only stop words")
        length = norm(query)
        self._spotted = Spotter(query)
        self._query = [(term, count / length) for term, count in query.items()]

    def __call__(self, page: Page) -> Verdict:
        return Verdict(self.of_terms(*self.bags.of(page)) if self.bags else self.of_text(page.text))

    def of_text(self, text: str) -> float:
        """The similarity of a text to the keywords."""
        words = separated(text)
        if not self._spotted(words):
            return 0.0
        bag = terms_of(words)
        dot = self._dot(bag)
        return min(1.0, dot / norm(bag)) if dot else 0.0

    def of_terms(self, terms: Mapping[str, float], norm: float) -> float:
        """The similarity of a bag of terms whose norm is known: for many topics on the same pages."""
        dot = self._dot(terms)
        return min(1.0, dot / norm) if dot else 0.0

    def _dot(self, terms: Mapping[str, float]) -> float:
        return sum([weight * terms[term] for term, weight in self._query if term in terms])
