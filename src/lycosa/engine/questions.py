"""When a judge who reads is asked during a crawl, and about which pages: those whose judgement teaches most.

The first question comes early, because an answer helps all pages after it, and the others follow every few pages. Most
are about pages that the strategy is in doubt about, some about the best pages; always about a kind of page that was
asked about least. A kind is a place in the tree of a site: the directories and the suffix of the page's name. What
distinguishes kinds, such as manuals from home pages, cannot be learned from keywords. On test beds, ten answers about
pages of different kinds gained up to .08 of the oracle's area, ten about the most doubtful pages lost up to .05
(bench/judgements.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from urllib.parse import urlsplit

FIRST, STEP = 10, 5
"""Pages before the first question, and between two questions at most."""
CANDIDATES = 30
"""The pages, most doubtful or best first, of which one is chosen by its kind."""
BEST_EVERY = 4
"""One question in so many is about the best pages."""
Kind = tuple[str, str]


class Questions:
    """The choice of questions in one crawl."""

    def __init__(self, calls: int, pages: int | None) -> None:
        """`calls` questions in all, in a crawl of so many `pages`, if that is known."""
        self.calls = calls
        # All questions are to be asked in the first half of the crawl.
        self._step = min(float(STEP), (pages or STEP * 2 * calls) / (2 * calls))
        self._kinds: Counter[Kind] = Counter()

    def due(self, asked: int, pages: int) -> bool:
        """Whether it is time for another question, after so many questions and pages."""
        return asked < self.calls and pages >= FIRST + self._step * asked

    def choose(self, asked: int, doubts: Sequence[str], best: Sequence[str], done: Container[str]) -> str | None:
        """The page to ask about next; `doubts` and `best` are in the order of their use, pages in `done` are left out.

        A strategy that is never in doubt leaves the choice to the best pages.
        """
        ways = (best, doubts) if asked % BEST_EVERY == BEST_EVERY - 1 else (doubts, best)
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
