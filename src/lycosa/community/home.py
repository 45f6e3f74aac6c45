"""The folder of a community: its settings, its query log, and its generations, one of which is current.

    community.json         the settings (settings.py)
    bookmarks.json         the bookmarks of its members (pinned.py)
    queries.jsonl          the query log (queries.py)
    generations/0001       a complete collection with its index; nothing in it changes once it is current
    generations/0001.json  when and how it was made, and what changed; stays when the generation is forgotten
    current                a symbolic link to the generation that answers, replaced in a single step
    work                   of a refresh in progress (refresh_state.py)
    freshness.sqlite       which pages changed when (freshness.py)
    lock                   held by the process that makes the next generation

A generation without a record, or with a record but never current, was left by a killed process: the next generation
takes its number. Nothing inside says where the folder is, so it can be moved.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lycosa.community.queries import QueryLog
from lycosa.community.settings import FILE as SETTINGS
from lycosa.community.settings import CommunitySettings, read_settings, write_settings
from lycosa.store.collection import Collection
from lycosa.system import locks, os_errors
from lycosa.system.atomic_file import link_whole, sync_tree, write_whole
from lycosa.system.errors import LARGEST, Code, Refused, check_range

_CURRENT, _GENERATIONS, _LOCK, _GONE = "current", "generations", "lock", ".gone-"
_TRIES = 100


class Record(Struct, frozen=True):
    """When and how a generation was made, and what it changed."""

    at: float
    how: str
    """init, refresh or revisit."""
    pages: int
    report: dict[str, Any] = {}
    undone: bool = False
    """Whether the generation before it was made current again."""
    forgotten: bool = False
    """Whether only this record is left."""
    held: bool = False
    """Whether it was not made current because too many pages would have left; a person may still accept it."""


class Generation(Struct, frozen=True):
    """One generation of a community's collection."""

    number: int
    folder: Path
    record: Record
    current: bool

    @property
    def can_return(self) -> bool:
        """Whether it can be made current again."""
        record = self.record
        return not record.undone and not record.held and not record.forgotten and self.folder.is_dir()


