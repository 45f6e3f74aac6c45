"""Checks a whole collection (log, archived pages, index, graph and the other files) and repairs it where possible.

Only the events of the log and the archived responses are originals. Everything else is derived from them, and can be
rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from lycosa.core.damage import Damage
from lycosa.engine.index_check import PARSED_AGAIN, compare_with_store, remove_damaged_spools, spool_damage
from lycosa.engine.indexing import bring_up_to_date
from lycosa.index.index import Index
from lycosa.index.index_errors import ANEW, OtherVersion
from lycosa.index.verify import index_damage
from lycosa.store import log_check, sqlite
from lycosa.store.collection import CHECKPOINT, LOG, Collection
from lycosa.store.folders import INDEX
from lycosa.store.link_graph import FILE as GRAPH
from lycosa.store.link_graph import Graph
from lycosa.store.log_file import LOCK
from lycosa.store.store_errors import not_a_collection
from lycosa.system import locks
from lycosa.system.locks import Lock
from lycosa.system.progress import StageProgress


class CheckReport(Struct):
    """What a check of a collection has found."""

    events: int = 0
    pages: int = 0
    running: bool = False
    """Whether a crawl was running: then only what it had committed was checked."""
    damages: list[Damage] = []
    repaired: list[Damage] = []
    """The damages that were repaired."""
    other_index: bool = False
    """Whether another version made the index: then it was not checked, and is rebuilt when it is needed."""
    open_to_others: list[str] = []
    """Files that every user of this machine may change."""

    @property
    def sound(self) -> bool:
        """Whether there is no damage, or all of it was repaired."""
        return len(self.damages) == len(self.repaired)


def check(folder: Path, progress: StageProgress = lambda what, done, total: None) -> CheckReport:
    """Check every file of a collection, without changing anything."""
    _must_be_collection(folder)
    found = CheckReport(running=locks.is_held(folder / LOCK))
    found.damages += log_check.check_log(folder, progress)
    found.damages += log_check.check_rest(folder)
    if not found.damages:
        with Collection.open(folder) as collection:
            found.events, found.pages = collection.log.last_seq(), collection.log.page_count()
    if not any(damage.place.startswith(LOG) for damage in found.damages):
        # Pages and index can be checked only if the log can be read.
        found.damages += log_check.refused_or(log_check.check_pages(folder, progress), "pages")
        found.damages += log_check.refused_or(_index(found, folder, progress), INDEX)
    found.damages += spool_damage(folder)
    found.open_to_others += log_check.open_to_others(folder)
    return found


def repair(folder: Path, progress: StageProgress = lambda what, done, total: None) -> CheckReport:
    """Rebuild what can be derived from undamaged files; other damaged files are left as they are."""
    _must_be_collection(folder)
    held = Lock(folder / LOCK)
    try:
        found = check(folder, progress)
        found.running = False
        if log := _of(found, LOG, log_check.FROM_EVENTS):
            log_check.rebuild_log(folder, progress)
            found.repaired += log
            # Pages and index could not be checked without the log.
            found.damages += log_check.refused_or(log_check.check_pages(folder, progress), "pages")
            found.damages += log_check.refused_or(_index(found, folder, progress), INDEX)
        if spool := [damage for damage in found.damages if damage.repair == PARSED_AGAIN]:
            remove_damaged_spools(folder)
            found.repaired += spool
        readable = not any(damage.place.startswith(LOG) and damage not in found.repaired for damage in found.damages)
        if state := _of(found, CHECKPOINT, log_check.FROM_LOG):
            (folder / CHECKPOINT).unlink(missing_ok=True)
            found.repaired += state
        if said := [damage for damage in found.damages if damage.repair == log_check.LEFT_OUT]:
            with Collection.open(folder) as collection:
                collection.inbox.blank(collection.inbox.damaged())
            found.repaired += said
        if readable and (graph := _of(found, GRAPH, log_check.FROM_LOG)):
            sqlite.remove(folder / GRAPH)
            Graph.up_to_date(folder).close()
            found.repaired += graph
    finally:
        held.release()
    if readable and (index := [damage for damage in found.damages if damage.repair == ANEW]):
        Index.discard(folder / INDEX)
        bring_up_to_date(folder, lambda done, total: progress("indexing", done, total))
        found.repaired += index
    return found


def _must_be_collection(folder: Path) -> None:
    if not (folder / LOG).is_file() and not (folder / log_check.READY).is_file():
        raise not_a_collection(folder)


def _index(found: CheckReport, folder: Path, progress: StageProgress) -> Iterator[Damage]:
    broken = False
    try:
        for damage in index_damage(folder / INDEX):
            broken = True
            yield damage
    except OtherVersion:
        found.other_index = True
        return
    if not broken and (folder / INDEX).is_dir() and any((folder / INDEX).iterdir()):
        yield from compare_with_store(folder, lambda done, total: progress("index", done, total))


def _of(found: CheckReport, place: str, repair: str) -> list[Damage]:
    return [damage for damage in found.damages if damage.place.startswith(place) and damage.repair == repair]
