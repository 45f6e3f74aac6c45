"""The scheduler: Scrapy's order for requests that must keep it, the strategy's order for all links."""

from __future__ import annotations

import logging
import math
import time
from pathlib import Path

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import Scheduler as ScrapyScheduler
from scrapy.exceptions import CloseSpider
from scrapy.utils.asyncio import CallLaterResult, call_later
from twisted.internet.defer import Deferred

from lycosa.contrib.scrapy import job
from lycosa.contrib.scrapy.brain import Brain, brain_of
from lycosa.contrib.scrapy.marks import comes_last, send, ticket_of, was_read, was_sent
from lycosa.contrib.scrapy.middleware import LycosaMiddleware
from lycosa.contrib.scrapy.slots import Slots
from lycosa.system.errors import Code, Refused

logger = logging.getLogger(__name__)


class Scheduler(ScrapyScheduler):
    """Requests with a ticket wait in Lycosa's frontier, all others in Scrapy's queues, which come first."""

    brain: Brain | None = None
    _slots: Slots
    _alarm: CallLaterResult | None = None

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Begin, or resume a job; a hunt that is refused closes the spider with one line in the log."""
        opened = super().open(spider)
        assert self.crawler
        try:
            self._refuse_the_incomplete()
            brain = brain_of(self.crawler)
            if path := self._job():
                job.resume(path, brain, spider)
            self.brain = brain
        except Refused as problem:
            logger.error("Lycosa: %s", problem, extra={"spider": spider})
            # Only later: Scrapy closes a spider cleanly only once it has opened it completely.
            self.crawler.signals.connect(self._give_up, signals.spider_opened)
        self._slots = Slots(self.crawler.engine.downloader)
        return opened

    def close(self, reason: str) -> Deferred[None] | None:
        """Save the waiting requests if there is a job directory."""
        if self._alarm:
            self._alarm.cancel()
        if self.brain:
            assert self.stats
            self.stats.set_value("lycosa/queued", len(self.brain.queue))
            self.stats.set_value("lycosa/dropped", self.brain.queue.dropped)
            if path := self._job():
                lost = job.keep(path, self.brain, self.spider)
                if lost:
                    self.stats.inc_value("scheduler/unserializable", lost)
        return super().close(reason)

    def has_pending_requests(self) -> bool:
        """Whether any request waits, ready or not."""
        return len(self) > 0

    def __len__(self) -> int:
        return super().__len__() + (len(self.brain.queue) if self.brain else 0)

    def enqueue_request(self, request: Request) -> bool:
        """Queue a request unless Scrapy's filter has seen it."""
        ticket = ticket_of(request)
        if ticket is None:
            return super().enqueue_request(request)
        if not request.dont_filter and self.df.request_seen(request):
            self.df.log(request, self.spider)
            return False
        assert self.stats and self.brain
        self._slots.note(ticket.url, request)
        queue = self.brain.queue
        if was_sent(request):
            queue.again(request, ticket)
        elif comes_last(request) or (ticket.via and self.brain.trapped(ticket.url)):
            queue.add_last(request, ticket)
        elif not queue.add(request, ticket) and ticket.via:
            self.stats.inc_value("lycosa/unnamed")
        self.stats.inc_value("scheduler/enqueued/lycosa")
        self.stats.inc_value("scheduler/enqueued")
        return True

    def next_request(self) -> Request | None:
        """The best request that can be sent at once; None while every request worth sending would have to wait."""
        return super().next_request() or self._next()

    def _next(self) -> Request | None:
        assert self.stats and self.brain
        if not self._room():
            return None
        now, slots = time.monotonic(), self._slots
        slots.look(now)
        found = self.brain.queue.pop(slots.ready, now, self.brain.project.reach, idle=self._idle())
        if isinstance(found, float):
            if now < found < math.inf:
                self._wake(found - now)
            return None
        request, ticket = found
        send(request, ticket)
        self.stats.inc_value("scheduler/dequeued/lycosa")
        self.stats.inc_value("scheduler/dequeued")
        return request

    def _room(self) -> bool:
        """Whether one more page may be in progress: until its requests are queued, so that choices are current."""
        assert self.crawler
        engine = self.crawler.engine
        most = engine.downloader.total_concurrency
        scraped = engine.scraper.slot.active if engine.scraper.slot else ()
        return not most or len(engine.downloader.active) + sum(not was_read(each) for each in scraped) < most

    def _idle(self) -> bool:
        assert self.crawler
        engine = self.crawler.engine
        return not engine.downloader.active and (engine.scraper.slot is None or engine.scraper.slot.is_idle())

    def _wake(self, after: float) -> None:
        """Make the engine ask again after so many seconds: by itself it asks if something ends, or every 5 seconds."""
        if self._alarm:
            self._alarm.cancel()
        self._alarm = call_later(after, self._ring)

    def _ring(self) -> None:
        assert self.crawler
        self._alarm = None
        if slot := self.crawler.engine._slot:
            slot.nextcall.schedule()

    def _give_up(self) -> None:
        raise CloseSpider("lycosa_refused")

    def _job(self) -> Path | None:
        return Path(self.dqdir).parent / "lycosa.pickle" if self.dqdir else None

    def _refuse_the_incomplete(self) -> None:
        assert self.crawler
        if self.crawler.get_spider_middleware(LycosaMiddleware) is None:
            raise Refused(
                "the spider middleware of Lycosa is missing, so no page is judged",
                'set SPIDER_MIDDLEWARES = {"lycosa.contrib.scrapy.LycosaMiddleware": 100}, or use the add-on',
                code=Code.MISSING,
                field="spider_middlewares",
            )
        if self.crawler.settings.getint("DEPTH_PRIORITY"):
            raise Refused(
                "DEPTH_PRIORITY changes the priority of every request",
                "leave it at 0",
                code=Code.BAD_VALUE,
                field="depth_priority",
            )
