"""The one relevance of each page: how likely it is on topic, by everything that the crawl knows.

The page model learns from keywords, from the topic's examples, from the crawl's own pages and from what people say.
Here visits and judgements are folded into it. Strategies read the model; log, lists and estimates show what it says.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.nouns import COPY, LISTS, NOINDEX, Plain, Topic, Visit
from lycosa.core.page_kinds import asks_for_sites
from lycosa.core.page_model import SOURCE, Floats, PageModel
from lycosa.core.page_terms import Counts, Terms, read_terms, terms_in
from lycosa.core.rejudging import STEPS, UNKNOWN

OFTEN, AT_LEAST = 10, 5
"""Pages are told again when the crawl has grown by one page in this many, and by this many at least."""


class Relevance:
    """Folds what happens in a crawl into its page model: the same visits and judgements always give the same model."""

    def __init__(self, topic: Topic) -> None:
        self.pages = PageModel(terms_in(topic.keywords), sites=asks_for_sites(topic.keywords))
        self._examples = set(topic.examples)
        self._unread = 0
        """Pages before this one were fetched by a version that kept no terms, so nothing can be said about them."""
        self._forgotten = (0.0, 0)
        """The sum of relevances of the pages that the model no longer remembers, and their number."""
        self._outside: list[int] = []
        """The remembered pages that are out of the scope, in order."""
        self._due = 0
        self._told = (0, 0)

    def visited(self, visit: Visit, repeated: bool = False) -> float | None:
        """Add a page and return its relevance; None if nothing is known yet.

        A lesson follows if one is due, but not at a copy of another page, which teaches nothing.
        """
        pages = self.pages
        oldest = pages.seen - pages.memory
        if oldest >= 0 and self._outside[:1] == [oldest]:
            del self._outside[0]
        elif oldest >= 0 and (lost := self.of(oldest)) is not None:
            self._forgotten = self._forgotten[0] + lost, self._forgotten[1] + 1
        terms = _terms_of(visit)
        if terms is None:
            self._unread, terms = pages.seen + 1, read_terms(b"")
        page = pages.add(visit.url, *terms, 1 if visit.url in self._examples else _known_of(visit))
        if visit.out_of_scope:
            self._outside.append(page)
        if not repeated:
            pages.study()
        return self.of(page)

    def moved(self, url: str, to: str) -> None:
        """A URL was redirected: the page that it leads to is as good an example."""
        if url in self._examples:
            self._examples.add(to)

    def judged(self, url: str, relevant: bool | None) -> None:
        """A person has judged a page, or withdrawn a judgement (None): a lesson follows if it is remembered."""
        page = self.pages.number(url)
        if page is not None:
            known = int(url in self._examples) if relevant is None else 1 if relevant else -1
            self.pages.correct(page, known)

    def of(self, page: int) -> float | None:
        """How relevant a page is, by its number; None if nothing is known yet, or the page is not remembered."""
        pages = self.pages
        if not pages.seen - len(pages) <= page < pages.seen:
            return None
        known = not pages.unsure(page) or (pages.ready and page >= self._unread)
        return pages.relevance(page) if known else None

    def all(self) -> Floats:
        """How relevant all remembered pages are, in the order of their visits; not a number if that is not known."""
        pages = self.pages
        rows = pages.in_order()
        found, unsure = pages.current[rows], pages.sure[rows] == 0
        unread = np.arange(pages.seen - len(pages), pages.seen) < self._unread
        found[unsure & (unread | (not pages.ready))] = np.nan
        return found

    def kept(self) -> Floats:
        """The same without the pages that are out of the scope."""
        found = self.all()
        first = self.pages.seen - len(found)
        return np.delete(found, [page - first for page in self._outside]) if self._outside else found

    def harvest(self, last: int | None = None) -> float | None:
        """The mean relevance of the pages that are kept, or of the last ones; None if nothing is known of them."""
        found = self.kept()
        if last is not None:
            found = found[-last:]
        found = found[~np.isnan(found)]
        total, count = self._forgotten if last is None else (0.0, 0)
        count += len(found)
        return (total + float(found.sum())) / count if count else None

    def doubtful(self, count: int) -> list[str]:
        """The remembered pages that are about as likely relevant as not; before anything is known, the latest."""
        pages = self.pages
        rows = pages.in_order()[::-1]
        rows = rows[pages.sure[rows] == 0]
        if pages.ready:
            rows = rows[np.argsort(np.abs(pages.current[rows] - 0.5), kind="stable")]
        return [pages.urls[row] for row in rows[:count].tolist()]

    def news(self, now: bool = False) -> bytes | None:
        """The relevance of all remembered pages for the log, if it is time to tell it, or `now` if it has changed."""
        pages = self.pages
        state = pages.seen, pages.lessons
        if not pages.ready or state == self._told or not (now or pages.seen >= self._due):
            return None
        rows, found = pages.in_order(), self.all()
        # What is only likely is never told as certain.
        steps = np.where(pages.sure[rows] != 0, STEPS * found, np.clip(np.rint(STEPS * found), 1, STEPS - 1))
        self.told()
        return np.where(np.isnan(found), UNKNOWN, steps).astype(np.uint8).tobytes()

    def told(self) -> None:
        """The relevance of all pages is in the log."""
        self._due = self.pages.seen + max(AT_LEAST, self.pages.seen // OFTEN)
        self._told = self.pages.seen, self.pages.lessons

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "pages": self.pages.save(),
            "examples": sorted(self._examples),
            "unread": self._unread,
            "forgotten": list(self._forgotten),
            "outside": self._outside,
            "told": [self._due, *self._told],
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.pages.load(state["pages"])
        self._examples = set(state["examples"])
        self._unread = state["unread"]
        total, count = state["forgotten"]
        self._forgotten = total, count
        self._outside = list(state["outside"])
        self._due, pages, lessons = state["told"]
        self._told = pages, lessons


def _known_of(visit: Visit) -> int:
    """What is known about a page by the reason why it is withheld, as the page model has it."""
    if visit.withheld in LISTS or visit.out_of_scope:
        # It is not wanted itself, but its text may be about the topic, and lead to it.
        return SOURCE
    # A placeholder for a page is not on topic, whatever it says.
    return 0 if visit.withheld in ("", NOINDEX, COPY) else -1


def _terms_of(visit: Visit) -> tuple[Terms, Counts] | None:
    if visit.terms is not None:
        return read_terms(visit.terms)
    if isinstance(visit.sense, dict) and "counts" in visit.sense:
        # Until version 2 of the log, only the apprentice kept the terms of a page.
        return np.frombuffer(visit.sense["terms"], np.uint16), np.frombuffer(visit.sense["counts"], np.uint8)
    return None
