"""Reads the write-ahead log of an SQLite file directly: which pages it holds, and whether it is intact.

SQLite takes a frame with a wrong checksum for the end of the log, and silently loses everything committed after it.
This module looks beyond it. The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

_HEAD, _FRAME = 32, 24
_MAGIC = 0x377F0682
"""The lowest bit gives the byte order of the checksums."""
_BATCH = 512
"""Frames that are in memory at once."""

_Words = npt.NDArray[np.uint32]


class Frames(NamedTuple):
    """What a write-ahead log holds."""

    pages: dict[int, int]
    """For each page number, the byte at which its last committed content begins."""
    broken: int | None
    """The byte of a damaged frame that is committed or has committed frames after it; None in an intact file."""


def wal_beside(path: Path) -> Path:
    """The path of a file's write-ahead log."""
    return path.with_name(path.name + "-wal")


def written(path: Path, page: int) -> list[int]:
    """The page number of each frame, for the one writer itself, which has committed everything in the log."""
    file = wal_beside(path)
    count = (file.stat().st_size - _HEAD) // (_FRAME + page)
    if count < 1:
        return []
    with file.open("rb") as begins:
        salts = np.frombuffer(begins.read(_HEAD), ">u4")[4:6]
    heads = np.memmap(file, np.uint8, "r", _HEAD, (count, _FRAME + page))[:, :16]
    numbers = np.ascontiguousarray(heads).view(">u4")
    ours = (numbers[:, 2:4] == salts).all(axis=1)
    # Frames after the last one of this log are from an earlier one, and nothing counts before it is committed.
    end = count if ours.all() else int(np.argmin(ours))
    commits = np.flatnonzero(numbers[:end, 1])
    found: list[int] = numbers[: commits[-1] + 1 if commits.size else 0, 0].tolist()
    return found


def place(frame: int, page: int) -> int:
    """The byte at which the page in a frame begins; the first frame is number 0."""
    return _HEAD + frame * (_FRAME + page) + _FRAME


def frames(path: Path, page: int) -> Frames:
    """The committed frames beside an SQLite file whose pages have this many bytes."""
    try:
        file = wal_beside(path).open("rb")
    except FileNotFoundError:
        return Frames({}, None)
    with file:
        begins = file.read(_HEAD)
        if len(begins) < _HEAD:
            return Frames({}, None)
        head = np.frombuffer(begins, ">u4").astype(np.uint32)
        order = "<u4" if int(head[0]) == _MAGIC else ">u4"
        sums = _summed(begins[:24], order, 24)[0]
        first = file.read(_FRAME + page)
        if int(head[0]) | 1 != _MAGIC | 1 or int(head[2]) != page or not np.array_equal(sums, head[6:8]):
            # A log that was never begun is short; after a wrong header SQLite reads nothing.
            return Frames({}, 0 if len(first) == _FRAME + page else None)
        file.seek(_HEAD)
        return _walk(file, page, order, head)


def _walk(file: BinaryIO, page: int, order: str, head: _Words) -> Frames:
    pages: dict[int, int] = {}
    pending: dict[int, int] = {}
    before, offset, bad = head[6:8], _HEAD, None
    size = _FRAME + page
    for block in _blocks(file, size):
        heads = np.ascontiguousarray(block[:, :_FRAME]).view(">u4").astype(np.uint32)
        same = heads[:, 2:4] == head[4:6]
        summed = np.concatenate([block[:, :8], block[:, _FRAME:]], axis=1)
        known = np.concatenate([before[None, :], heads[:-1, 4:6]])
        right = same.all(axis=1) & (_summed(summed.tobytes(), order, 8 + page, known) == heads[:, 4:6]).all(axis=1)
        for n, (number, commit) in enumerate(heads[:, :2].tolist()):
            if bad is None and right[n]:
                pending[number] = offset + _FRAME
                if commit:
                    pages |= pending
                    pending = {}
            elif bad is None:
                bad = offset
            # One of the two salts may be damaged; in a frame of an earlier log neither matches.
            if bad is not None and commit and same[n].any():
                return Frames(pages, bad)
            offset += size
        before = heads[-1, 4:6]
    return Frames(pages, None)


def _blocks(file: BinaryIO, size: int) -> Iterator[npt.NDArray[np.uint8]]:
    while content := file.read(size * _BATCH):
        count = len(content) // size
        if count:
            yield np.frombuffer(content, np.uint8, count * size).reshape(count, size)
        if count < _BATCH:
            return


def _summed(content: bytes, order: str, length: int, before: _Words | None = None) -> _Words:
    """SQLite's checksums of pieces of this length, each starting from the checksum of the piece before it."""
    words = np.frombuffer(content, order).astype(np.uint32).reshape(-1, length // 4)
    weights, carried = _weights(length // 8)
    found: _Words = words @ weights
    return found if before is None else found + before @ carried


@lru_cache(maxsize=4)
def _weights(pairs: int) -> tuple[_Words, _Words]:
    """The factors of each word of a piece in its two sums, and the factors of the two previous sums.

    One step is s0 += x + s1, s1 += y + s0: this is linear, so that all steps together are one matrix product.
    """
    step = np.array([[1, 1], [1, 2]], np.uint32)
    enters = np.array([[1, 0], [1, 1]], np.uint32)
    power = np.eye(2, dtype=np.uint32)
    columns = []
    for _ in range(pairs):
        columns.append((power @ enters).T)
        power = step @ power
    return np.concatenate(columns[::-1]), power.T.copy()
