"""A page as one sequence of terms with its links marked in it, so that the terms near a link are a slice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from lycosa.core.nouns import Page, Span

T = TypeVar("T")


class Marked(NamedTuple, Generic[T]):
    """The terms of a page in their order, and where among them the anchor of each link begins and ends."""

    terms: list[T]
    anchors: list[Span]

    def near(self, link: int, reach: int) -> list[T]:
        """The terms of a link's anchor, and up to `reach` terms on either side of it."""
        start, end = self.anchors[link]
        return self.terms[max(0, start - reach) : end + reach]


def marked(page: Page, terms_in: Callable[[str], list[T]]) -> Marked[T]:
    """The terms of a page with its links marked, in one pass over the text; `terms_in` finds the terms of a text."""
    terms: list[T] = []
    anchors: list[Span] = []
    text, at = page.text, 0
    for link in page.links:
        start, end = link.span
        if start > at:
            terms += terms_in(text[at:start])
            at = start
        first = len(terms)
        if end > at:
            terms += terms_in(text[at:end])
            at = end
        anchors.append((first, len(terms)))
    terms += terms_in(text[at:])
    return Marked(terms, anchors)
