"""FishSearch (De Bra & Post 1994): fish that find food have more and stronger children, others die out.

Our papers only say that SharkSearch was derived from it and that both have a depth bound: a path is given up if it
leads through too many unimportant pages (Pant, Srinivasan & Menczer 2004, section 3.2). The rules here are those of De
Bra's own pages («The Fish-Search Navigation Algorithm», and his course on hypermedia). That the front, the middle and
the end of his list are the scores 1, .5 and 0 is from memory of Hersovici et al. 1998.

- From a relevant page 1.5 times `width` links get score 1, from any other page `width` links get .5; the rest get 0.
- Links to other hosts are selected first, because they spread the search; otherwise the order of the page counts.
- Links of a relevant page get the full depth, those of any other page one less than their page had. An irrelevant page
  at depth 0 has no children, as in the course and in our papers (on the other page they go to the end of the list).

One rule is left out: slow servers had fewer children, but a strategy has no clock. Two things differ: among links with
the same score the first found is fetched first, where his list put the newest first; and a page is relevant above a
threshold, where his pages either contained the words or did not. A URL that is found again keeps the depth of its best
score. No values of depth and width are published: 3 and 10 are our choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import Strategy, register
from lycosa.core.urls import host_of

GROWTH = 1.5
"""How many times as many links are selected on a relevant page."""


@register("fish-search")
@dataclass
class FishSearch(Strategy):
    """Search deeper and wider around relevant pages, and give up where there are none."""

    depth: int = 3
    """Follow at most this many irrelevant pages in a row."""
    width: int = 10
    """How many links of an irrelevant page are selected."""
    threshold: float = 0.0
    """A page is relevant above this relevance; at 0 any keyword is enough."""

    def __post_init__(self) -> None:
        if self.depth < 0 or self.width < 1:
            raise self.bad_option("depth", "width", fix="give depth at least 0 and width at least 1")
        if not 0 <= self.threshold < 1:
            raise self.bad_option("threshold", fix="give a number from 0 to less than 1")

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """The page's children, the selected ones first."""
        depth = self.depth if visit.ticket.memo is None else visit.ticket.memo
        relevant = visit.relevance > self.threshold
        if not relevant and not depth:
            return []
        depth = self.depth if relevant else depth - 1
        score, width = (1.0, int(GROWTH * self.width)) if relevant else (0.5, self.width)
        own = host_of(visit.url)
        children = sorted(dict.fromkeys(visit.links), key=lambda url: host_of(url) == own)
        return [
            Ticket(url, score if place < width else 0.0, via=visit.url, memo=depth)
            for place, url in enumerate(children)
        ]

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """Where the link would be in the original's list."""
        part = {1.0: "child of a relevant page", 0.5: "child of an irrelevant page", 0.0: "beyond the width"}
        return {} if ticket.memo is None else {part[ticket.score]: ticket.score}
