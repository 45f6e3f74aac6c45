"""The spool: pages that scouts have parsed, kept until the index has taken them, so that no page is parsed twice.

Each scout appends to files of its own in the collection, one frame per page: length, checksum, key of the archived
record, msgpack. The files live for seconds. Nothing depends on them: pages that are missing or damaged in a spool are
parsed again from the archive. A writer pauses when its files are not taken, and resumes when they are.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest

from lycosa.core.nouns import Page, Span, Where
from lycosa.store.folders import SPOOL as FOLDER

LATER = "it catches up at the next search"
"""The reassurance in messages about an index that could not be brought up to date."""
SEGMENT = 4 << 20
"""Bytes after which a writer begins another file, so that earlier files can be removed once they are taken."""
BEHIND = 16
"""Files of one writer that may wait to be taken, at most."""
_PATIENCE = 1.0
"""Seconds until a writer with too many files waiting looks again."""
_SUFFIX = ".spool"
_HEAD = struct.Struct("<IQQ")
_LONGEST = 64 << 20


class Spooled(Struct, frozen=True, array_like=True, gc=False):
    """What the index needs of a page beyond its visit."""

    url: str
    text: str
    headings: str
    links: tuple[tuple[str, Span], ...]


class Keeps(Protocol):
    """A place where scouts put parsed pages for the index."""

    def keep(self, where: Where, page: Page) -> None: ...


class Gives(Protocol):
    """A place where the index takes parsed pages from."""

    def take(self, where: Where, url: str) -> Spooled | None: ...

    def sweep(self, *, all: bool = False) -> None: ...


def spooled(page: Page) -> Spooled:
    """A page in the form that the index is given."""
    return Spooled(page.url, page.text, page.headings, tuple([(link.url, link.span) for link in page.links]))


class Held:
    """A spool in memory, for a scout and an index in the same process."""

    def __init__(self) -> None:
        self._pages: dict[Where, Spooled] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def keep(self, where: Where, page: Page) -> None:
        """Keep a page that was archived."""
        self._pages[where] = spooled(page)

    def take(self, where: Where, url: str) -> Spooled | None:
        """Remove and return the page of a record, if it is here."""
        return self._pages.pop(where, None)

    def sweep(self, *, all: bool = False) -> None:
        """Pages that were taken are gone already; `all` discards the rest."""
        if all:
            self._pages.clear()


class SpoolWriter:
    """The spool of one scout, in files `<name>-00000.spool` and so on."""

    def __init__(self, folder: Path, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`folder` is the folder of the collection."""
        self._folder = folder / FOLDER
        self._name = name
        self._clock = clock
        self._encode = msgspec.msgpack.Encoder().encode
        self._number = 0
        self._written: list[Path] = []
        self._fd = -1
        self._end = 0
        self._resting_until = 0.0

    def keep(self, where: Where, page: Page) -> None:
        """Append a page that was archived; a page that cannot be written is later parsed again from the archive."""
        try:
            if self._fd >= 0 or self._begin():
                self._append(where, page)
        except UnicodeEncodeError:
            return
        except OSError:
            # The disk may be full, for example; writing the archive will report that.
            self.close()
            self._resting_until = self._clock() + 60 * _PATIENCE

    def _append(self, where: Where, page: Page) -> None:
        body = self._encode(spooled(page))
        head = _HEAD.pack(len(body), xxh3_64_intdigest(body), _key(where))
        if os.writev(self._fd, (head, body)) < len(head) + len(body):
            raise OSError("half a frame")
        self._end += len(head) + len(body)
        if self._end >= SEGMENT:
            self.close()

    def _begin(self) -> bool:
        if self._clock() < self._resting_until:
            return False
        self._written = [path for path in self._written if path.exists()]
        if len(self._written) >= BEHIND:
            self._resting_until = self._clock() + _PATIENCE
            return False
        path = self._folder / f"{self._name}-{self._number:05d}{_SUFFIX}"
        self._folder.mkdir(exist_ok=True)
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666)
        self._written.append(path)
        self._number += 1
        self._end = 0
        return True

    def close(self) -> None:
        """Close the current file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class _Frame(NamedTuple):
    segment: _Segment
    start: int
    length: int
    total: int

    def read(self) -> bytes | None:
        """The content; None if it is not what was written."""
        body = os.pread(self.segment.fd, self.length, self.start)
        return body if xxh3_64_intdigest(body) == self.total else None


class _Segment:
    """One file of a spool, opened for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writer, _, number = path.name.removesuffix(_SUFFIX).rpartition("-")
        self.number = int(number) if number.isdecimal() else 0
        self.fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        self.scanned = 0
        self.keys: list[int] = []

    def scan(self) -> dict[int, _Frame]:
        """The complete frames that were added since the last call, by key."""
        found = {}
        size = os.fstat(self.fd).st_size
        while self.scanned + _HEAD.size <= size:
            head = os.pread(self.fd, _HEAD.size, self.scanned)
            length, total, key = _HEAD.unpack(head)
            start = self.scanned + _HEAD.size
            if length > _LONGEST or start + length > size:
                break
            found[key] = _Frame(self, start, length, total)
            self.keys.append(key)
            self.scanned = start + length
        return found


