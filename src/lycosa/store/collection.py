"""A collection: one folder with the log, the pages, the link graph and the checkpoint of a crawl.

    log.sqlite           what happened (log.py); beside it, log.sqlite-sums: the checksums of its pages (pagesums.py)
    pages/*.warc.gz      the responses (repository.py)
    graph.sqlite         the links, made from the log (link_graph.py)
    checkpoint           the state of the crawl, so that resuming need not read the whole log (checkpoint.py)
    lore                 the priors: what was known before the crawl, if anything had to be known
    judgements.jsonl     judgements of pages, until the crawl reads them (judgements.py)
    reader.jsonl         what a judge who reads was asked and has answered, if there is one (reader_calls.py)
    index/               the search index, made from the log
    labels.json          the tags that people have given it (labels.py)
    spool/               pages that the crawl has parsed, for a few seconds, until the index has taken them
    lock                 held by the process that crawls (system/locks.py)

Nothing in the folder depends on its path, so it can be copied, moved and opened elsewhere.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from lycosa.core.events import Redirected, Visited
from lycosa.store import checkpoint, repository, sqlite, store_errors
from lycosa.store.event_coding import where_of
from lycosa.store.folders import INDEX as INDEX
from lycosa.store.folders import SPOOL
from lycosa.store.judgements import FILE as _JUDGEMENTS
from lycosa.store.judgements import Inbox
from lycosa.store.log import Log
from lycosa.store.log_file import LOCK as _LOCK
from lycosa.store.reader_calls import FILE as _READER
from lycosa.store.repository import Repository
from lycosa.system import locks, os_errors
from lycosa.system.closable import Closable
from lycosa.system.errors import Code, Damaged, Refused
from lycosa.system.locks import Lock

if TYPE_CHECKING:
    from lycosa.store.link_graph import Graph

LOG, GRAPH, CHECKPOINT, LORE = "log.sqlite", "graph.sqlite", "checkpoint", "lore"


class Recovery(NamedTuple):
    """What `recover` had to do; all zero and empty after a clean stop."""

    events: int
    """Events dropped because the WARC record of one of them never reached the disk."""
    files: int
    """Files removed because the log names no record in them."""
    dropped: int
    """Bytes of records that the log does not name."""
    short: tuple[str, ...]
    """Files that lack records from before the checkpoint: they were removed from outside."""


class Collection(Closable):
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
        """A new collection, open for writing; `force` deletes an existing one."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            found = {entry.name for entry in path.iterdir()}
        except OSError as error:
            problem = f"cannot make the folder {path} ({error.strerror})"
            raise Refused(problem, "choose another one", code=Code.UNWRITABLE, field="out") from error
        # What a process leaves behind that was killed while it made a collection is no reason to refuse.
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
                    fix = "resume it, or choose another folder"
                    raise Refused(f"{path} already holds a collection", fix, code=Code.NOT_EMPTY, field="out")
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
        """The collection in a folder; with `write`, every other crawler is locked out until it is closed."""
        if not (path / LOG).is_file():
            # Where a community keeps its collection.
            inside = path / "current"
            if (inside / LOG).is_file():
                raise store_errors.not_a_collection(path, f"name {inside}")
            raise store_errors.not_a_collection(path)
        held = Lock(path / _LOCK) if write else None
        try:
            return cls(path, Log(path / LOG, write=write), held)
        except BaseException:
            if held:
                held.release()
            raise

    def close(self) -> None:
        """Close every file; uncommitted data is lost."""
        if self._graph:
            self._graph.close()
            self._graph = None
        self.log.close()
        if self._lock:
            self._lock.release()

    @property
    def graph(self) -> Graph:
        """The link graph, up to the event it has reached."""
        if self._graph is None:
            # numpy takes a while to import, and a crawl does not use the graph.
            from lycosa.store.link_graph import Graph

            self._graph = Graph(self.folder)
        return self._graph

    def running(self) -> bool:
        """Whether a crawl has this collection open for writing."""
        return locks.is_held(self.folder / _LOCK)

    @property
    def writable(self) -> bool:
        """Whether this object has the collection open for writing."""
        return self._lock is not None

    def save_checkpoint(self, data: bytes, seq: int | None = None) -> None:
        """Save the state of the crawl after event `seq` (default: the last) once everything so far is on the disk."""
        self.repository.sync()
        self.log.sync()
        seq = self.log.last_seq() if seq is None else seq
        checkpoint.save(self.folder / CHECKPOINT, data, seq, self.log.mark(seq))

    def load_checkpoint(self) -> tuple[int, bytes] | None:
        """The event number and state of the last checkpoint, if it is complete and the log has its event."""
        found = checkpoint.load(self.folder / CHECKPOINT)
        if found is None or self.log.mark(found.seq) != found.mark:
            # The log is a different one, or was truncated: a copy made while a crawl wrote, for example.
            return None
        return found.seq, found.data

    def doubt(self) -> str:
        """A remark if a checkpoint exists but cannot be used; else empty."""
        if not (self.folder / CHECKPOINT).exists() or self.load_checkpoint():
            return ""
        return "the checkpoint is damaged or of another log; the state of the crawl was made from the log"

    def save_lore(self, data: bytes) -> None:
        """Save the priors: what is known before the crawl."""
        checkpoint.save(self.folder / LORE, data, 0, 0)

    def load_lore(self) -> bytes | None:
        """The priors: what was known before the crawl; None if nothing had to be known."""
        if not (self.folder / LORE).exists():
            return None
        if found := checkpoint.load(self.folder / LORE):
            return found.data
        raise Damaged(f"{self.folder / LORE} is damaged", "restore the file from a copy")

    def recover(self) -> Recovery:
        """Make log and repository agree after a crash, so that each contains exactly what the other names."""
        found = self.load_checkpoint()
        dropped = 0
        # What a checkpoint covers was on the disk before it; of later data a power cut may have kept only the log.
        for entry in self.log.read(found[0] if found else 0, kinds=(Visited, Redirected)):
            where = where_of(entry.event)
            if where and not self.repository.holds(where):
                dropped = self.log.cut(entry.seq - 1)
                break
        return Recovery(dropped, *self.repository.cut(self.log.ends()))

    def tidy(self) -> None:
        """Drop from the repository what the log does not name: half a record of a writer that died, for example."""
        self.repository.cut(self.log.ends())


def _is_unused(path: Path) -> bool:
    log = Log(path / LOG)
    try:
        return log.last_seq() == 0
    finally:
        log.close()


def _clear(path: Path) -> None:
    """Remove the files that make a folder a collection, and nothing else."""
    for file in (path / repository.FOLDER).glob("*.warc.gz"):
        file.unlink()
    for made_from_the_log in (INDEX, SPOOL):
        if not (path / made_from_the_log).is_symlink():
            shutil.rmtree(path / made_from_the_log, ignore_errors=True)
    sqlite.remove(path / GRAPH)
    (path / CHECKPOINT).unlink(missing_ok=True)
    (path / LORE).unlink(missing_ok=True)
    (path / _JUDGEMENTS).unlink(missing_ok=True)
    (path / _READER).unlink(missing_ok=True)
    sqlite.remove(path / LOG)
