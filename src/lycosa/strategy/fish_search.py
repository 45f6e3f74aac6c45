"""FishSearch (De Bra & Post 1994): fish that find food have more and stronger children, others die out.

Of it, our papers print only that SharkSearch came from it and that both have a depth bound: a path on which unimportant
pages are found is followed no further (Pant, Srinivasan & Menczer 2004, section 3.2). The rules are those of De Bra's
own pages («The Fish-Search Navigation Algorithm», and his course on hypermedia); that the front, the middle and the end
of his list are the scores 1, .5 and 0 is from memory of Hersovici et al. 1998.

- From a relevant page 1.5 times `width` links get score 1, from any other page `width` links get .5; the rest get 0.
- Links to other hosts are selected first, for they spread the search; otherwise in the order of the page.
- Links of a relevant page get the full depth, those of any other one less than their page had; an irrelevant page at
  depth 0 has no children, as in the course and our papers (on the other page they are the last in the list).

Left out: slow servers had fewer children, but a strategy knows no clock. Different: of links with the same score the
first found is the first fetched, where his list had the newest in front; and a page is relevant by a threshold, where
his either contained the words or did not. A URL found again keeps the depth of its best score. No values of depth and
width are printed: 3 and 10 are our choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import Strategy, register
from lycosa.core.urls import host_of

GROWTH = 1.5
"""How many more links of a relevant page are selected."""


@register("fish-search")
@dataclass
class FishSearch(Strategy):
    """Search deeper and wider where relevant pages are, and give up where there are none."""

    depth: int = 3
    """How many irrelevant pages in a row are looked behind."""
    width: int = 10
    """How many links of an irrelevant page are selected."""
    threshold: float = 0.0
    """Above which relevance a page is relevant; 0: any keyword will do."""

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
        """Where in the original's list the link would be."""
        part = {1.0: "child of a relevant page", 0.5: "child of an irrelevant page", 0.0: "beyond the width"}
        return {} if ticket.memo is None else {part[ticket.score]: ticket.score}
