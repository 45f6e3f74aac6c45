"""Finished crawls as one recording: every answer that the Web gave them, one per URL.

Answers without a page are recorded, too, without a body: a later crawl that requests the URL gets the same answer, and
nothing counts as missing. So a URL is in the recording
- as a page or a redirect, byte for byte as it was archived;
- as a final failure: 404 and the like as they were, 403 if robots.txt forbade it, 415 for what is not text, 404 for
  what a temporary fault (a timeout, 503) withheld to the end, so that no crawl retries it or gives up its host;
- or not at all, if it was never requested or was lost on our side (a scout died, the proxy failed).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from fastwarc.stream_io import GzipWriter

from lycosa.core.events import Began, Missed, Redirected, Stopped
from lycosa.core.nouns import LOST, RESTING, Raw, Redirect
from lycosa.engine.plan import Plan, load_plan
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Damaged, Refused
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.parse import parse
from lycosa.web.readers.media_types import NEEDS
from lycosa.web.warc_record import to_record

OURS = (LOST, RESTING, "scout failed", "proxy ", "name server failure", "host full", NEEDS)
"""Beginnings of the reasons of misses that say nothing about the Web."""

_STATUS = {"robots": 403, "type": 415, "damaged": 415, "encrypted": 415, "too": 413}
_final_status = re.compile(r"status ((?!408|425|429)[2-4]\d\d)")


class RecordedCrawl:
    """A collection that can be copied: no crawl writes to it, and it has pages."""

    def __init__(self, collection: Collection) -> None:
        self.log = collection.log
        self.repository = collection.repository
        self.folder = collection.folder
        began, stopped = self.log.last(Began), self.log.last(Stopped)
        if began is None:
            raise Refused(
                f"{self.folder} holds no crawl", "name the collection of a crawl", code=Code.EMPTY, field="collections"
            )
        if collection.running():
            raise Refused(
                f"a crawl is writing to {self.folder}",
                "wait until it has ended, or stop it",
                code=Code.IN_USE,
                field="collections",
            )
        if not self.log.page_count():
            raise Refused(
                f"{self.folder} holds no page", "a test bed is made of pages", code=Code.EMPTY, field="collections"
            )
        self.plan: Plan = load_plan(began.event.plan)
        self.finished = bool(stopped and stopped.seq > began.seq and stopped.event.finished)
        self.relevance: dict[str, float] = {}
        """The relevance of each page in the recording by the crawl's judge, not by what its strategy has learned."""

    def warnings(self) -> Iterator[str]:
        """What makes a recording of this crawl less useful than it could be."""
        if not self.finished:
            yield f"{self.folder}: the crawl was not finished; if you resume it first, less is missing"
        usual = type(self.plan.http)()
        for name in ("obey_nofollow", "index_pages"):
            if getattr(self.plan.http, name) != getattr(usual, name):
                option = name.removeprefix("obey_").replace("_", " ")
                yield f"{self.folder}: it was crawled with another setting of {option}, so a replay finds other links"

    def text(self, url: str) -> str:
        """The text of a page, empty if it is not here."""
        row = self.log.page(url)
        if row is None or row.where is None or not self.repository.holds(row.where):
            return ""
        raw = self.repository.read(row.where)
        return parse(url, raw.body, raw.content_type or row.mime).text


class Recording:
    """The answers of crawls in one file: a page is preferred to a redirect, a redirect to a failure."""

    def __init__(self, file: BinaryIO, crawls: list[RecordedCrawl], progress: StageProgress = no_progress) -> None:
        self._file = file
        self._held: set[str] = set()
        self.redirects: dict[str, str] = {}
        """Where each redirect leads."""
        self.failures: set[str] = set()
        """URLs that are known not to be pages."""
        self.pages = 0
        self.lost = 0
        """Pages whose record is damaged or missing."""
        self._copy_pages(crawls, progress)
        for crawl in crawls:
            self._copy_redirects(crawl)
        for crawl in crawls:
            self._copy_failures(crawl)

    def end(self, url: str) -> str:
        """The URL at the end of a chain of redirects."""
        seen = set()
        while url in self.redirects and url not in seen:
            seen.add(url)
            url = self.redirects[url]
        return url

    def _copy_pages(self, crawls: list[RecordedCrawl], progress: StageProgress) -> None:
        total, done = sum(crawl.log.page_count() for crawl in crawls), 0
        for crawl in crawls:
            for row in crawl.log.pages(order="time"):
                if row.url not in self._held:
                    try:
                        if row.where:
                            self._write(row.url, crawl.repository.member(row.where))
                            self.pages += 1
                    except Damaged:
                        self.lost += 1
                if row.url in self._held:
                    crawl.relevance[row.url] = row.score
                done += 1
                progress("copying pages", done, total)

    def _copy_redirects(self, crawl: RecordedCrawl) -> None:
        # Of several answers at a URL the last one counts, as with pages.
        events = (entry.event for entry in crawl.log.read(kinds=[Redirected]))
        latest = {event.redirect.ticket.url: event.redirect for event in events if isinstance(event, Redirected)}
        for url, redirect in latest.items():
            if url not in self._held:
                self._write(url, _archived(crawl, redirect))
                self.redirects[url] = redirect.to

    def _copy_failures(self, crawl: RecordedCrawl) -> None:
        events = (entry.event for entry in crawl.log.read(kinds=[Missed]))
        latest = {event.miss.ticket.url: event.miss for event in events if isinstance(event, Missed) and event.final}
        for url, miss in latest.items():
            if url not in self._held and (raw := answer_of(miss.reason)):
                self._write(url, _member(url, raw))
                self.failures.add(url)

    def _write(self, url: str, member: bytes) -> None:
        self._file.write(member)
        self._held.add(url)


def answer_of(reason: str) -> Raw | None:
    """The answer that is recorded for a miss; None if the miss says nothing about the Web."""
    if reason.startswith(OURS):
        return None
    if found := _final_status.fullmatch(reason):
        return Raw(int(found[1]), (), b"")
    kind = reason.partition(" ")[0]
    return Raw(_STATUS.get(kind, 404), (), b"", reason=reason)


def _archived(crawl: RecordedCrawl, redirect: Redirect) -> bytes:
    if redirect.where:
        try:
            return crawl.repository.member(redirect.where)
        except Damaged:
            pass  # The log says all that matters about it.
    return _member(redirect.ticket.url, Raw(redirect.status, (("Location", redirect.to),), b""))


def _member(url: str, raw: Raw) -> bytes:
    packed = BytesIO()
    with GzipWriter(packed) as file:
        to_record(url, raw).write(file)
    return packed.getvalue()
