"""A person judges pages: which page to ask about, what to show of it, and where the judgement is stored."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Self

from lycosa.app.hunts import why
from lycosa.core.excerpts import excerpt
from lycosa.core.nouns import Judgement
from lycosa.core.urls import page_url
from lycosa.engine.archived import archived
from lycosa.engine.crawl_reader import CrawlReader, learns_from_people
from lycosa.engine.crawl_recovery import plan_of
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Damaged, Refused

ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


class JudgingQuestion(NamedTuple):
    """A page to be judged, and what a person needs to know about it."""

    url: str
    title: str
    relevance: float | None
    """How likely it is on topic, from 0 to 1; None while nothing is known."""
    path: tuple[str, ...]
    """The pages from a seed to this one."""
    anchor: str
    """The anchor text of the link by which it was found."""
    excerpt: tuple[str, ...]
    """Sentences about the keywords."""


class Sitting:
    """A judging session: pages to judge and the person's answers; close it, or use it in a `with` statement.

    The last answer is not stored until the next one, so that a slip can be undone before the crawl learns from it.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.crawl_reader = CrawlReader(self.folder)
        self._given: list[str] = []
        self._last: Judgement | None = None
        self._skipped: set[str] = set()

    @property
    def given(self) -> int:
        """How many answers were given."""
        return len(self._given)

    @property
    def learns(self) -> bool:
        """Whether the strategy learns from the answers."""
        return self.crawl_reader.learns

    def question(self) -> JudgingQuestion | None:
        """The page whose judgement would teach most now; None if no page is left."""
        self.crawl_reader.catch_up()
        found = [url for url in self.crawl_reader.doubts(1 + len(self._skipped)) if url not in self._skipped]
        return self.about(found[0]) if found else None

    def about(self, url: str) -> JudgingQuestion:
        """The question about a page."""
        row = self.crawl_reader.collection.log.page(url)
        assert row
        hops = why(self.folder, url)
        shown = excerpt(self.text(url), self.crawl_reader.plan.topic.keywords)
        path = tuple(hop.url for hop in hops)
        return JudgingQuestion(url, row.title, row.relevance, path, hops[-1].anchor or "", shown)

    def text(self, url: str) -> str:
        """The text of a page; empty if its record is missing or damaged."""
        collection = self.crawl_reader.collection
        row = collection.log.page(url)
        try:
            return archived(collection.repository, url, row.where).text if row and row.where else ""
        except Damaged:
            return ""

    def answer(self, url: str, relevant: bool) -> None:
        """Take an answer, and store the one before it."""
        self._send()
        self._last = Judgement(url, relevant)
        self.crawl_reader.judged(self._last)
        self._given.append(url)

    def skip(self, url: str) -> None:
        """Do not ask about this page again."""
        self._skipped.add(url)

    def undo(self) -> str | None:
        """Take back the last answer that is not yet taken back; returns the URL of its page."""
        if not self._given:
            return None
        taken_back = Judgement(self._given.pop(), None)
        if self._last is None:
            self.crawl_reader.collection.inbox.add([taken_back], time.time())
        self._last = None
        self.crawl_reader.judged(taken_back)
        return taken_back.url

    def _send(self) -> None:
        if self._last:
            self.crawl_reader.collection.inbox.add([self._last], time.time())
            self._last = None

    def close(self) -> None:
        """Store the last answer and close the collection."""
        try:
            self._send()
        finally:
            self.crawl_reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def doubts(folder: str | Path, count: int) -> dict[str, Any]:
    """The pages whose judgement would teach most, as plain data."""
    with Sitting(folder) as sitting:
        found = [sitting.about(url)._asdict() for url in sitting.crawl_reader.doubts(count)]
        return {"folder": str(folder), "learns": sitting.learns, "doubts": found}


def judge(folder: str | Path, judgements: Iterable[Judgement]) -> dict[str, Any]:
    """Store a person's judgements and withdrawals: all of them, or none if one URL is not a page of the collection."""
    with Collection.open(Path(folder)) as collection:
        judged = [Judgement(_page_of(collection, judgement.url), judgement.relevant) for judgement in judgements]
        collection.inbox.add(judged, time.time())
        running = collection.running()
    said = [{"url": judgement.url, "relevant": judgement.relevant} for judgement in judged]
    return {"folder": str(folder), "judged": said, "running": running}


def learns(folder: str | Path) -> bool:
    """Whether the strategy of a crawl learns from judgements; does not read the crawl."""
    with Collection.open(Path(folder)) as collection:
        return learns_from_people(plan_of(collection).make_strategy())


def parse(text: str) -> Judgement:
    """A judgement from its text form, URL=y or URL=n."""
    url, equals, word = text.rpartition("=")
    if not equals or word.lower() not in ANSWERS:
        raise Refused(f"{text!r} is not a judgement", "write URL=y or URL=n", code=Code.BAD_VALUE, field="answers")
    return Judgement(url, ANSWERS[word.lower()])


def _page_of(collection: Collection, url: str) -> str:
    found = page_url(url)
    if collection.log.page(found) is None:
        problem = f"{found} is not a page of {collection.folder}"
        raise Refused(problem, "choose one of its pages", code=Code.NOT_FOUND, field="url")
    return found
