"""A page as one sequence of terms with its links marked in it, so that the terms near a link are a slice."""

from __future__ import annotations

from typing import NamedTuple

from lycosa.core.nouns import Page, Span
from lycosa.core.words import separated, sequence_of


class Marked(NamedTuple):
    """The terms of a page in their order, and where among them the anchor of each link begins and ends."""

    terms: list[str]
    anchors: list[Span]

    def near(self, link: int, reach: int) -> list[str]:
        """The terms of a link's anchor, and up to `reach` terms on either side of it."""
        start, end = self.anchors[link]
        return self.terms[max(0, start - reach) : end + reach]


def marked(page: Page) -> Marked:
    """The terms of a page with its links marked, in one pass over the text."""
    terms: list[str] = []
    anchors: list[Span] = []
    text, at = page.text, 0
    for link in page.links:
        start, end = link.span
        if start > at:
            terms += sequence_of(separated(text[at:start]))
            at = start
        first = len(terms)
        if end > at:
            terms += sequence_of(separated(text[at:end]))
            at = end
        anchors.append((first, len(terms)))
    terms += sequence_of(separated(text[at:]))
    return Marked(terms, anchors)
