"""Tantivy's files of a content index: whether they contain what it wrote, and a path by which it can open the folder.

Tantivy writes a CRC-32 at the end of each file of a segment but verifies it only on request, which Python cannot make.
So it is verified here, before tantivy maps the file. Its list of segments, meta.json, has no checksum; what it says
about a segment is compared with the segment's own files.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from isal.isal_zlib import crc32
from msgspec import Struct
from tantivy import Index

from lycosa.index.checked_files import blocks
from lycosa.index.index_errors import DamagedFile, damaged
from lycosa.index.schema import open_index
from lycosa.system.errors import Code, Refused

META = "meta.json"
_LOCK = ".tantivy-meta.lock"
"""Locked while files are opened, so that they are not removed meanwhile."""
_MANAGED = ".managed.json"
"""The list of files that tantivy may remove; only a writer needs it."""
_SUFFIXES = (".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term")
_END = 8
"""Bytes at the very end of a file: the length of the JSON before them, and the magic number."""
_ENDING = (1337).to_bytes(4, "little")
_COLUMNS = b"\2qwB"
"""The end of a segment's columns file, in the format whose number of rows can be read here."""

_system = re.compile(r"os error (?!2\))|code: (?!2,)")
"""Tantivy's messages for system errors, which are not damage; a missing file may be damage."""


class _Deletes(Struct, frozen=True):
    num_deleted_docs: int
    opstamp: int


class _Segment(Struct, frozen=True):
    segment_id: str
    max_doc: int
    deletes: _Deletes | None

    def files(self) -> list[str]:
        name = self.segment_id.replace("-", "")
        deleted = [f"{name}.{self.deletes.opstamp}.del"] if self.deletes else []
        return [name + suffix for suffix in _SUFFIXES] + deleted


class _Meta(Struct):
    segments: list[_Segment]


class _Footer(Struct):
    crc: int


class TantivyFiles:
    """The files of the index in a folder; a file that was found intact is not read again until it changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sound: set[tuple[object, ...]] = set()

    def open(self, *, write: bool) -> Index:
        """Open the tantivy index; raises Unreadable if its files are damaged."""
        try:
            with reachable(self._folder, write=write) as path:
                self.check()
                return open_index(path)
        except OSError as error:
            raise damaged(self._folder, error) from None
        except ValueError as error:  # tantivy's
            said = str(error).partition("\n")[0][:200]
            if _system.search(said):
                fix = "check its disk and the system's limits"
                raise Refused(f"cannot open {self._folder} ({said})", fix, code=Code.UNREADABLE) from None
            raise damaged(self._folder, said) from None

    def check(self) -> None:
        """Raise Unreadable if a file does not contain what was written, or is missing."""
        for name, problem in self.problems():
            raise damaged(self._folder / name, problem)

    def problems(self) -> Iterator[tuple[str, str]]:
        """The damaged files, and what is wrong with each."""
        try:
            meta = msgspec.json.decode((self._folder / META).read_bytes(), type=_Meta)
        except FileNotFoundError:
            return
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            yield META, f"it cannot be read: {error}"
            return
        found: set[tuple[object, ...]] = set()
        for segment in meta.segments:
            for name in segment.files():
                try:
                    state = (self._folder / name).stat()
                    sound = (name, segment, state.st_ino, state.st_size, state.st_mtime_ns)
                    if sound not in self._sound:
                        _check(self._folder / name, segment)
                    found.add(sound)
                except FileNotFoundError:
                    yield name, "it is missing"
                except DamagedFile as error:
                    yield name, str(error)
        self._sound = found


def _check(path: Path, segment: _Segment) -> None:
    with path.open("rb", buffering=0) as file:
        fd = file.fileno()
        end = _sound_until(fd)
        documents = segment.max_doc
        if path.suffix == ".fast" and os.pread(fd, len(_COLUMNS), end - len(_COLUMNS)) == _COLUMNS:
            documents = int.from_bytes(os.pread(fd, 4, end - 12), "little")
        elif path.suffix == ".del" and segment.deletes:
            alive = int.from_bytes(os.pread(fd, end - 4, 4), "little").bit_count()
            documents = alive + segment.deletes.num_deleted_docs
    if documents != segment.max_doc:
        raise DamagedFile(f"it has {documents} documents, and {META} says {segment.max_doc}")


def _sound_until(fd: int) -> int:
    """Where the footer of a file begins, after verifying everything before it."""
    size = os.fstat(fd).st_size
    last = os.pread(fd, _END, max(0, size - _END))
    end = size - _END - int.from_bytes(last[:4], "little")
    if last[4:] != _ENDING or end < 0:
        raise DamagedFile("it does not end as it should")
    try:
        footer = msgspec.json.decode(os.pread(fd, size - _END - end, end), type=_Footer)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise DamagedFile("its footer cannot be read") from None
    crc = 0
    for block in blocks(fd, 0, end):
        crc = crc32(block, crc)
    if crc != footer.crc:
        raise DamagedFile("its sum is wrong")
    return end


def share(folder: Path) -> None:
    """Make the list of segments readable for all who may read the folder; tantivy makes it for its owner alone."""
    with suppress(FileNotFoundError):
        (folder / META).chmod(folder.stat().st_mode & 0o666)


@contextmanager
def reachable(folder: Path, *, write: bool) -> Iterator[str]:
    """A path by which tantivy can open a folder; what it has opened stays open afterwards.

    Tantivy makes a lock file even for reading, and needs the path in UTF-8. If one of these is not possible, it gets a
    temporary folder with links: to each file, or to the folder.
    """
    place = folder.absolute()
    lockable = write or os.access(lock if (lock := place / _LOCK).exists() else place, os.W_OK)
    if lockable and _is_utf8(place):
        yield str(folder)
        return
    try:
        temporary = tempfile.TemporaryDirectory(prefix="lycosa-")
    except OSError as error:
        problem = f"there is no folder for temporary files, which reading {folder} needs ({error.strerror})"
        raise Refused(problem, "name one with TMPDIR", code=Code.UNWRITABLE) from error
    with temporary as links:
        if lockable:
            within = Path(links) / "content"
            within.symlink_to(place)
        else:
            within = Path(links)
            for file in place.iterdir():
                if file.suffix != ".lock" and file.name != _MANAGED:
                    (within / file.name).symlink_to(file)
        yield str(within)


def _is_utf8(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True
