"""Checksums of the pages of an SQLite file, in a file beside it, because SQLite itself keeps none.

Invariant: every page of the file that is not in its write-ahead log has the checksum stored here. So the checksums of
the pages in the write-ahead log are stored before SQLite moves the pages into the file, and it does so only when told
to (`database.py`). The file is checked before it is opened: then every row and every index is what was written.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from struct import Struct

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from lycosa.store import sqlite, store_errors, wal
from lycosa.store.wal import wal_beside
from lycosa.system import os_errors
from lycosa.system.atomic_file import write_whole
from lycosa.system.file_stamps import FileIdentity, identity

SUFFIX = "-sums"

_MAGIC = b"LYCSUMS1"
_head = Struct("<8sQQ")
"""Magic number, bytes of a page, checksum over these and the page checksums; the page checksums follow."""
_UNKNOWN = 0
"""The checksum of a page that was never written: SQLite leaves out some pages that it does not use."""
_AT_ONCE = 128
"""Pages read at once."""
_TRIES = 5
_PAUSE = 0.05

_Sums = npt.NDArray[np.uint64]


def sums_beside(path: Path) -> Path:
    """The path of a file's checksums."""
    return path.with_name(path.name + SUFFIX)


def make(path: Path, page: int, into: Path | None = None) -> None:
    """Store the checksums of a file as it is; no process may have it open."""
    sums = np.fromiter((xxh3_64_intdigest(content) for _, content in _pages(path, page)), np.uint64)
    _save(into or sums_beside(path), page, _with_frames(path, page, sums, wal.frames(path, page).pages))


def update(path: Path, *, trusting: bool = False) -> None:
    """Store the checksums of the pages in the write-ahead log, on the disk before this returns.

    With `trusting`, the write-ahead log's own checksums are not verified.
    """
    try:
        page, sums = _load(path)
    except ValueError as error:
        raise store_errors.damaged(path, str(error)) from None
    # Sync first: a power cut must not lose pages whose checksums are already stored.
    sqlite.sync(path)
    if trusting:
        held = {number: wal.place(n, page) for n, number in enumerate(wal.written(path, page))}
    else:
        held = wal.frames(path, page).pages
    _save(sums_beside(path), page, _with_frames(path, page, sums, held))


def verify(path: Path, *, going_on: bool = False) -> str:
    """Raise Damaged if a file is not what was written; this process must not have it open.

    `going_on` is for a writer that continues with what is left: a write-ahead log that breaks off, as it does after a
    power cut, is then no reason to refuse. Returns a remark about it.
    """
    for _ in range(_TRIES):
        before = stamp(path)
        found = list(islice(problems(path), 2))
        if going_on and found and found[0].startswith(wal_beside(path).name):
            if not found[1:]:
                return found[0]
            found = found[1:]
        if not found:
            return ""
        # Another process may be writing at this moment.
        time.sleep(_PAUSE)
        if stamp(path) == before:
            break
    raise store_errors.damaged(path, found[0])


def problems(path: Path, progress: Callable[[int], object] = lambda pages: None) -> Iterator[str]:
    """What is wrong with a file, page by page; `progress` is called with the number of pages checked."""
    try:
        page, sums = _load(path)
    except ValueError as error:
        yield str(error)
        return
    held = wal.frames(path, page)
    if held.broken is not None:
        yield (
            f"{wal_beside(path).name} is damaged at byte {held.broken}: "
            "what was committed from there on is not in the log any more"
        )
    number = 0
    for number, content in _pages(path, page):
        if number not in held.pages and not _agrees(sums, number, content):
            yield f"{path.name} is damaged at byte {(number - 1) * page} (page {number})"
        if number % _AT_ONCE == 0:
            progress(number)
    missing = [each for each in range(number + 1, len(sums) + 1) if each not in held.pages and sums[each - 1]]
    if missing:
        yield f"{path.name} ends at byte {number * page}, before its page {missing[0]}"
    progress(number)


def lasting_problems(path: Path, progress: Callable[[int], object] = lambda pages: None) -> list[str]:
    """What is wrong with a file that another process may be writing: problems that persist while the file changes."""
    found: list[str] = []
    for attempt in range(_TRIES):
        before = stamp(path)
        now = list(problems(path, progress))
        found = [each for each in now if not attempt or each in found]
        if not found or stamp(path) == before:
            break
        time.sleep(_PAUSE)
    return found


def stamp(path: Path) -> tuple[FileIdentity | None, ...]:
    """A value that changes whenever the file, its write-ahead log or its checksums are written."""
    return tuple(map(identity, (path, wal_beside(path), sums_beside(path))))


def _load(path: Path) -> tuple[int, _Sums]:
    """The bytes per page, and the checksums of a file's pages; raises ValueError if they cannot be read."""
    file = sums_beside(path)
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise ValueError(f"{file.name} is not there, so that {path.name} cannot be checked") from None
    except OSError as error:
        raise os_errors.unreadable(file, error) from error
    if len(content) >= _head.size and (len(content) - _head.size) % 8 == 0:
        magic, page, checksum = _head.unpack_from(content)
        data = content[_head.size :]
        if magic == _MAGIC and checksum == xxh3_64_intdigest(data, seed=page):
            return page, np.frombuffer(data, "<u8")
    raise ValueError(f"{file.name} is damaged")


def _agrees(sums: _Sums, number: int, content: bytes) -> bool:
    if number > len(sums):
        return False
    known = int(sums[number - 1])
    return known == _UNKNOWN or known == xxh3_64_intdigest(content)


def _with_frames(path: Path, page: int, sums: _Sums, held: dict[int, int]) -> _Sums:
    if not held:
        return sums
    changed = np.full(max(len(sums), *held), _UNKNOWN, np.uint64)
    changed[: len(sums)] = sums
    with wal_beside(path).open("rb") as file:
        for number, offset in held.items():
            changed[number - 1] = xxh3_64_intdigest(os.pread(file.fileno(), page, offset))
    return changed


def _save(file: Path, page: int, sums: _Sums) -> None:
    data = sums.astype("<u8").tobytes()
    write_whole(file, _head.pack(_MAGIC, page, xxh3_64_intdigest(data, seed=page)), data, one_writer=True)


def _pages(path: Path, page: int) -> Iterator[tuple[int, bytes]]:
    number = 0
    with path.open("rb") as file:
        while content := file.read(page * _AT_ONCE):
            for start in range(0, len(content), page):
                number += 1
                yield number, content[start : start + page]
