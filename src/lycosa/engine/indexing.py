"""Indexing: the pages of a collection become documents of an index, in the order of the log.

The log decides what counts. The index records how far it has read the log, after the documents are committed; so after
a crash it reads a little twice and misses nothing, and a document that is added twice replaces itself. If the log is
not the one that was indexed before, the index is rebuilt.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from lycosa.core.events import Rejudged, Visited
from lycosa.engine.archived import Documents
from lycosa.engine.spool import LATER, Gives, SpoolReader
from lycosa.index.checked_files import read_summed, write_summed
from lycosa.index.index import STATE, Index
from lycosa.index.index_errors import Busy, DamagedFile, Unreadable, Unwritable
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX
from lycosa.store.log import Log
from lycosa.system.closable import Closable
from lycosa.system.errors import Refused
from lycosa.system.progress import Progress

COMMIT = 5_000
"""Pages between two commits, if there are many to add."""
_UNKNOWN = (-1, -1)
"""An event number and mark that no log has."""
_COMING = "coming"
"""A file beside the index: the event up to which the next commit will go."""


class Indexer(Closable):
    """Keeps the index of a collection up to date; close it, or use it in a `with` statement."""

    def __init__(self, folder: Path, index_folder: Path | None = None, *, spool: Gives | None = None) -> None:
        """Raises Busy if another process writes the index. `spool` has parsed pages; None is the collection's own."""
        self.collection = Collection.open(folder)
        try:
            self.index = Index.write(index_folder or folder / INDEX)
        except BaseException:
            self.collection.close()
            raise
        self._reader = SpoolReader(folder)
        self._spool: Gives = self._reader if spool is None else spool
        self.documents = Documents(self.collection, self._spool)
        self.commit_cost = 0.0
        """Seconds that the last commit took."""

    def close(self) -> None:
        """Close every file; what was not committed is indexed again the next time."""
        self._reader.close()
        self.index.close()
        self.collection.close()

    def catch_up(self, progress: Progress | None = None, *, every: float = math.inf) -> int:
        """Add all pages of the log that are not in the index yet; returns how many documents were added.

        They can be found when all is committed: at the end, after COMMIT pages, and `every` so many seconds.
        """
        added = pending = done = 0
        committed = time.monotonic()
        seen = self._seen()
        total = self.collection.log.page_count() - len(self.index) if progress else 0
        for seq, url, document in self.documents.after(seen):
            if document is None:
                (self.index.withhold if self.documents.withheld else self.index.remove)(url)
            else:
                self.index.add(document)
                added += 1
            seen, pending, done = seq, pending + 1, done + 1
            if progress and done % 50 == 0:
                progress(done, max(total, done))
            if pending >= COMMIT or time.monotonic() - committed > every:
                self._commit(seen)
                pending, committed = 0, time.monotonic()
        if pending:
            self._commit(seen)
        self._follow_relevance()
        if progress and done:
            progress(done, done)
        return added

    def _follow_relevance(self) -> None:
        """Bring the relevance of all pages up to date, if the log has said it anew."""
        told = _relevance_told(self.collection.log)
        if told != self.index.relevances.progress:
            pages = self.collection.log.pages(order="time")
            self.index.relevances.write(((row.url, row.relevance) for row in pages), *told)

    def _seen(self) -> int:
        """The number of the last event that the index has seen."""
        log, coming = self.collection.log, self.index.folder / _COMING
        # A commit may have succeeded although the index did not record it.
        for seq, mark in (self.index.progress, _noted(coming)):
            if seq and log.mark(seq) != mark:
                # The log was cut, or is another one, so the index does not belong to it.
                self.index.clear()
                coming.unlink(missing_ok=True)
                return 0
        return self.index.progress[0]

    def _commit(self, seq: int) -> None:
        started = time.monotonic()
        mark = self.collection.log.mark(seq)
        # This must be on the disk before the commit begins.
        write_summed(self.index.folder / _COMING, (seq, mark))
        self.index.commit(seq, mark, self.index.unread + self.documents.damaged)
        self.documents.damaged = 0
        self._spool.sweep()
        self.commit_cost = time.monotonic() - started

    def settle(self) -> None:
        """Compute what depends on all documents, if anything has changed since the last time."""
        if not self.index.settled:
            self.index.settle()

    def sweep(self) -> None:
        """Remove all spools; only when no crawl runs any more and everything was taken."""
        self._spool.sweep(all=True)


