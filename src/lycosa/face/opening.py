"""Opening the index of a collection: brought up to date first, for one question or, in a server, for many."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lycosa.core.errors import Refused
from lycosa.engine.indexing import bring_up_to_date
from lycosa.face.communities import answering
from lycosa.face.stamps import Stamp, log_stamp
from lycosa.index.index import Index
from lycosa.store import trouble
from lycosa.store.collection import INDEX, Collection

KEPT = 12
"""Indexes that stay open in a server."""
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
            bring_up_to_date(place, progress)
            index = stack.enter_context(Index.open(place / INDEX))
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

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, _Kept] = OrderedDict()

    @contextmanager
    def open(self, folder: str | Path) -> Iterator[Index]:
        """As `open_index`, but sooner. Whoever wants several opens them in the order of their paths."""
        with ExitStack() as stack:
            with whole(folder):
                # Asked anew each time, and held no longer than this: so nothing hinders a refresh or a deletion.
                place = stack.enter_context(answering(folder))
                kept = self._entry(place)
                stack.enter_context(kept.lock)
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
            entries, self._open = list(self._open.values()), OrderedDict()
        for kept in entries:
            with kept.lock:
                kept.close()

    def _entry(self, place: Path) -> _Kept:
        with self._lock:
            kept = self._open.pop(place, None) or _Kept()
            self._open[place] = kept
            for path in list(self._open)[: -self._kept]:
                # One that is in use stays until its turn comes again.
                if self._open[path].lock.acquire(blocking=False):
                    old = self._open.pop(path)
                    old.close()
                    old.lock.release()
            return kept


class _Kept:
    """An index that may be open, and what its log was like when it was last up to date."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._index: Index | None = None
        self._log: Stamp = ()
        self._looked = 0.0

    def fresh(self, place: Path) -> Index:
        """The index as it is now."""
        if self._index is not None and not self._reloads(self._index):
            self.close()
        log, now = log_stamp(place), time.monotonic()
        if self._index is None or (log != self._log and now > self._looked + LOOK):
            bring_up_to_date(place)
            self._log, self._looked = log, time.monotonic()
            if self._index is not None:
                self._index.reload()
        if self._index is None:
            self._index = Index.open(place / INDEX)
        return self._index

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None

    @staticmethod
    def _reloads(index: Index) -> bool:
        if not (index.folder / "state.json").is_file():
            return False  # it was deleted, as the documentation allows
        try:
            index.reload()
        except Refused:
            return False
        return True


@contextmanager
def whole(folder: str | Path) -> Iterator[None]:
    """Whatever a damaged index makes so many libraries say, in one line with what to do."""
    try:
        yield
    except Refused:
        raise
    except OSError as error:
        raise trouble.of_system(Path(folder) / INDEX, error) from error
    except BaseException as error:
        # What panics in Rust is no Exception, so that nobody takes it for one by accident.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        place, said = Path(folder) / INDEX, " ".join(f"{type(error).__name__}: {error}".split())
        raise Refused(
            f"the index {place} cannot be used ({said[:_SAID]})", "delete that folder, it is made again"
        ) from error
