"""Folders that are complete or do not exist, even if several processes make the same one or are killed meanwhile.

A folder is written beside its place, sealed with the sizes and digests of its files, and only then given its name. The
second process to finish discards its own. A folder whose seal is broken is made again.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import TypeVar

import msgspec
from xxhash import xxh3_128

from lycosa.system.atomic_file import sync
from lycosa.system.errors import Code, Refused

T = TypeVar("T")

SEAL = "seal.json"
LARGE = 16 << 20
"""Bytes; larger files are sealed by their size alone, because digesting them would take longer than using them."""
UNUSED = 30 * 86400.0
"""Seconds after which a folder in a cache that nobody opened is removed."""
_TRIES = 5


class Occupied(Exception):
    """Something already exists where a folder was to be."""


_BROKEN = (OSError, ValueError, KeyError, msgspec.DecodeError)


def kept(folder: Path, write: Callable[[Path], object], opened: Callable[[Path], T]) -> T:
    """The result of `opened` for a folder in a cache; `write` fills it first if it is missing or incomplete.

    If the cache cannot be written, the folder is a temporary one that lives as long as the result.
    """
    if (found := _opened(folder, opened)) is not None:
        return found
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _sweep(folder.parent)
        draft = _draft(folder)
        try:
            draft.mkdir()
            write(draft)
            seal(draft)
            return _published(draft, folder, opened)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError:
        # A cache that cannot be written only costs time at the next call.
        return _passing(write, opened)


def seal(folder: Path) -> None:
    """Record the sizes and digests of the files in a folder, and sync all of it to the disk."""
    sums = {file.name: _sum(file) for file in sorted(folder.iterdir()) if file.is_file()}
    (folder / SEAL).write_bytes(msgspec.json.encode(sums))
    for path in (*(folder / name for name in sums), folder / SEAL, folder):
        sync(path)


def place_whole(draft: Path, folder: Path, may_replace: Callable[[Path], bool]) -> None:
    """Give a draft its name; a folder that exists there is removed only if it may be replaced."""
    if folder.exists():
        if not may_replace(folder):
            raise Occupied(f"{folder} is not empty")
        _aside(folder)
    draft.rename(folder)


def draft_beside(folder: Path) -> Path:
    """The path where a folder is written before it has its name; drafts left by killed processes are removed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent, only=folder.name)
    return _draft(folder)


def _draft(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.{os.getpid()}.partial")


def _sum(file: Path) -> tuple[int, str]:
    size = file.stat().st_size
    return size, xxh3_128(file.read_bytes()).hexdigest() if size <= LARGE else ""


def _opened(folder: Path, opened: Callable[[Path], T]) -> T | None:
    try:
        sums = msgspec.json.decode((folder / SEAL).read_bytes(), type=dict[str, tuple[int, str]])
        if any(_sum(folder / name) != known for name, known in sums.items()):
            return None
        if time.time() - (folder / SEAL).stat().st_mtime > 86400:
            with suppress(OSError):
                os.utime(folder / SEAL)
        return opened(folder)
    except _BROKEN:
        return None


def _published(draft: Path, folder: Path, opened: Callable[[Path], T]) -> T:
    for _ in range(_TRIES):
        with suppress(OSError):
            draft.rename(folder)
        # Ours, or that of a process that was quicker.
        if (found := _opened(folder, opened)) is not None:
            return found
        with suppress(OSError):
            _aside(folder)
    raise OSError(f"{folder} cannot be kept")


def _aside(folder: Path) -> None:
    """Remove a folder from its place in a single step."""
    gone = folder.with_name(f".{folder.name}.{os.getpid()}.{time.monotonic_ns()}.partial")
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def _passing(write: Callable[[Path], object], opened: Callable[[Path], T]) -> T:
    try:
        place = Path(tempfile.mkdtemp(prefix="lycosa-"))
    except OSError as problem:
        raise _no_room(problem) from None
    try:
        write(place)
        found = opened(place)
    except OSError as problem:
        shutil.rmtree(place, ignore_errors=True)
        raise _no_room(problem) from None
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    weakref.finalize(found, shutil.rmtree, place, ignore_errors=True)
    return found


def _no_room(problem: OSError) -> Refused:
    why = problem.strerror or str(problem)
    fix = "make room, or name another folder with XDG_CACHE_HOME"
    return Refused(f"there is no place for parsed pages ({why})", fix, code=Code.UNWRITABLE)


def _sweep(home: Path, only: str = "") -> None:
    """Remove drafts of processes that are gone and, in a cache, folders that were not opened for UNUSED seconds."""
    for path in home.glob(f".{escape(only) or '*'}.*.partial"):
        pid = path.name.removesuffix(".partial").split(".")
        if not any(part.isdecimal() and _alive(int(part)) for part in pid[-2:]):
            shutil.rmtree(path, ignore_errors=True)
    if only:
        return
    for mark in home.glob(f"*/{SEAL}"):
        with suppress(OSError):
            if time.time() - mark.stat().st_mtime > UNUSED:
                _aside(mark.parent)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
