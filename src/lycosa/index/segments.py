"""The current segments: a list of them, replaced atomically, and the files it names.

references/list.json   which segments are current, and which of their pages are dead
references/NNN.seg     a segment
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from lycosa.core.keys import key64
from lycosa.index.checked_files import pack, read_summed, unpack, write_summed
from lycosa.index.index_errors import DamagedFile, damaged
from lycosa.index.numbers import Arrays
from lycosa.index.segment import Segment, merged
from lycosa.index.segment_view import SegmentView
from lycosa.system.os_errors import of_system

FOLDER, LIST = "references", "list.json"
_STEP = 3
_FAN = 1 << _STEP
"""This many segments of similar size are merged into one."""
LARGEST = 1 << 16
"""Most pages of a merged segment: merging takes 11 KB of memory per page, and places are numbered in 32 bits."""
_TRIES = 8


class _Entry(Struct):
    name: str
    dead: list[int] = []


class _List(Struct):
    generation: int = 0
    entries: list[_Entry] = []


class Segments:
    """The segments of an index folder."""

    def __init__(self, folder: Path, *, write: bool) -> None:
        self.folder = folder
        self._home = folder / FOLDER
        self._list = _List()
        self.parts: tuple[SegmentView, ...] = ()
        self._documents: tuple[tuple[SegmentView, ...], int] = ((), 0)
        if write:
            try:
                self._home.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise of_system(self._home, error) from error
        self.reload()
        if write:
            self._sweep()

    def close(self) -> None:
        """Release the files."""
        self.parts, self._documents = (), ((), 0)

    def reload(self) -> bool:
        """Read the list of current segments; return whether it has changed."""
        for _ in range(_TRIES):
            listed = self._read()
            if listed == self._list:
                return False
            known = {part.name: part for part in self.parts}
            try:
                self.parts = tuple(self._part(entry, known.get(entry.name)) for entry in listed.entries)
            except FileNotFoundError:
                # The segment was merged since the list was read.
                continue
            self._list = listed
            return True
        raise damaged(self._home, "a segment is missing")

    def documents(self) -> int:
        """How many documents are linked to."""
        if self._documents[0] is not self.parts:
            parts = self.parts
            keys = [part.segment.url_keys[np.unique(part.links()[1])] for part in parts]
            self._documents = parts, len(np.unique(np.concatenate(keys))) if keys else 0
        return self._documents[1]

    # -- writing ------------------------------------------------------------------------------------------------------

    def replace(self, urls: Iterable[str], arrays: Arrays | None) -> None:
        """Mark these pages as dead and add a new segment, atomically."""
        keys = np.array([key64(url) for url in urls], np.uint64)
        parts = [part.without(keys) for part in self.parts]
        if arrays is not None:
            parts.append(SegmentView(Segment(arrays)))
        self._commit(_tidied([part for part in parts if len(part)]))

    def compact(self) -> None:
        """Merge all segments into one."""
        if len(self.parts) > 1 or any(part.dead for part in self.parts):
            self._commit([_one_of([part for part in self.parts if len(part)])])

    def clear(self) -> None:
        """Remove all segments."""
        self._commit([])

    def _commit(self, parts: Sequence[SegmentView]) -> None:
        listed = _List(self._list.generation + 1)
        kept = []
        for number, part in enumerate(parts):
            if not part.name:
                name = f"{listed.generation}-{number}.seg"
                pack(self._home / name, part.segment.arrays)
                # From the memory-mapped file, so that it takes no memory of this process.
                part = SegmentView(Segment(self._unpacked(name)), part.dead, name)
            kept.append(part)
            listed.entries.append(_Entry(part.name, sorted(part.dead)))
        write_summed(self._home / LIST, listed)
        self._list, self.parts = listed, tuple(kept)
        self._sweep()

    # -- files --------------------------------------------------------------------------------------------------------

    def _read(self) -> _List:
        try:
            return read_summed(self._home / LIST, _List)
        except FileNotFoundError:
            return _List()
        except (OSError, DamagedFile) as error:
            raise damaged(self._home / LIST, error) from None

    def _part(self, entry: _Entry, known: SegmentView | None) -> SegmentView:
        if known and known.dead == frozenset(entry.dead):
            return known
        segment = known.segment if known else Segment(self._unpacked(entry.name))
        return SegmentView(segment, entry.dead, entry.name)

    def _unpacked(self, name: str) -> Arrays:
        try:
            return unpack(self._home / name)
        except DamagedFile as error:
            raise damaged(self._home / name, error) from None

    def _sweep(self) -> None:
        """Remove files that are not listed: merged segments, and what a killed writer has left."""
        listed = {LIST, *(entry.name for entry in self._list.entries)}
        for path in self._home.iterdir():
            if path.name not in listed:
                path.unlink(missing_ok=True)


def _tidied(parts: Sequence[SegmentView]) -> list[SegmentView]:
    """The same pages in fewer segments, if many are of similar size or one is mostly dead."""
    tiers: dict[int, list[SegmentView]] = {}
    for part in parts:
        whole = part if len(part) >= len(part.dead) else _one_of([part])
        tiers.setdefault(_tier(whole), []).append(whole)
    for tier in range(max(tiers, default=-1) + 1):
        if len(alike := tiers.get(tier, ())) >= _FAN and sum(map(len, alike)) <= LARGEST:
            one = _one_of(tiers.pop(tier))
            tiers.setdefault(_tier(one), []).append(one)
    return [part for tier in tiers.values() for part in tier]


def _tier(part: SegmentView) -> int:
    """The size class of a part; _FAN parts of one class make a part of the next class at least."""
    return (len(part).bit_length() - 1) // _STEP


def _one_of(parts: Sequence[SegmentView]) -> SegmentView:
    return SegmentView(Segment(merged([part.segment for part in parts], [part.alive for part in parts])))
