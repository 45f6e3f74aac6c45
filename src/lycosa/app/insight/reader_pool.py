"""A few open readers of collections, kept between calls: opening one may take long, catching up does not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from lycosa.store.collection import Collection


class InsightReader(Protocol):
    """A view of a collection that can catch up with new events."""

    collection: Collection

    def catch_up(self) -> None: ...
    def close(self) -> None: ...


R = TypeVar("R", bound=InsightReader)
T = TypeVar("T")


class _Question(NamedTuple):
    answer: Future[Any]
    ask: Callable[[Any], Any]


class _Opened(NamedTuple, Generic[R]):
    """A reader, and what shows that the log is still the one it has read."""

    reader: R
    file: int
    seq: int
    mark: int


_Questions = SimpleQueue[_Question | None]


class Readers(Generic[R]):
    """Readers by folder, each opened, used and closed by a thread of its own, as SQLite requires.

    A reader is closed after `idle` seconds without use, and so is the least recently used one if there are more than
    `most`.
    """

    def __init__(self, opened: Callable[[Path], R], *, most: int, idle: float = 120.0) -> None:
        self._open = opened
        self._most = most
        self._idle = idle
        self._lock = threading.Lock()
        self._queues: dict[Path, _Questions] = {}
        """The queues of the readers by folder, the most recently used at the end."""

    def ask(self, folder: Path, question: Callable[[R], T], patience: float | None = None) -> T:
        """The answer of a reader that is up to date; TimeoutError if that takes longer than `patience` seconds."""
        answer: Future[T] = Future()
        folder = folder.resolve()
        with self._lock:
            queue = self._queues.pop(folder, None)
            if queue is None:
                queue, name = SimpleQueue(), f"reader of {folder.name}"
                threading.Thread(target=self._serve, args=(folder, queue), name=name, daemon=True).start()
            self._queues[folder] = queue
            queue.put(_Question(answer, question))
            while len(self._queues) > self._most:
                self._queues.pop(next(iter(self._queues))).put(None)
        try:
            return answer.result(patience)
        except TimeoutError:
            # Nobody waits for this answer any more; the reader reads on, so a later call may be in time.
            answer.cancel()
            raise

    def close(self) -> None:
        """Close all readers."""
        with self._lock:
            for queue in self._queues.values():
                queue.put(None)
            self._queues.clear()

    def __len__(self) -> int:
        return len(self._queues)

    def _serve(self, folder: Path, queue: _Questions) -> None:
        opened: _Opened[R] | None = None
        try:
            while question := self._next(folder, queue):
                if not question.answer.set_running_or_notify_cancel():
                    continue
                try:
                    opened = self._current(folder, opened)
                    question.answer.set_result(question.ask(opened.reader))
                except BaseException as error:
                    # The reader may have stopped half-way: the next call gets a new one.
                    if opened:
                        opened.reader.close()
                        opened = None
                    question.answer.set_exception(error)
        finally:
            if opened:
                opened.reader.close()

    def _next(self, folder: Path, queue: _Questions) -> _Question | None:
        try:
            return queue.get(timeout=self._idle)
        except Empty:
            with self._lock:
                if not queue.empty():
                    return queue.get()
                if self._queues.get(folder) is queue:
                    del self._queues[folder]
                return None

    def _current(self, folder: Path, opened: _Opened[R] | None) -> _Opened[R]:
        """The reader, up to date; a new one if the log was replaced, or cut after a crash."""
        if opened and (
            _file(opened.reader) != opened.file or opened.reader.collection.log.mark(opened.seq) != opened.mark
        ):
            opened.reader.close()
            opened = None
        reader = opened.reader if opened else self._open(folder)
        try:
            seq = reader.collection.log.last_seq()
            reader.catch_up()
            return _Opened(reader, _file(reader), seq, reader.collection.log.mark(seq))
        except BaseException:
            if not opened:
                reader.close()
            raise


def _file(reader: InsightReader) -> int:
    """The inode of the log, which identifies the file; 0 if the file is gone."""
    try:
        return reader.collection.log.path.stat().st_ino
    except OSError:
        return 0
