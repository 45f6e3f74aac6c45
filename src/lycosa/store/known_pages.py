"""Pages about which it is known whether they are on topic: examples of the topic, and pages that a person has judged.

The log follows a judgement once the crawl has read it. Until then it waits in the inbox, where it counts just as much:
no list may contradict what a person has said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lycosa.core.events import Began, Redirected
from lycosa.core.nouns import Judgement
from lycosa.store.log import Log
from lycosa.store.rows import PageRow

EXAMPLE, JUDGED = "example", "judged"
"""How it is known whether a page is on topic."""
_HOPS = 10
"""Redirects that are followed from an example to its page."""


class Shown(NamedTuple):
    """The relevance of a page as it is shown."""

    relevance: float | None
    known: str
    """`example` or `judged` if it is certain, else empty."""


class KnownPages:
    """What is known for certain about the pages of a log."""

    def __init__(self, log: Log, judgements: Mapping[str, Judgement]) -> None:
        self.said = judgements
        """The judgements, by URL."""
        self.judged = {url: bool(judgement.relevant) for url, judgement in judgements.items()}
        self.examples = examples_of(log)
        self.certain = {**dict.fromkeys(self.examples, True), **self.judged}
        """Whether pages are on topic, where that is known."""

    def shown(self, url: str, relevance: float | None) -> Shown:
        """The relevance of a page, by a person's word if there is one, else by the log."""
        if (word := self.judged.get(url)) is not None:
            return Shown(float(word), JUDGED)
        return Shown(1.0, EXAMPLE) if url in self.examples else Shown(relevance, "")

    def of(self, row: PageRow) -> Shown:
        """The relevance of a page of the log."""
        return self.shown(row.url, row.relevance)

    def best_first(self, log: Log, min_relevance: float | None = None) -> Iterator[PageRow]:
        """The pages of the log with the relevance that is shown, best first."""
        waiting = [row._replace(relevance=float(self.certain[row.url])) for row in self._waiting(log)]
        yield from (row for row in waiting if row.relevance)
        besides = {row.url for row in waiting}
        yield from (row for row in log.pages(min_relevance) if row.url not in besides)
        if not min_relevance:
            yield from (row for row in waiting if not row.relevance)

    def count(self, log: Log, min_relevance: float | None = None) -> int:
        """How many pages `best_first` lists."""
        number = log.page_count(min_relevance)
        if min_relevance:
            waiting = self._waiting(log)
            number += sum(self.certain[row.url] for row in waiting)
            number -= sum((row.relevance or 0.0) >= min_relevance for row in waiting)
        return number

    def _waiting(self, log: Log) -> list[PageRow]:
        """The pages about which the log does not yet say what is known."""
        rows = [row for url in self.certain if (row := log.page(url))]
        return [row for row in rows if row.relevance != float(self.certain[row.url])]


def examples_of(log: Log) -> frozenset[str]:
    """The examples of a crawl's topic: their URLs, and the pages to which they were redirected."""
    began = log.last(Began)
    topic = began.event.plan.get("topic") if began else None
    found: set[str] = set()
    for url in topic.get("examples", ()) if isinstance(topic, dict) else ():
        for _ in range(_HOPS):
            if url in found:
                break
            found.add(url)
            moved = [entry.event for entry in log.outcomes_of(url) if isinstance(entry.event, Redirected)]
            if not moved:
                break
            url = moved[-1].redirect.to
    return frozenset(found)
