"""Opening the index of a collection: brought up to date first, for one question or, in a server, for many."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lycosa.app.communities import answering
from lycosa.engine.indexing import bring_up_to_date, is_up_to_date, open_up_to_date
from lycosa.index.index import STATE, Index
from lycosa.index.index_errors import Unreadable
from lycosa.store.collection import INDEX, Collection
from lycosa.system import descriptors, os_errors
from lycosa.system.errors import Refused
from lycosa.system.file_stamps import Stamp, log_stamp

FEW = 12
"""Indexes that stay open in a server, however large they are."""
MANY = 500
"""Indexes that stay open at most: each takes two files, a dozen of the system's maps and half a megabyte or more."""
PAGES = 300_000
"""Pages that these may hold together."""
LOOK = 2.0
"""Seconds in which a log that grows is not looked at again: whoever crawls brings its index up to date by itself."""
_SAID = 160
"""Characters of a library's complaint that are shown."""

Progress = Callable[[int, int], object]
"""Told how many pages are indexed, and of how many."""
Say = Callable[[str], object]


@contextmanager
def open_index(folder: str | Path, progress: Progress | None = None, say: Say | None = None) -> Iterator[Index]:
    """The index of a collection or community, made or brought up to date first; for as many questions as you like."""
    with ExitStack() as stack:
        with whole(folder):
            place = stack.enter_context(answering(folder))
            if say and not (place / INDEX).exists():
                Collection.open(place).close()
                say(f"{folder} has no index yet: it is made now")
            index = stack.enter_context(open_up_to_date(place, progress))
            if say and not os.access(index.folder, os.W_OK) and not is_up_to_date(place, index):
                say(f"the index of {folder} cannot be written: pages that came after it are not found")
        yield index


@contextmanager
def asking(folder: str | Path, progress: Progress | None = None, say: Say | None = None) -> Iterator[Index]:
    """The same for questions of our own: what goes wrong in between is the index's fault, and said in one line."""
    with whole(folder), open_index(folder, progress, say) as index:
        yield index


class OpenIndexes:
    """Indexes that stay open between questions, each used by one thread at a time.

    What a writer commits is seen by the next question, and so is another generation of a community.
    """

    def __init__(self, kept: int | None = None) -> None:
        """`kept` is how many stay open, if not as many as the system's limit of open files suggests."""
        self._kept = kept or _room()
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, _Kept] = OrderedDict()
        self._pages = 0

    @contextmanager
    def open(self, folder: str | Path) -> Iterator[Index]:
        """As `open_index`, but sooner. Whoever wants several opens them in the order of their paths."""
        with ExitStack() as stack:
            with whole(folder):
                # Asked anew each time, and held no longer than this: so nothing hinders a refresh or a deletion.
                place = stack.enter_context(answering(folder))
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
        """As `asking`, but sooner."""
        with whole(folder), self.open(folder) as index:
            yield index

    def close(self) -> None:
        """Close all; whoever asks afterwards opens anew."""
        with self._lock:
            entries, self._open, self._pages = list(self._open.values()), OrderedDict(), 0
        for kept in entries:
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
        """Close those that nobody has asked for longest, where more are open than may stay so."""
        while len(self._open) > self._kept or (len(self._open) > FEW and self._pages > PAGES):
            unused = next((path for path, kept in self._open.items() if not kept.users), None)
            if unused is None:
                return
            kept = self._open.pop(unused)
            self._pages -= kept.pages
            kept.close()


class _Kept:
    """An index that may be open, and what its log was like when it was last up to date."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.users = 0
        """Those who have it, and those who wait for it."""
        self.pages = 0
        """How many it held when somebody last had it."""
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
        """How many more pages it holds than when this was last asked."""
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
        if not (index.folder / STATE).is_file():
            return False  # it was deleted, as the documentation allows
        try:
            index.reload()
        except Refused:
            return False
        return True


def _room() -> int:
    """How many indexes may stay open, so that files are left for everything else."""
    return max(FEW, min(MANY, descriptors.limit() // 8))


@contextmanager
def whole(folder: str | Path) -> Iterator[None]:
    """Whatever a damaged index makes so many libraries say, in one line with what to do.

    An index that turns out to be damaged is thrown away if it can be, and made anew for the next question.
    """
    try:
        yield
    except Unreadable as error:
        if not _discarded(error):
            raise
        raise Refused(error.problem, "ask again: the index is made anew from the store") from None
    except Refused:
        raise
    except OSError as error:
        raise os_errors.of_system(Path(folder) / INDEX, error) from error
    except BaseException as error:
        # What panics in Rust is no Exception, so that nobody takes it for one by accident.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        place, said = Path(folder) / INDEX, " ".join(f"{type(error).__name__}: {error}".split())
        raise Refused(
            f"the index {place} cannot be used ({said[:_SAID]})", "delete that folder, it is made again"
        ) from error


def _discarded(error: Unreadable) -> bool:
    """Whether a damaged index could be thrown away."""
    homes = [place for place in error.place.parents if (place / STATE).is_file()] if error.place else []
    try:
        for home in homes[:1]:
            Index.discard(home)
    except (OSError, Refused):
        return False
    return bool(homes)