def open_up_to_date(folder: Path, progress: Progress | None = None) -> Index:
    """The complete index of a collection, opened for reading.

    If another process is writing it, or it cannot be written, it is opened as it is.
    """
    index = _ready(folder)
    if index is None:
        _catch_up(folder, progress)
        index = Index.open(folder / INDEX)
    return index


def bring_up_to_date(folder: Path, progress: Progress | None = None) -> None:
    """Index everything in a collection, unless another process is writing the index: then leave it as it is."""
    if index := _ready(folder):
        index.close()
    else:
        _catch_up(folder, progress)


def _ready(folder: Path) -> Index | None:
    """The index if it is up to date, else None."""
    try:
        index = Index.open(folder / INDEX)
    except Refused:
        return None
    with ExitStack() as stack:
        stack.enter_context(index)
        if not is_up_to_date(folder, index):
            return None
        stack.pop_all()
    return index


def _catch_up(folder: Path, progress: Progress | None) -> None:
    try:
        indexer = Indexer(folder)
    except Busy:
        return
    except Unwritable as error:
        if not (folder / INDEX / STATE).is_file():
            raise
        # The index cannot be updated, so it is used as it is, if it can be read.
        try:
            Index.open(folder / INDEX).close()
        except Unreadable as useless:
            raise Unwritable(useless.problem, error.fix) from None
        return
    with indexer:
        crawling = indexer.collection.running()
        indexer.catch_up(progress)
        indexer.settle()
        if not crawling:
            indexer.sweep()


def is_up_to_date(folder: Path, index: Index) -> bool:
    """Whether the index of a collection needs no update; much faster than updating it."""
    seq, mark = index.progress
    # A copy of another index has no such file.
    if _noted(index.folder / _COMING) not in ((0, 0), (seq, mark)) or not index.settled:
        return False
    with Collection.open(folder) as collection:
        log = collection.log
        if log.mark(seq) != mark or not follows_relevance(log, index):
            return False
        return next(log.read(seq, kinds=(Visited,)), None) is None


def index_collection(
    folder: Path,
    into: Index,
    *,
    wanted: Callable[[str], bool] = lambda url: True,
    progress: Progress | None = None,
) -> int:
    """Add the pages of a collection to an index, each as it was last seen; `wanted` selects by URL.

    Returns how many were added. The caller commits the index, because only the caller knows what else belongs in it.
    """
    added = 0
    with Collection.open(folder) as collection:
        documents = Documents(collection)
        rows = [row for row in collection.log.pages(order="time") if wanted(row.url)]
        for done, row in enumerate(rows, 1):
            entry = collection.log.entry(row.seq)
            if not entry or not isinstance(entry.event, Visited):
                continue
            if found := documents.of(entry.event.visit, entry.at, row.relevance):
                into.add(found)
                added += 1
            elif entry.event.visit.withheld:
                into.withhold(row.url)
            if progress and (done % 50 == 0 or done == len(rows)):
                progress(done, len(rows))
    return added


def follows_relevance(log: Log, index: Index) -> bool:
    """Whether an index knows what a log has last said about the relevance of all pages."""
    return index.relevances.progress == _relevance_told(log)


def _relevance_told(log: Log) -> tuple[int, int]:
    """The last event that says anew how relevant pages are, and its mark; zeros if there is none."""
    last = log.last(Rejudged)
    return (last.seq, log.mark(last.seq)) if last else (0, 0)


def told(error: Exception) -> str:
    """What went wrong with an index, in one line."""
    return f"the index is not up to date ({' '.join(str(error).split()) or type(error).__name__}); {LATER}"


def _noted(file: Path) -> tuple[int, int]:
    """The event number and mark in a file; (0, 0) if there is no file."""
    try:
        return read_summed(file, tuple[int, int])
    except FileNotFoundError:
        return 0, 0
    except (OSError, DamagedFile):
        return _UNKNOWN
