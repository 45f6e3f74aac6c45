"""A crawl saved in its collection and restored from it: the plan, the priors, the checkpoint and the log."""

from __future__ import annotations

import time
from collections.abc import Iterator

import msgspec

from lycosa.core.events import Began, Event, Stopped
from lycosa.core.priors import Priors
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Plan, load_plan
from lycosa.store.collection import Collection
from lycosa.store.merge import MERGED
from lycosa.system.errors import Code, Refused


class Checkpoints:
    """Saves the state of a crawl from time to time, so that a resume need not refold the whole log."""

    def __init__(self, crawl: Crawl, collection: Collection) -> None:
        self._crawl = crawl
        self._collection = collection
        self._saved_at = time.monotonic()
        self._cost = 0.0

    def save_if_due(self) -> None:
        """Save if the last checkpoint is old enough: at most a twentieth of the time is spent on a large frontier."""
        if time.monotonic() - self._saved_at > max(self._crawl.plan.checkpoint, 20 * self._cost):
            self.save()

    def save(self) -> None:
        """Save a checkpoint."""
        started = time.monotonic()
        self._collection.save_checkpoint(self._crawl.save())
        self._saved_at = time.monotonic()
        self._cost = self._saved_at - started


def plan_of(collection: Collection) -> Plan:
    """The plan under which a collection was last crawled."""
    began = collection.log.last(Began)
    if began is None:
        if collection.running() and not collection.writable:
            fix = "wait until its crawl has read what it must know"
            raise Refused(f"{collection.folder} holds no crawl yet", fix, code=Code.WRONG_STATE)
        raise Refused(f"{collection.folder} holds no crawl", "begin a crawl there", code=Code.EMPTY)
    return load_plan(began.event.plan)


def must_be_one_crawl(collection: Collection) -> None:
    """Refuse to resume a collection that was merged from several crawls, because no strategy knows its links."""
    stopped = collection.log.last(Stopped)
    if stopped and stopped.event.reason == MERGED:
        problem = f"{collection.folder} was merged from several crawls and cannot be resumed"
        raise Refused(problem, "refresh its community, or crawl into another folder", code=Code.WRONG_STATE)


def priors_of(collection: Collection) -> Priors:
    """What was known before the crawl."""
    kept = collection.load_lore()
    return msgspec.msgpack.decode(kept, type=Priors) if kept else Priors()


def recall(crawl: Crawl, collection: Collection, priors: Priors) -> int:
    """Bring a new crawl to the state at the end of the log; returns the number of the last event."""
    crawl.prepare(priors)
    after = 0
    checkpoint = collection.load_checkpoint()
    if checkpoint and crawl.load(checkpoint[1]):
        after = checkpoint[0]
    return catch_up(crawl, collection, after)


def catch_up(crawl: Crawl, collection: Collection, after: int) -> int:
    """Fold the events after event number `after`; returns the number of the last."""
    last = after

    def events() -> Iterator[tuple[float, Event]]:
        nonlocal last
        for entry in collection.log.read(after):
            last = entry.seq
            yield entry.at, entry.event

    crawl.refold(events())
    return last
