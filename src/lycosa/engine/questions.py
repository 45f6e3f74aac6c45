"""When a judge who reads is asked during a crawl, and about which pages: those whose judgement teaches most.

A crawl that begins with examples is asked early, because an answer helps all pages after it, and then every few pages:
mostly about pages that the strategy is in doubt about, sometimes about the best pages. A crawl that begins with
keywords alone is asked later and less often, and about its best pages until one of them is relevant: early on it has
come near nothing, so all answers are «no», and they made crawls worse (bench/judgements.py).

It is always a page of a kind that was asked about least. A kind is a place in the tree of a site: the directories and
the suffix of the page's name. What distinguishes kinds, such as manuals from home pages, cannot be learned from
keywords. On test beds, ten answers about pages of different kinds gained up to .08 of the oracle's area, ten about the
most doubtful pages lost up to .05 (bench/judgements.py).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Sequence
from urllib.parse import urlsplit

FIRST, STEP = 10, 5
"""Pages before the first question, and between two questions at most."""
FIRST_WITHOUT, STEP_WITHOUT = 20, 20
"""The same for a crawl that begins without examples."""
CANDIDATES = 30
"""The pages, most doubtful or best first, of which one is chosen by its kind."""
BEST_EVERY = 4
"""One question in so many is about the best pages."""
Kind = tuple[str, str]


class Questions:
    """The choice of questions in one crawl."""

    def __init__(self, calls: int, pages: float | None, examples: bool) -> None:
        """`calls` questions in all, in a crawl of so many `pages`, if that is known, with `examples` or without."""
        self.calls = calls
        pages = pages or math.inf
        first, step = (FIRST, STEP) if examples else (min(FIRST_WITHOUT, pages / 4), STEP_WITHOUT)
        # Nearly all questions are to be asked in the first half of the crawl.
        self._first, self._step = first, min(step, pages / (2 * calls))
        self._kinds: Counter[Kind] = Counter()

    def due(self, asked: int, pages: int) -> bool:
        """Whether it is time for another question, after so many questions and pages."""
        return asked < self.calls and pages >= self._first + self._step * asked

    def choose(
        self, asked: int, doubts: Sequence[str], best: Sequence[str], done: Container[str], liked: bool
    ) -> str | None:
        """The page to ask about next; `doubts` and `best` are in the order of their use, pages in `done` are left out.

        `liked` says whether a page is known to be relevant. A strategy that is never in doubt leaves the choice to the
        best pages.
        """
        best_first = not liked or asked % BEST_EVERY == BEST_EVERY - 1
        ways = (best, doubts) if best_first else (doubts, best)
        for way in ways:
            if left := [url for url in way if url not in done][:CANDIDATES]:
                # Of kinds that were asked about equally often, that of the first page.
                return min(left, key=lambda url: self._kinds[kind_of(url)])
        return None

    def asked_about(self, url: str) -> None:
        """Take note of a page that was asked about."""
        self._kinds[kind_of(url)] += 1


def kind_of(url: str) -> Kind:
    """The kind of a page: its directories, and the suffix of its name."""
    path, name = urlsplit(url).path.rpartition("/")[::2]
    return path, name.rpartition(".")[2].lower() if "." in name else name and "*"
