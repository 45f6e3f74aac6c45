"""DOM crawler (Pant & Menczer 2003, section 4.4): a link is scored by the element around it and by its whole page.

The aggregation node of a link is an element on the path from the root of the tag tree to the link. All text inside it
is the link's context:

    link_score_dom = alpha * link_score_bfs + (1 - alpha) * context_score

where link_score_bfs is the cosine of keywords and page, and context_score that of keywords and context. The paper uses
the link's parent and alpha = .25. It leaves the choice of the best aggregation node open, so here it can be any
ancestor, or the smallest one with enough words. If a page links to a URL several times, the best link counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from lycosa.core.nouns import Link, Page, Plain, Span, Ticket, Topic, Visit
from lycosa.core.query import query
from lycosa.core.strategy import Strategy, best_of_each, register


@register("dom")
@dataclass
class Dom(Strategy):
    """Follow the links whose context on the page is about the topic."""

    context: ClassVar[bool] = True
    alpha: float = 0.25
    """How much the whole page counts; the link's context has the rest."""
    ancestor: int = 1
    """Which element around the link is its aggregation node; 1 = its parent."""
    words: int = 0
    """Fewest words of the aggregation node: it is the first ancestor, from `ancestor` on, that has as many."""

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise self.bad_option("alpha", fix="give a number from 0 to 1")
        if self.ancestor < 1 or self.words < 0:
            raise self.bad_option("ancestor", "words", fix="give ancestor at least 1 and words at least 0")

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The context score of each link; links inside one element share it."""
        similarity, text = self._similarity(topic), page.text
        aggregation_node = self._aggregation_nodes(page)
        score = cache(lambda span: similarity(text[span[0] : span[1]]))
        return [score(aggregation_node(link)) for link in page.links]

    def _similarity(self, topic: Topic) -> Callable[[str], float]:
        """How similar a context is to the topic."""
        return query(topic.keywords, topic.analysis).of_text

    def _aggregation_nodes(self, page: Page) -> Callable[[Link], Span]:
        """A function from a link to the span of its context, which is the whole page if no element qualifies."""
        outermost, first = (0, len(page.text)), self.ancestor - 1
        if not self.words:
            return lambda link: link.rings[first] if first < len(link.rings) else outermost
        length = cache(lambda span: len(page.text[span[0] : span[1]].split()))
        return lambda link: next((ring for ring in link.rings[first:] if length(ring) >= self.words), outermost)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """A ticket for each URL."""
        by_page = self.alpha * visit.relevance
        rest = 1 - self.alpha
        return best_of_each(
            Ticket(url, by_page + rest * context, via=visit.url, memo=[by_page, rest * context])
            for url, context in zip(visit.links, visit.sense, strict=True)
        )

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of the page and of the context."""
        return dict(zip(("page", "context"), ticket.memo, strict=True)) if ticket.memo else {}
