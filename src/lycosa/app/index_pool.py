"""Open the index of a collection and bring it up to date first: for one query or, in a server, for many."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lycosa.app.communities import current_collection
from lycosa.engine.indexing import bring_up_to_date, is_up_to_date, open_up_to_date
from lycosa.index.index import STATE, Index
from lycosa.index.index_errors import Unreadable
from lycosa.store.collection import INDEX, Collection
from lycosa.system import descriptors, os_errors
from lycosa.system.errors import Code, Refused
from lycosa.system.file_stamps import Stamp, log_stamp
from lycosa.system.progress import Progress

FEW = 12
"""Indexes that stay open in a server regardless of their size."""
MANY = 500
"""Indexes that stay open at most: each takes two files, a dozen memory maps and half a megabyte or more."""
PAGES = 300_000
"""Pages that all open indexes may hold together, if more than FEW are open."""
LOOK = 2.0
"""Seconds before a growing log is checked again: a crawl brings its index up to date by itself."""
_SHOWN = 160
"""Characters shown of a library's error message."""

Say = Callable[[str], object]


@contextmanager
def open_index(folder: str | Path, progress: Progress | None = None, say: Say | None = None) -> Iterator[Index]:
    """The index of a collection or community, made or brought up to date first, for any number of queries."""
    with ExitStack() as stack:
        with whole(folder):
            place = stack.enter_context(current_collection(folder))
            if say and not (place / INDEX).exists():
                Collection.open(place).close()
                say(f"{folder} has no index yet: it is made now")
            index = stack.enter_context(open_up_to_date(place, progress))
            if say and not os.access(index.folder, os.W_OK) and not is_up_to_date(place, index):
                say(f"the index of {folder} cannot be written: pages that came after it are not found")
        yield index


@contextmanager
def asking(folder: str | Path, progress: Progress | None = None, say: Say | None = None) -> Iterator[Index]:
    """As `open_index`, but any error inside the block counts as a fault of the index and becomes one line."""
    with whole(folder), open_index(folder, progress, say) as index:
        yield index


class OpenIndexes:
    """Indexes that stay open between queries, each used by one thread at a time.

    The next query sees what a writer has committed, and a new generation of a community.
    """

    def __init__(self, kept: int | None = None) -> None:
        """`kept` is how many stay open; by default the limit of open files decides."""
        self._kept = kept or _room()
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, _Kept] = OrderedDict()
        self._pages = 0

    @contextmanager
    def open(self, folder: str | Path) -> Iterator[Index]:
        """As `open_index`, but faster; to prevent deadlocks, open several in the order of their paths."""
        with ExitStack() as stack:
            with whole(folder):
                # Resolved for each query and held only during it, so that it blocks no refresh and no deletion.
                place = stack.enter_context(current_collection(folder))
                kept = stack.enter_context(self._using(place))
                index = kept.fresh(place)
            try:
                yield index
            except Refused:
                raise
            except BaseException:
                kept.close()
                raise

    @contextmanager
    def asking(self, folder: str | Path) -> Iterator[Index]:
        """As the function `asking`, but faster."""
        with whole(folder), self.open(folder) as index:
            yield index

    def close(self) -> None:
        """Close all; a later query opens its index anew."""
        with self._lock:
            entries, self._open, self._pages = list(self._open.values()), OrderedDict(), 0
        for kept in entries:
            with kept.lock:
                kept.close()

    def forget(self, folder: Path) -> None:
        """Close the index of a collection, because its folder is about to be moved or deleted."""
        with self._lock:
            kept = self._open.pop(folder, None)
            self._pages -= kept.pages if kept else 0
        if kept:
            with kept.lock:
                kept.close()

    @contextmanager
    def _using(self, place: Path) -> Iterator[_Kept]:
        with self._lock:
            kept = self._open.setdefault(place, _Kept())
            self._open.move_to_end(place)
            kept.users += 1
            self._let_go()
        try:
            with kept.lock:
                yield kept
        finally:
            with self._lock:
                kept.users -= 1
                self._pages += kept.grown()
                self._let_go()

    def _let_go(self) -> None:
        """Close the least recently used indexes while too many are open."""
        while len(self._open) > self._kept or (len(self._open) > FEW and self._pages > PAGES):
            unused = next((path for path, kept in self._open.items() if not kept.users), None)
            if unused is None:
                return
            kept = self._open.pop(unused)
            self._pages -= kept.pages
            kept.close()


class _Kept:
    """An index that may be open, and the stamp of the log when the index was last up to date."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.users = 0
        """Threads that use it or wait for it."""
        self.pages = 0
        """How many pages it held after its last use."""
        self._index: Index | None = None
        self._log: Stamp = ()
        self._looked = 0.0

    def fresh(self, place: Path) -> Index:
        """The index as it is now."""
        if self._index is not None and not self._reloads(self._index):
            self.close()
        log, now = log_stamp(place), time.monotonic()
        if self._index is None:
            self._index = open_up_to_date(place)
        elif log != self._log and now > self._looked + LOOK:
            if not is_up_to_date(place, self._index):
                bring_up_to_date(place)
                self._index.reload()
        else:
            return self._index
        self._log, self._looked = log, time.monotonic()
        return self._index

    def grown(self) -> int:
        """How many more pages it holds than at the last call."""
        index, before = self._index, self.pages
        self.pages = len(index) if index is not None else 0
        return self.pages - before

    def close(self) -> None:
        """Close it; it may be opened again."""
        if self._index is not None:
            self._index.close()
            self._index = None

    @staticmethod
    def _reloads(index: Index) -> bool:
        try:
            if not (index.folder / STATE).is_file() or not index.content.is_there():
                return False  # it was deleted, which the documentation allows, and perhaps made anew
            index.reload()
        except Refused:
            return False
        return True


def _room() -> int:
    """How many indexes may stay open, so that file descriptors are left for everything else."""
    return max(FEW, min(MANY, descriptors.limit() // 8))


@contextmanager
def whole(folder: str | Path) -> Iterator[None]:
    """Turn any error that a damaged index causes, in whatever library, into one line with a fix.

    A damaged index is deleted if possible, and made anew for the next query.
    """
    try:
        yield
    except Unreadable as error:
        if not _discarded(error):
            raise
        raise Refused(error.problem, "search again: the index is rebuilt", code=Code.DAMAGED) from None
    except Refused:
        raise
    except OSError as error:
        raise os_errors.of_system(Path(folder) / INDEX, error) from error
    except BaseException as error:
        # A Rust panic is a BaseException on purpose, so that `except Exception` does not catch it.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        place, why = Path(folder) / INDEX, " ".join(f"{type(error).__name__}: {error}".split())
        problem = f"the index {place} cannot be used ({why[:_SHOWN]})"
        raise Refused(problem, "delete that folder; it is made again", code=Code.DAMAGED) from error


def _discarded(error: Unreadable) -> bool:
    """Delete a damaged index; returns whether that was possible."""
    homes = [place for place in error.place.parents if (place / STATE).is_file()] if error.place else []
    try:
        for home in homes[:1]:
            Index.discard(home)
    except (OSError, Refused):
        return False
    return bool(homes)
