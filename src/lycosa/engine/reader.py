"""A judge who reads, beside a running crawl: it is asked about some pages, and its answers become judgements.

The crawl never waits for it. At every tick the reader takes in the answers that have come, writes them into the inbox,
from which the crawl takes people's judgements too, and asks about further pages; only threads wait for the endpoint. In
virtual time, where waiting costs nothing, the crawl waits for its answers, so that a replay has the same result every
time. If the endpoint fails again and again, the reader gives up, says so once, and the crawl goes on without it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

import msgspec
from xxhash import xxh3_128_hexdigest

from lycosa.core.nouns import Judgement
from lycosa.engine.crawl import Crawl
from lycosa.engine.questions import CANDIDATES, Questions
from lycosa.judge.llm import Llm, PageShown, answered
from lycosa.store.collection import Collection
from lycosa.store.reader_calls import CallEvent, ReaderCall, ReaderCalls
from lycosa.store.rows import PageRow
from lycosa.system.errors import Damaged
from lycosa.web.chat_endpoint import ChatEndpoint, NoAnswer
from lycosa.web.readers.media_types import READ

TRIES = 3
"""How often a question is sent, if the endpoint cannot answer it at the moment."""
BACK_OFF = 1.0
"""Seconds before the second try, and twice as many before the third, unless the endpoint asks for more."""
LONGEST_REST = 120.0
"""Seconds of rest above which an endpoint is not worth waiting for."""
FAILURES, UNUSABLE = 3, 5
"""After how many questions in a row that failed, or whose answers could not be used, the reader gives up."""
LINGER = 5.0
"""Seconds that the end of a crawl waits for answers under way."""
_LONGEST = 1 << 17
"""Bytes of a page that are parsed for its excerpt."""
_FEW = 400
"""Characters of a page's own words below which the text of its links counts as well."""
_POLL = 0.01

Ask = Callable[[Mapping[str, Any]], str]
"""Sends a question and returns the answer; raises NoAnswer."""


class _Asked(NamedTuple):
    number: int
    key: str
    url: str
    question: dict[str, Any]


class _Reply(NamedTuple):
    asked: _Asked
    text: str = ""
    trouble: NoAnswer | None = None