class Home:
    """A community's folder; search it within `holding`, change it within `changing`."""

    def __init__(self, folder: Path, settings: CommunitySettings) -> None:
        self.folder = folder
        self.settings = settings
        self.queries = QueryLog(folder / "queries.jsonl", settings.leave_out, on=settings.log_queries)
        self.freshness_file = folder / "freshness.sqlite"
        self.work = folder / "work"
        self._lock: locks.Lock | None = None

    @classmethod
    def create(cls, folder: str | Path, settings: CommunitySettings) -> Self:
        """Make a community in a new or empty folder."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Temporary files of a process that was killed while it made a community are no reason to refuse.
            found = {entry.name for entry in folder.iterdir() if not entry.name.startswith(f".{SETTINGS}.")}
        except OSError as error:
            problem = f"cannot make the folder {folder} ({error.strerror})"
            raise Refused(problem, "choose another one", code=Code.UNWRITABLE, field="folder") from error
        if SETTINGS in found:
            raise already_begun(folder)
        if found:
            raise Refused(f"{folder} is not empty", "choose another folder", code=Code.NOT_EMPTY, field="folder")
        write_settings(folder, settings)
        return cls(folder, settings)

    @classmethod
    def open(
        cls, folder: str | Path, *, searching: bool = False, proxy: str | None = None, ca: str | None = None
    ) -> Self:
        """The community in a folder; opening it only to search is faster. `proxy` and `ca` replace its own."""
        return cls(Path(folder), read_settings(Path(folder), searching=searching).through(proxy, ca))

    @staticmethod
    def is_one(folder: str | Path) -> bool:
        """Whether a folder is a community's."""
        return (Path(folder) / SETTINGS).is_file()

    def settle(self, settings: CommunitySettings) -> None:
        """Replace the settings."""
        self._must_hold()
        if settings != self.settings:
            write_settings(self.folder, settings)
            self.settings = settings
            self.queries = QueryLog(self.queries.file, settings.leave_out, on=settings.log_queries)

    @property
    def begun(self) -> bool:
        """Whether there is a generation that answers."""
        return self._current() > 0

    def current(self) -> Path:
        """The folder of the generation that answers now; ask again for every search."""
        number = self._current()
        if number == 0:
            raise Refused(f"{self.folder} has no collection yet", "begin it, or resume its beginning", code=Code.EMPTY)
        return self.folder_of(number)

    @contextmanager
    def holding(self) -> Iterator[Path]:
        """The current generation; it is not deleted while this lasts, whichever becomes current meanwhile."""
        for _ in range(_TRIES):
            folder = self.current()
            # None if it was deleted between the two steps; then another one is current.
            if (held := locks.hold_folder(folder, fcntl.LOCK_SH)) is not None:
                break
        else:
            raise Refused(f"{folder} is gone", "undo the last refresh of the community", code=Code.NOT_FOUND)
        try:
            yield folder
        finally:
            os.close(held)

    @contextmanager
    def changing(self) -> Iterator[Self]:
        """Keep other processes from changing the community; raises Refused if one already does."""
        if self._lock:
            raise Refused(f"{self.folder} is being changed already", "wait until that is done", code=Code.IN_USE)
        self._lock = locks.Lock(self.folder / _LOCK)
        try:
            self._sweep()
            yield self
        finally:
            self._lock.release()
            self._lock = None

    def running(self) -> bool:
        """Whether a process is changing the community."""
        return locks.is_held(self.folder / _LOCK)

    def folder_of(self, number: int) -> Path:
        """Where a generation is."""
        return self.folder / _GENERATIONS / f"{number:04}"

    def generations(self) -> list[Generation]:
        """Every generation that was ever current, oldest first, including forgotten ones."""
        current = self._current()
        found = []
        records = (self.folder / _GENERATIONS).glob("*.json")
        for number in sorted(int(file.stem) for file in records if file.stem.isdecimal()):
            try:
                record = msgspec.json.decode(self._record_file(number).read_bytes(), type=Record)
            except (OSError, msgspec.DecodeError, UnicodeDecodeError):
                continue
            if number <= current or record.undone or record.held:
                found.append(Generation(number, self.folder_of(number), record, number == current))
        return found

    def next_folder(self, *, keep: bool = False) -> Path:
        """The folder for the next generation; what a killed process left there is removed, unless `keep` is set."""
        self._must_hold()
        # The current one counts even if its record was lost.
        number = max([self._current(), *(generation.number for generation in self.generations())]) + 1
        # A record of a generation that never was current: its process was killed right before the swap.
        self._record_file(number).unlink(missing_ok=True)
        if not keep:
            self._remove(number)
        self.folder_of(number).parent.mkdir(exist_ok=True)
        return self.folder_of(number)

    def swap(
        self,
        generation: Path,
        how: str,
        report: Mapping[str, Any] | None = None,
        *,
        pages: int | None = None,
        hold: bool = False,
    ) -> Generation:
        """Make a finished generation the current one, in a single step; with `hold`, only keep it until it is accepted.

        `report` says what changed, as plain data; `pages` are counted in the log if not given.
        """
        self._must_hold()
        number = int(generation.name)
        if pages is None:
            with Collection.open(generation) as collection:
                pages = int(collection.log.counts()["pages"])
        record = Record(time.time(), how, pages, dict(report or {}), held=hold)
        try:
            sync_tree(generation)
        except OSError as error:
            raise os_errors.of_system(generation, error) from error
        self._write(number, record)
        if not hold:
            self._point_to(number)
        return Generation(number, self.folder_of(number), record, not hold)

    def undo(self) -> Generation:
        """Make the generation before the current one current again."""
        self._must_hold()
        current = self._current()
        known = {generation.number: generation for generation in self.generations()}
        before = [each for each in known.values() if each.number < current and each.can_return]
        if not before:
            raise Refused(f"{self.folder} has no earlier generation", "there is nothing to undo", code=Code.EMPTY)
        if current in known:
            self._write(current, replace(known[current].record, undone=True))
        self._write(before[-1].number, replace(before[-1].record, undone=False))
        self._point_to(before[-1].number)
        return replace(before[-1], current=True)

    def accept(self) -> Generation:
        """Make the latest generation current that was held back or undone."""
        self._must_hold()
        current = self._current()
        later = [each for each in self.generations() if each.number > current and each.folder.is_dir()]
        if not later:
            problem = f"{self.folder} has no generation that was held back or undone since the current one"
            raise Refused(problem, "there is nothing to accept", code=Code.EMPTY)
        accepted = replace(later[-1].record, held=False, undone=False)
        self._write(later[-1].number, accepted)
        self._point_to(later[-1].number)
        return replace(later[-1], record=accepted, current=True)

    def forget(self, keep: int) -> tuple[list[Generation], list[Generation]]:
        """Delete all but the latest generations, never the current one; returns those deleted and those in use."""
        self._must_hold()
        check_range("keep", keep, 1, LARGEST)
        there = [each for each in self.generations() if each.folder.exists()]
        # Generations that were undone or held back count as older than the others.
        there.sort(key=lambda each: (each.current, each.can_return, each.number))
        deleted, open_ = [], []
        for each in there[:-keep]:
            if (held := locks.hold_folder(each.folder, fcntl.LOCK_EX)) is None:
                open_.append(each)
                continue
            try:
                self._write(each.number, replace(each.record, forgotten=True))
                self._remove(each.number)
            finally:
                os.close(held)
            deleted.append(each)
        return deleted, open_

    def _current(self) -> int:
        """The number of the current generation; 0 if there is none."""
        try:
            return int((self.folder / _CURRENT).readlink().name)
        except (OSError, ValueError):
            return 0

    def _point_to(self, number: int) -> None:
        # Relative, so that the folder can be moved.
        link_whole(self.folder / _CURRENT, f"{_GENERATIONS}/{self.folder_of(number).name}")

    def _record_file(self, number: int) -> Path:
        return self.folder_of(number).with_suffix(".json")

    def _write(self, number: int, record: Record) -> None:
        write_whole(self._record_file(number), msgspec.json.encode(record))

    def _remove(self, number: int) -> None:
        """Rename a generation out of the way in a single step, then delete it."""
        folder = self.folder_of(number)
        gone = folder.with_name(f"{_GONE}{folder.name}-{time.time_ns()}")
        try:
            folder.rename(gone)
        except FileNotFoundError:
            return
        except OSError as error:
            raise os_errors.of_system(folder, error) from error
        shutil.rmtree(gone, ignore_errors=True)

    def _sweep(self) -> None:
        """Delete what killed processes left half-deleted or half-written."""
        for gone in (self.folder / _GENERATIONS).glob(f"{_GONE}*"):
            shutil.rmtree(gone, ignore_errors=True)
        for place in (self.folder, self.folder / _GENERATIONS):
            for made in place.glob(".*.new"):
                made.unlink(missing_ok=True)

    def _must_hold(self) -> None:
        assert self._lock, "a community is changed within `changing`"


def already_begun(folder: Path) -> Refused:
    """The error for a community that is to be made where one is."""
    return Refused(f"{folder} is already a community", "refresh it instead", code=Code.NOT_EMPTY, field="folder")
