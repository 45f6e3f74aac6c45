"""The papers' sim(q, p): cosine of term-frequency vectors after stop words and Porter stems (Pant et al., eq. 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from lycosa.core.judge import Bags, Judge, register
from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Priors
from lycosa.core.query import Query


@register("cosine")
@dataclass
class Cosine(Judge):
    """Judge a page by its similarity to the keywords."""

    @classmethod
    def of(cls, keywords: str, bags: Bags | None = None) -> Self:
        """A judge that is ready to use."""
        judge = cls()
        judge.bags = bags
        judge.prepare(Topic(keywords), Priors())
        return judge

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Only the keywords are needed."""
        super().prepare(topic, priors)
        self._query = Query(topic.keywords, self.analysis)

    def __call__(self, page: Page) -> Verdict:
        if self.bags:
            return Verdict(self._query.of_terms(*self.bags.of(page)))
        # Most pages contain no keyword at all, which can be seen without counting their words.
        return Verdict(self._query.of_text(page.text))
