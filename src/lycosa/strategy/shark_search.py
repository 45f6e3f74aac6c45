"""SharkSearch (Hersovici et al. 1998), as described by Pant, Srinivasan & Menczer 2004, section 3.2, equations 2 to 5.

A link is scored by what it inherits from the pages on the path to it, and by its neighbourhood on the page p:

    score = gamma * inherited + (1 - gamma) * neighborhood
    inherited = delta * sim(q, p) if that is above 0, else delta * inherited(p)
    neighborhood = beta * anchor + (1 - beta) * context
    anchor = sim(q, anchor text)
    context = 1 if anchor is above 0, else sim(q, anchor text and the words around it)

Every link has a depth: d if its page is relevant (sim above 0), otherwise one less than its page's; an irrelevant page
at depth 0 ends its path. The section gives the equations. It also says that each URL has a depth and a score, that the
user chooses d, that a path of unimportant pages ends, and that gamma, delta and beta are below 1 (1 is allowed here and
leaves out the other half). The rule that counts the depth is FishSearch's.

The section gives no values and refers to the original, whose full text we could not check: gamma = .8, delta = .5 and
beta = .8 are those of later accounts. d = 3 and ten words on either side (the section says «nearby words») are our
choice, and so is that a seed, which has no ancestors, inherits 0. A URL that is found again keeps the depth and the
inheritance of its best score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from lycosa.core.nouns import Page, Plain, Ticket, Topic, Visit
from lycosa.core.query import query
from lycosa.core.strategy import Strategy, best_of_each, register


@register("shark-search")
@dataclass
class SharkSearch(Strategy):
    """Follow links by their words, and by the relevance of the pages on the path to them."""

    context: ClassVar[bool] = True
    d: int = 3
    """Follow at most this many irrelevant pages in a row."""
    gamma: float = 0.8
    """How much the inherited score counts; the neighbourhood has the rest."""
    delta: float = 0.5
    """The share of a score that the next link on a path inherits."""
    beta: float = 0.8
    """How much the anchor counts in the neighbourhood; the context has the rest."""
    words: int = 10
    """How many words on either side of the anchor are its context."""

    def __post_init__(self) -> None:
        for name in ("gamma", "delta", "beta"):
            if not 0 <= getattr(self, name) <= 1:
                raise self.bad_option(name, fix="give a number from 0 to 1")
        if self.d < 0 or self.words < 0:
            raise self.bad_option("d", "words", fix="give both at least 0")

    def sense(self, page: Page, topic: Topic) -> Plain:
        """Anchor and context score of each link."""
        keywords = query(topic.keywords, topic.analysis)
        if not keywords.occurs_in(page.text):
            return [[0.0, 0.0]] * len(page.links)
        similarity = keywords.of_text
        scores = []
        for link in page.links:
            anchor = similarity(page.anchor(link))
            scores.append([anchor, 1.0 if anchor > 0 else similarity(page.window(link, self.words))])
        return scores

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """A ticket for each URL, unless the path ends here."""
        _, inherited, depth = visit.ticket.memo or (None, 0.0, self.d)
        relevant = visit.relevance > 0
        if not relevant and not depth:
            return []
        inherited = self.delta * (visit.relevance if relevant else inherited)
        depth = self.d if relevant else depth - 1
        by_path = self.gamma * inherited
        by_anchor, by_context = (1 - self.gamma) * self.beta, (1 - self.gamma) * (1 - self.beta)
        return best_of_each(
            Ticket(
                url,
                by_path + by_anchor * anchor + by_context * context,
                via=visit.url,
                memo=[[by_path, by_anchor * anchor, by_context * context], inherited, depth],
            )
            for url, (anchor, context) in zip(visit.links, visit.sense, strict=True)
        )

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of inheritance, anchor and context."""
        return dict(zip(("inherited", "anchor", "context"), ticket.memo[0], strict=True)) if ticket.memo else {}
