"""The apprentice's hedge: while little was found, some links are followed for their keywords alone.

A learner that begins with keywords may begin with a mistake, and the pages that it then fetches confirm it. So a share
of the pages does not follow the learner, as long as no page is known to be relevant. It falls with every page that is
likely on topic, and goes to the link with the largest appeal on hosts that were tried little:

    appeal = max over the links to a URL of  Σ_k worth(k) · where(k) + PAGE · Σ_{k on the linking page} worth(k)

where(k) is 1 if the keyword is in the anchor or the address, CONTEXT if it is only near the link; worth(k) is its share
of what all keywords are worth. Every keyword counts once, so a link that has all of them beats one that repeats a word.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.nouns import Plain
from lycosa.core.page_model import Floats, Ids
from lycosa.core.page_terms import TERMS, Terms
from lycosa.strategy.apprentice.sense import ANCHOR, CONTEXT, WORDS

HEDGED, FOUND = 0.15, 10.0
"""The share of pages at first; half of it is left when so many pages are likely on topic."""
LIKELY = 0.5
NEAR, PAGE = 0.5, 0.3
"""What a keyword near the link, and on the page that contains it, counts."""
TRIED = 0.2
"""The appeal that a host loses whenever the number of requests to it has about tripled."""
FIRST = 5
"""Pages before the first link is followed for its keywords."""


class Hedge:
    """Says when a link is followed for its keywords, and how they speak for it."""

    def __init__(self) -> None:
        self._due = 0.0

    def page(self, relevances: Floats) -> bool:
        """After each page: whether a link should be followed for its keywords now, given the relevance of all pages."""
        found = int((relevances >= LIKELY).sum())
        self._due += HEDGED / (1 + found / FOUND)
        if self._due < 1.0 or len(relevances) < FIRST:
            return False
        self._due -= 1.0
        return True

    @staticmethod
    def appeal(words: Terms, keywords: Ids, worth: Floats, page: Terms) -> Floats:
        """The appeal of the links of a page, given what each keyword is worth and the terms of the page."""
        share = np.maximum(worth, 0.0) + 1e-3
        share = share / share.sum()
        found = np.full(len(words), PAGE * float(share[(page[:, None] == keywords).any(0)].sum()))
        is_keyword = np.zeros(TERMS, bool)
        is_keyword[keywords] = True
        rows = np.flatnonzero(is_keyword.take(words[:, :WORDS]).any(1))
        if not len(rows):  # as for most pages
            return found
        for keyword, part in zip(keywords.tolist(), share.tolist(), strict=True):
            there = words[rows, :WORDS] == keyword
            near = there[:, ANCHOR : ANCHOR + CONTEXT].any(1)
            there[:, ANCHOR : ANCHOR + CONTEXT] = False
            found[rows] += part * np.maximum(there.any(1), NEAR * near)
        return found

    def save(self) -> Plain:
        """Everything as plain data."""
        return self._due

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._due = state