class SpoolReader:
    """All spools of a collection, for the index to take pages from."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the folder of the collection."""
        self._folder = folder / FOLDER
        self._decode = msgspec.msgpack.Decoder(Spooled).decode
        self._segments: dict[str, _Segment] = {}
        self._frames: dict[int, _Frame] = {}
        self._reached: dict[str, int] = {}
        """The latest file of each writer from which something was taken."""

    def take(self, where: Where, url: str) -> Spooled | None:
        """Remove and return the page of a record, if it is here and undamaged."""
        key = _key(where)
        if key not in self._frames:
            self._look()
        frame = self._frames.pop(key, None)
        if frame is None:
            return None
        segment = frame.segment
        self._reached[segment.writer] = max(segment.number, self._reached.get(segment.writer, 0))
        try:
            body = frame.read()
            if body is None:
                return None
            found = self._decode(body)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return found if found.url == url else None

    def _look(self) -> None:
        """Find the files and frames that were added since the last call."""
        for path in self._folder.glob("*" + _SUFFIX) if self._folder.is_dir() else ():
            with suppress(OSError):
                if path.name not in self._segments:
                    self._segments[path.name] = _Segment(path)
                self._frames |= self._segments[path.name].scan()

    def sweep(self, *, all: bool = False) -> None:
        """Remove the files from which everything was taken, once that is safely committed; `all` removes every file.

        A scout's pages enter the log in the order in which it spooled them. So every page before one that was taken was
        taken too, or will never be asked for.
        """
        if all:
            self._look()
        for name, segment in list(self._segments.items()):
            if all or segment.number < self._reached.get(segment.writer, 0):
                del self._segments[name]
                for key in segment.keys:
                    self._frames.pop(key, None)
                os.close(segment.fd)
                with suppress(OSError):
                    segment.path.unlink()
        if all:
            with suppress(OSError):
                self._folder.rmdir()

    def close(self) -> None:
        """Close every file."""
        for segment in self._segments.values():
            os.close(segment.fd)
        self._segments, self._frames = {}, {}


def damaged_frames(folder: Path) -> Iterator[tuple[Path, int]]:
    """The frames of a collection's spools that are not what was written: the file of each, and the offset in it."""
    for path in sorted((folder / FOLDER).glob("*" + _SUFFIX)):
        try:
            segment = _Segment(path)
        except FileNotFoundError:
            continue  # the index has taken everything from it in the meantime
        try:
            yield from ((path, frame.start) for frame in segment.scan().values() if frame.read() is None)
        finally:
            os.close(segment.fd)


def _key(where: Where) -> int:
    return xxh3_64_intdigest(f"{where.file} {where.offset} {where.length}".encode())
