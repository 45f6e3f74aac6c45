"""Watches hunts for event streams: each is polled once for all its watchers, and read only if something changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import anyio
import msgspec
from anyio.to_thread import run_sync

from lycosa.app.jobs import Batch, Feed, HuntJobs
from lycosa.app.jobs.feed import FeedPosition, Sign
from lycosa.system.errors import Refused

OFTEN = 0.125
"""Seconds between two polls of a hunt that runs."""
_SELDOM = 0.75
"""Seconds between two polls of a hunt in which nothing has happened for a while."""
_SLOWER = 1.5
"""Factor by which the pause grows if nothing has happened."""

_READERS = 2
"""Hunts that are read at the same time; however many watchers there are, searches have the other threads."""

_KEPT = 16
"""Batches that are kept for watchers that reach the same position a moment later."""

_HEARTBEAT = 15.0
"""Seconds of silence after which a comment shows that the stream is alive."""
_RETRY = b"retry: 500\n\n"
"""Milliseconds after which a browser that lost the stream reconnects."""
_HERE = b":\n\n"


class StreamEvent(NamedTuple):
    """A batch, the position after it, and the bytes that are sent for it."""

    batch: Batch
    place: FeedPosition
    sent: bytes


class Watch:
    """One hunt and all its watchers."""

    def __init__(self, feed: Feed, readers: anyio.CapacityLimiter | None = None) -> None:
        self.feed = feed
        self.readers = readers
        self.onlookers = 0
        self.due = 0.0
        """When to poll again, on the monotonic clock."""
        self.over = False
        """Whether no more events will come because the server ends."""
        self.news = anyio.Event()
        """Set when there may be news, and then replaced by a new event."""
        self._sign: Sign | None = None
        self._pause = OFTEN
        self._told: dict[FeedPosition, StreamEvent] = {}
        self._reading = anyio.Lock()

    async def read(self, place: FeedPosition) -> StreamEvent:
        """What came after a position; it is read once for all watchers at that position."""
        async with self._reading:
            # The dictionary belongs to the current state: if something changes meanwhile, everybody reads again.
            told = self._told
            if place not in told:
                found = told[place] = await run_sync(self._read, place, limiter=self.readers)
                # A client that invents positions, or reads a long hunt from its beginning, must not fill the memory.
                if len(told) > _KEPT:
                    del told[next(iter(told))]
                return found
            return told[place]

    def _read(self, place: FeedPosition) -> StreamEvent:
        batch, now = self.feed.read(place)
        return StreamEvent(batch, now, b"event: batch\nid: %d.%d\ndata: %b\n\n" % (*now, msgspec.json.encode(batch)))

    def see(self, sign: Sign) -> None:
        """Wake the watchers if something has changed, and poll a busy hunt again sooner than a quiet one."""
        changed = sign != self._sign
        if changed:
            self._sign, self._told = sign, {}
            self.tell()
        self._pause = OFTEN if changed or sign.at_work else min(_SELDOM, self._pause * _SLOWER)
        self.due = monotonic() + self._pause

    def tell(self) -> None:
        """Wake all watchers that wait for news."""
        self.news.set()
        self.news = anyio.Event()


class Watches:
    """All hunts that are being watched; one task polls them all."""

    def __init__(self, jobs: HuntJobs) -> None:
        self._jobs = jobs
        self._watches: dict[Path, Watch] = {}
        self._looking: asyncio.Task[None] | None = None
        self._readers = anyio.CapacityLimiter(_READERS)

    async def find(self, name: str) -> tuple[Feed, FeedPosition]:
        """The feed of a hunt and its first position; call it before a stream begins, because it may refuse."""
        return await run_sync(self._find, name, limiter=self._readers)

    def _find(self, name: str) -> tuple[Feed, FeedPosition]:
        feed = self._jobs.feed(name)
        return feed, feed.place()

    @asynccontextmanager
    async def on(self, feed: Feed) -> AsyncIterator[Watch]:
        """Watch a hunt, together with its other watchers."""
        watch = self._watches.setdefault(feed.folder, Watch(feed, self._readers))
        watch.onlookers += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield watch
        finally:
            watch.onlookers -= 1
            if not watch.onlookers and self._watches.get(feed.folder) is watch:
                del self._watches[feed.folder]

    async def _look(self) -> None:
        """Poll the hunts that are due, as long as any hunt is watched."""
        try:
            while self._watches and not self._jobs.closing:
                began = monotonic()
                due = [watch for watch in self._watches.values() if watch.due <= began]
                for watch, sign in zip(
                    due, await run_sync(_signs, due, limiter=self._readers) if due else (), strict=True
                ):
                    watch.see(sign)
                await anyio.sleep(max(0.0, began + OFTEN - monotonic()))
        finally:
            for watch in self._watches.values():
                watch.over = True
                watch.tell()
            self._watches.clear()


def _signs(watches: Iterable[Watch]) -> list[Sign]:
    """The signs of hunts, read in one thread: each read is so quick that starting another thread would cost more."""
    return [_sign(watch.feed) for watch in watches]


def _sign(feed: Feed) -> Sign:
    try:
        return feed.sign()
    except (OSError, Refused):
        # The watcher that reads the hunt will get the same error.
        return Sign(object(), False)


async def stream(watches: Watches, feed: Feed, place: FeedPosition) -> AsyncIterator[bytes]:
    """What happens in a hunt after a position, as server-sent events for one watcher."""
    latest, spoken = None, monotonic()
    yield _RETRY
    async with watches.on(feed) as watch:
        while not watch.over:
            news = watch.news
            try:
                batch, place, sent = await watch.read(place)
            except (OSError, Refused):
                # For example a damaged log. The hunt's status reports it; here it may have passed at the next attempt.
                yield _HERE
                await anyio.sleep(_SELDOM)
                continue
            before, latest = latest, replace(batch, pages=[], judged=[])
            if batch.pages or batch.judged or latest != before:
                spoken = monotonic()
                yield sent
            if batch.more:
                await anyio.sleep(OFTEN)
                continue
            with anyio.move_on_after(spoken + _HEARTBEAT - monotonic()) as waiting:
                await news.wait()
            if waiting.cancelled_caught:
                spoken = monotonic()
                yield _HERE