class Reader:
    """Asks about pages of one crawl; used by the thread of the crawl only."""

    def __init__(
        self,
        collection: Collection,
        crawl: Crawl,
        judge: Llm,
        clock: Callable[[], float],
        ask: Ask | None = None,
        *,
        patient: bool = False,
    ) -> None:
        """`patient`: whether the crawl waits for answers, as a replay does; then they are taken in all together."""
        plan = crawl.plan
        endpoint = ChatEndpoint(judge.url, judge.secret(), timeout=judge.timeout, ca=plan.http.ca)
        self.problem = ""
        """Why it has given up, in one sentence; empty while it works."""
        self.in_flight = 0
        """Questions under way."""
        self.calls = ReaderCalls(collection.folder)
        self.judge = judge
        self._ask = ask or endpoint.ask
        self._address = endpoint.address
        self._collection = collection
        self._crawl = crawl
        self._clock = clock
        self._patient = patient
        self._questions = Questions(judge.calls, plan.budget.pages)
        for url in self.calls.urls:
            self._questions.asked_about(url)
        self._begun = False
        self._left_out: set[str] = set(plan.topic.examples)
        """Pages that are not asked about, or not again in this run."""
        self._nothing_at = -1
        """The number of pages at which there was no page to ask about."""
        self._failures = self._unusable = 0
        """In a row."""
        self._arrived: list[_Reply] = []
        self._threads: list[threading.Thread] = []
        self._to_ask: SimpleQueue[_Asked | None] = SimpleQueue()
        self._replies: SimpleQueue[_Reply] = SimpleQueue()
        self._closed = threading.Event()
        self._not_before = 0.0
        """When the endpoint may be asked again, by time.monotonic."""

    def __call__(self) -> bool:
        """Take in answers, and ask; True if there is a new judgement in the inbox."""
        heard = self._hear()
        while not self.problem and self._may_ask():
            url = self._chosen()
            if url is None:
                self._nothing_at = self._crawl.tally.pages
                break
            heard |= self._ask_about(url)
        return heard

    async def answers(self, stopping: Callable[[], bool]) -> None:
        """Wait for all answers under way; for crawls in virtual time."""
        # A last resort: an endpoint that sends its answer byte by byte is never late in the sense of its timeout.
        end = time.monotonic() + TRIES * (self.judge.timeout + LONGEST_REST)
        while self.in_flight > self._waiting() and not stopping() and not self._closed.is_set():
            await asyncio.sleep(_POLL)
            if time.monotonic() > end:
                self._give_up("it does not end its answers")

    async def finish(self, *, linger: bool) -> None:
        """Take in what comes within a few seconds, and end; later answers are lost."""
        end = time.monotonic() + (LINGER if linger and not self.problem else 0.0)
        while self.in_flight > self._waiting() and time.monotonic() < end:
            await asyncio.sleep(_POLL)
        self._patient = False
        self._hear()
        self.close()

    def close(self) -> None:
        """Ask no more; threads that still wait for an answer end with it, or with the process."""
        self._closed.set()
        for _ in self._threads:
            self._to_ask.put(None)
        self._threads.clear()

    # -- asking -------------------------------------------------------------------------------------------------------

    def _may_ask(self) -> bool:
        pages = self._crawl.tally.pages
        free = self.in_flight < self.judge.parallel and pages != self._nothing_at and not self._closed.is_set()
        return free and self._questions.due(self.calls.asked, pages)

    def _chosen(self) -> str | None:
        crawl, collection = self._crawl, self._collection
        done = {*crawl.judgements, *self._left_out, *self.calls.urls}
        # What people have judged or withdrawn is theirs, even before the crawl has heard of it.
        done |= {heard.judgement.url for heard in collection.inbox.read()}
        most = CANDIDATES + len(done)
        best = [row.url for row in collection.log.pages(limit=most)]
        doubts = crawl.strategy.doubts(most) or (crawl.relevance.doubtful(most) if crawl.relevance else ())
        return self._questions.choose(self.calls.asked, doubts, best, done)

    def _ask_about(self, url: str) -> bool:
        """Ask about a page, or take the answer to the same question; True if there is a new judgement."""
        self._left_out.add(url)
        row = self._collection.log.page(url)
        text = self._text(row) if row else None
        if row is None or text is None:
            return False
        topic = self._crawl.plan.topic
        self._questions.asked_about(url)
        identity = (self._address, self.judge.model, topic.intent, topic.keywords, row.digest or text)
        key = xxh3_128_hexdigest(msgspec.json.encode(identity))
        if known := self.calls.answer(key):
            return self._judged(url, known.relevant)
        if not self._begun:
            self._begun = True
            self.calls.add(ReaderCall("began", at=self._clock()))
        self.calls.add(ReaderCall("asked", key, url, self._clock()))
        question = self.judge.question(topic, PageShown(url, row.title, text))
        self._to_ask.put(_Asked(self.calls.asked, key, url, question))
        self.in_flight += 1
        if len(self._threads) < self.judge.parallel:
            thread = threading.Thread(target=self._work, name="reader", daemon=True)
            self._threads.append(thread)
            thread.start()
        return False

    def _text(self, row: PageRow) -> str | None:
        """The text of an archived page; None if it has none that could be read, or is withheld."""
        visit = self._collection.log.visit_of(row.url)
        if row.where is None or row.mime not in READ or visit is None or visit.event.visit.withheld:
            return None
        from lycosa.web.offline import within
        from lycosa.web.parse import parse

        try:
            raw = self._collection.repository.read(row.where)
        except Damaged:
            return None
        # Only so much of it, because the crawl waits meanwhile; a document can only be read as a whole.
        raw = within(raw, row.url, _LONGEST, len(raw.body))
        page = parse(row.url, raw.body, raw.content_type, context=True)
        own = page.own_words()
        return own if len(own) >= _FEW else page.text

    # -- answers ------------------------------------------------------------------------------------------------------

    def _waiting(self) -> int:
        """How many replies have come that were not taken in yet."""
        while True:
            try:
                self._arrived.append(self._replies.get_nowait())
            except Empty:
                return len(self._arrived)

    def _hear(self) -> bool:
        if self._waiting() < (self.in_flight if self._patient else 1) or not self._arrived:
            return False
        heard = False
        # In the order of the questions, so that the result does not depend on which answer was quicker.
        for reply in sorted(self._arrived, key=lambda reply: reply.asked.number):
            self.in_flight -= 1
            heard |= self._answered(reply) if reply.trouble is None else self._failed(reply.asked, reply.trouble)
        self._arrived.clear()
        return heard

    def _answered(self, reply: _Reply) -> bool:
        asked, relevant = reply.asked, answered(reply.text)
        what: CallEvent = "unusable" if relevant is None else "yes" if relevant else "no"
        self.calls.add(ReaderCall(what, asked.key, asked.url, self._clock()))
        self._failures = 0
        self._unusable = self._unusable + 1 if relevant is None else 0
        if self._unusable >= UNUSABLE:
            self._give_up(f"{self._unusable} answers in a row say neither yes nor no")
        return self._judged(asked.url, relevant)

    def _judged(self, url: str, relevant: bool | None) -> bool:
        if relevant is not None:
            self._collection.inbox.add([Judgement(url, relevant, self.judge.origin)], self._clock())
        return relevant is not None

    def _failed(self, asked: _Asked, trouble: NoAnswer) -> bool:
        self.calls.add(ReaderCall("failed", asked.key, asked.url, self._clock(), trouble.reason))
        self._failures += 1
        if trouble.hopeless or self._failures >= FAILURES:
            self._give_up(trouble.reason)
        return False

    def _give_up(self, why: str) -> None:
        if self.problem:
            return
        judge = self.judge
        self.problem = f"{judge.model} at {judge.url} is asked no more, and the crawl goes on without it: {why}"
        self.calls.add(ReaderCall("gave up", at=self._clock(), why=self.problem))
        self.close()

    # -- in threads ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while asked := self._to_ask.get():
            self._replies.put(self._tried(asked))

    def _tried(self, asked: _Asked) -> _Reply:
        for attempt in range(TRIES):
            if self._closed.wait(max(0.0, self._not_before - time.monotonic())):
                break
            try:
                return _Reply(asked, self._ask(asked.question))
            except NoAnswer as trouble:
                rest = trouble.rest if trouble.rest is not None else BACK_OFF * 2**attempt
                if rest > LONGEST_REST:
                    reason = f"{trouble.reason} and asks to wait {rest:,.0f} seconds"
                    return _Reply(asked, trouble=NoAnswer(reason, hopeless=True))
                if not trouble.again or attempt == TRIES - 1:
                    return _Reply(asked, trouble=trouble)
                # The rest is for all threads.
                self._not_before = max(self._not_before, time.monotonic() + rest)
            except Exception as error:  # A thread that died without a reply would be waited for.
                return _Reply(asked, trouble=NoAnswer(f"{type(error).__name__}: {error}"))
        return _Reply(asked, trouble=NoAnswer("the crawl has ended"))
