"""A collection: one folder with the log, the pages, the link graph and the checkpoint of a crawl.

    log.sqlite           what happened (log.py); beside it, log.sqlite-sums: the checksums of its pages (pagesums.py)
    pages/*.warc.gz      the responses (repository.py)
    graph.sqlite         the links, made from the log (graph.py)
    checkpoint           the state of the crawl, so that resuming need not read the whole log (checkpoint.py)
    lore                 what was known before the crawl, where it had to know something
    judgements.jsonl     what people say of pages, until the crawl takes it in (judgements.py)
    index/               what makes the pages searchable, made from the log
    spool/               what the crawl has parsed, for a few seconds, until the index has taken it
    lock                 held by whoever crawls (lock.py)

Nothing inside says where the folder is, so it can be copied, moved and opened elsewhere.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from lycosa.core.events import Redirected, Visited
from lycosa.store import checkpoint, repository, sqlite, store_errors
from lycosa.store.event_coding import where_of
from lycosa.store.folders import INDEX as INDEX
from lycosa.store.folders import SPOOL
from lycosa.store.judgements import FILE as _JUDGEMENTS
from lycosa.store.judgements import Inbox
from lycosa.store.log import LOCK as _LOCK
from lycosa.store.log import Log
from lycosa.store.repository import Cut, Repository
from lycosa.system import locks, os_errors
from lycosa.system.errors import Code, Refused
from lycosa.system.locks import Lock

if TYPE_CHECKING:
    from lycosa.store.link_graph import Graph

LOG, GRAPH, CHECKPOINT, LORE = "log.sqlite", "graph.sqlite", "checkpoint", "lore"


class Recovery(NamedTuple):
    """What `recover` had to do; all zero and empty after a clean stop."""

    events: int
    """Events dropped because the record of one of them never reached the disk."""
    files: int
    """Files removed because the log names nothing in them."""
    dropped: int
    """Bytes of records that the log does not name."""
    short: tuple[str, ...]
    """Files that lack records from before the checkpoint: somebody took them away."""


class Collection:
    """An open collection; close it, or use it in a `with` statement."""

    def __init__(self, folder: Path, log: Log, held: Lock | None) -> None:
        self.folder = folder
        self.log = log
        self.repository = Repository(folder)
        self.inbox = Inbox(folder)
        self._lock = held
        self._graph: Graph | None = None

    @classmethod
    def create(cls, path: Path, force: bool = False) -> Self:
        """A new collection, open for writing; `force` throws away the one that is there."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            found = {entry.name for entry in path.iterdir()}
        except OSError as error:
            raise Refused(
                f"cannot make the folder {path} ({error.strerror})",
                "choose another one",
                code=Code.UNWRITABLE,
                field="out",
            ) from error
        # What a process that was killed while it made a collection leaves behind is no reason to refuse.
        if LOG not in found and found - {
            _LOCK,
            repository.FOLDER,
            *(LOG + part + beside for part in ("", ".new") for beside in sqlite.BESIDE),
        }:
            raise Refused(f"{path} is not empty", "choose another folder", code=Code.NOT_EMPTY, field="out")
        held = Lock(path / _LOCK)
        try:
            if LOG in found:
                if not force and not _is_unused(path):
                    problem = f"{path} already holds a collection"
                    raise Refused(
                        problem,
                        f"continue it with `lycosa resume {path}`, or choose another folder",
                        code=Code.NOT_EMPTY,
                        field="out",
                    )
                _clear(path)
            (path / repository.FOLDER).mkdir(exist_ok=True)
            return cls(path, Log.create(path / LOG), held)
        except OSError as error:
            held.release()
            raise os_errors.of_system(path, error) from error
        except BaseException:
            held.release()
            raise

    @classmethod
    def open(cls, path: Path, write: bool = False) -> Self:
        """The collection in a folder; `write` keeps every other crawler out until it is closed."""
        if not (path / LOG).is_file():
            # Where a community keeps its collection.
            inside = path / "current"
            fix = f"name {inside}" if (inside / LOG).is_file() else "name a folder that `lycosa crawl` made"
            raise Refused(f"{path} is not a collection", fix, code=Code.NOT_A_COLLECTION, field="folder")
        held = Lock(path / _LOCK) if write else None
        try:
            return cls(path, Log(path / LOG, write=write), held)
        except BaseException:
            if held:
                held.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every file; what was not committed is forgotten."""
        if self._graph:
            self._graph.close()
            self._graph = None
        self.log.close()
        if self._lock:
            self._lock.release()

    @property
    def graph(self) -> Graph:
        """The link graph, as far as it has caught up."""
        if self._graph is None:
            # Its arithmetic takes a while to import, and a crawl has no use for it.
            from lycosa.store.link_graph import Graph

            self._graph = Graph(self.folder)
        return self._graph

    def running(self) -> bool:
        """Whether a crawl has this collection open for writing."""
        return locks.is_held(self.folder / _LOCK)

    @property
    def writable(self) -> bool:
        """Whether it is we who have it open for writing."""
        return self._lock is not None

    def save_checkpoint(self, data: bytes, seq: int | None = None) -> None:
        """Keep the state of the crawl after event `seq`, the last one if not told, once all of it is on the disk."""
        self.repository.sync()
        self.log.sync()
        seq = self.log.last_seq() if seq is None else seq
        checkpoint.save(self.folder / CHECKPOINT, data, seq, self.log.mark(seq))

    def load_checkpoint(self) -> tuple[int, bytes] | None:
        """The event number and state of the last checkpoint, if there is a whole one that the log knows of."""
        found = checkpoint.load(self.folder / CHECKPOINT)
        if found is None or self.log.mark(found.seq) != found.mark:
            # The log is another one, or was cut: a copy made while a crawl wrote, for example.
            return None
        return found.seq, found.data

    def doubt(self) -> str:
        """What there is to say where a checkpoint is there and cannot be used; empty where all is well."""
        if not (self.folder / CHECKPOINT).exists() or self.load_checkpoint():
            return ""
        return "the checkpoint is damaged or of another log; the state of the crawl was made from the log"

    def save_lore(self, data: bytes) -> None:
        """Keep what is known before the crawl."""
        checkpoint.save(self.folder / LORE, data, 0, 0)

    def load_lore(self) -> bytes | None:
        """What was known before the crawl; None where it had to know nothing."""
        if not (self.folder / LORE).exists():
            return None
        if found := checkpoint.load(self.folder / LORE):
            return found.data
        raise store_errors.Damaged(f"{self.folder / LORE} is damaged", "restore the file from a copy")

    def recover(self) -> Recovery:
        """Make log and repository agree after a crash, so that each holds exactly what the other names."""
        found = self.load_checkpoint()
        dropped = 0
        # What a checkpoint covers was on the disk before it; of the rest a power cut may have kept the log only.
        for entry in self.log.read(found[0] if found else 0, kinds=(Visited, Redirected)):
            where = where_of(entry.event)
            if where and not self.repository.holds(where):
                dropped = self.log.cut(entry.seq - 1)
                break
        return Recovery(dropped, *self.tidy())

    def tidy(self) -> Cut:
        """Drop from the repository what the log does not name: half a record of a writer that died, for example."""
        return self.repository.cut(self.log.ends())


def _is_unused(path: Path) -> bool:
    log = Log(path / LOG)
    try:
        return log.last_seq() == 0
    finally:
        log.close()


def _clear(path: Path) -> None:
    """Remove what makes a folder a collection, and nothing else."""
    for file in (path / repository.FOLDER).glob("*.warc.gz"):
        file.unlink()
    for made_from_the_log in (INDEX, SPOOL):
        if not (path / made_from_the_log).is_symlink():
            shutil.rmtree(path / made_from_the_log, ignore_errors=True)
    sqlite.remove(path / GRAPH)
    (path / CHECKPOINT).unlink(missing_ok=True)
    (path / LORE).unlink(missing_ok=True)
    (path / _JUDGEMENTS).unlink(missing_ok=True)
    sqlite.remove(path / LOG)
