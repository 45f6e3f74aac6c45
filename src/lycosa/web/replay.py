"""A recording as a web: any WARC file, a folder of them, or a WACZ package.

One quick scan notes where the answer for each URL is; bodies are read on demand, so a recording of any size needs
memory for its URLs only. Of several answers for one URL the first with status 200 wins, else the first of all.
"""

from __future__ import annotations

import gzip
import io
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from fastwarc.warc import ArchiveIterator, WarcRecordType

from lycosa.core.nouns import Raw
from lycosa.core.urls import canonical
from lycosa.system.errors import Code, Refused
from lycosa.web.warc_record import GZIP, content_length, from_record

_CHUNK = 1 << 20
_PLAIN = b"WARC/1."


class WarcSource:
    """The answers recorded in a WARC file, a folder of WARC files or a WACZ package."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.damage: list[str] = []
        """One line for every position at which a record was lost because the recording cannot be read there."""
        self._places: dict[str, _Place] = {}
        self._volumes: list[_Volume] = []
        try:
            for volume in _volumes(self.path):
                self._volumes.append(volume)
                self._scan(len(self._volumes) - 1)
        except OSError as problem:
            raise Refused(
                f"{self.path} cannot be read", problem.strerror or str(problem), code=Code.UNREADABLE
            ) from None
        if not self._places:
            why = f" ({self.damage[0]})" if self.damage else ""
            fix = "give a .warc, .warc.gz or .wacz with response records"
            raise Refused(f"{self.path} contains no recorded page{why}", fix, code=Code.BAD_FILE)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, url: str) -> bool:
        return url in self._places

    def urls(self) -> Iterator[str]:
        """Every recorded URL, in the order of the recording."""
        return iter(self._places)

    def response(self, url: str) -> Raw | None:
        """The recorded answer for a canonical URL."""
        place = self._places.get(url)
        if place is None:
            return None
        # Opening the file again for each answer costs a twentieth of unpacking it, and leaves no file to close.
        with self._volumes[place.volume].path.open("rb", buffering=0) as file:
            file.seek(place.start)
            data = file.read(place.end - place.start)
        return from_record(data)

    def _scan(self, number: int) -> None:
        volume = self._volumes[number]
        with volume.path.open("rb") as file:
            mark = _mark(file, volume.start)
            if not mark:
                self.damage.append(f"{volume.name} is {'not a WARC file' if volume.end > volume.start else 'empty'}")
            elif not self._index(number, file, mark):
                self._places = {url: place for url, place in self._places.items() if place.volume != number}
                with gzip.GzipFile(fileobj=_Stretch(file, volume.start, volume.end)) as packed:
                    volume.unpack(packed)
                with volume.path.open("rb") as plain:
                    self._index(number, plain, _PLAIN)

    def _index(self, number: int, file: BinaryIO, mark: bytes) -> bool:
        """Note every answer of a volume, also after damage; False if its records cannot be read one by one.

        That is the case if several records share one gzip member.
        """
        volume = self._volumes[number]
        start = volume.start
        while start < volume.end:
            last = None
            trouble = ""
            try:
                for found in _records(file, start, volume.end):
                    if _mark(file, found.start) != mark or (last and found.start <= last.start):
                        return False
                    if last:
                        self._note(number, last, found.start)
                    last = found
            except OSError as problem:
                trouble = str(problem).splitlines()[0][:80]
            # The scan does not show whether the last record is complete: a truncated one looks like any other.
            end = _end(file, last.start, volume.end, mark) if last else None
            if last and end:
                self._note(number, last, end)
            at = end or (last.start if last else start)
            if not trouble and (end is None or end < volume.end):
                trouble = "cut short"
            if trouble:
                self.damage.append(f"{volume.name}, byte {at - volume.start}: {trouble}")
            start = _next(file, at + 1, volume.end, mark)
        return True

    def _note(self, number: int, found: _Found, end: int) -> None:
        known = self._places.get(found.url)
        if found.url and (known is None or (known.status != 200 and found.status == 200)):
            self._places[found.url] = _Place(number, found.start, end, found.status)


class _Place(NamedTuple):
    """Where an answer is: the volume, and the byte range of its record."""

    volume: int
    start: int
    end: int
    status: int


class _Found(NamedTuple):
    """A record that the scan found; its URL is empty if it is not an answer."""

    start: int
    url: str
    status: int


class _Volume:
    """A byte range of a file that holds WARC records: a whole file, or a member of a WACZ."""

    def __init__(self, name: str, path: Path, start: int, end: int) -> None:
        self.name = name
        self.path = path
        self.start = start
        self.end = end

    def unpack(self, packed: io.BufferedIOBase) -> None:
        """Read from an unpacked copy from now on: a temporary file that is deleted when it is no longer used."""
        with tempfile.NamedTemporaryFile(prefix="lycosa-", suffix=".warc", delete=False) as plain:
            self.path = Path(plain.name)
            weakref.finalize(self, self.path.unlink, missing_ok=True)
            # If unpacking stops at damage, the scan finds a truncated record and reports it.
            with suppress(OSError, EOFError, zlib.error, zipfile.BadZipFile):
                while chunk := packed.read1(_CHUNK):
                    plain.write(chunk)
            self.start, self.end = 0, plain.tell()


class _Stretch(io.RawIOBase):
    """A part of a file, read sequentially while other readers use other parts of the same file."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._file = file
        self._at = start
        self._end = end

    def read(self, size: int = -1) -> bytes:
        left = self._end - self._at
        self._file.seek(self._at)
        data = self._file.read(left if size < 0 else min(size, left))
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at


def _volumes(path: Path) -> Iterator[_Volume]:
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if file.name.endswith((".warc", ".warc.gz", ".wacz"))]
        if not files:
            raise Refused(
                f"the folder {path} contains no .warc, .warc.gz or .wacz file",
                "give a folder of recordings",
                code=Code.EMPTY,
            )
        for file in files:
            yield from _volumes(file)
    elif not path.exists():
        raise Refused(
            f"{path} does not exist", "give a WARC file, a folder of them or a WACZ package", code=Code.NOT_FOUND
        )
    elif path.suffix == ".wacz":
        yield from _members(path)
    else:
        yield _Volume(path.name, path, 0, path.stat().st_size)


def _members(path: Path) -> Iterator[_Volume]:
    try:
        with zipfile.ZipFile(path) as package, path.open("rb") as file:
            for member in package.infolist():
                if not (member.filename.startswith("archive/") and member.filename.endswith((".warc", ".warc.gz"))):
                    continue
                file.seek(member.header_offset + 26)
                start = member.header_offset + 30 + sum(int.from_bytes(file.read(2), "little") for _ in range(2))
                volume = _Volume(f"{path.name}/{member.filename}", path, start, start + member.compress_size)
                if member.compress_type != zipfile.ZIP_STORED:
                    with package.open(member) as packed:
                        volume.unpack(cast("zipfile.ZipExtFile", packed))
                yield volume
    except zipfile.BadZipFile as problem:
        raise Refused(
            f"{path} is no WACZ package ({problem})", "give a zip with archive/*.warc.gz", code=Code.BAD_FILE
        ) from None


def _mark(file: BinaryIO, start: int) -> bytes:
    """The bytes with which every record of this file begins; empty if it is not a WARC."""
    file.seek(start)
    head = file.read(8)
    return next((mark for mark in (GZIP, _PLAIN) if head.startswith(mark)), b"")


def _records(file: BinaryIO, start: int, end: int) -> Iterator[_Found]:
    for record in ArchiveIterator(_Stretch(file, start, end), parse_http=False):
        url, status = None, 0
        if record.record_type in (WarcRecordType.response, WarcRecordType.conversion) and record.is_http:
            record.parse_http(quirks_mode=True)
            status = (record.http_headers and record.http_headers.status_code) or 0
        elif record.record_type == WarcRecordType.resource:
            status = 200
        if status:
            url = canonical((record.headers.get("WARC-Target-URI") or "").strip("<> "), limit=1 << 16)
        yield _Found(record.stream_pos, url or "", status)


def _end(file: BinaryIO, start: int, end: int, mark: bytes) -> int | None:
    """Where the record that begins here ends; None if it is truncated."""
    stretch = _Stretch(file, start, end)
    if mark == _PLAIN:
        head, gap, _ = stretch.read(1 << 16).partition(b"\r\n\r\n")
        size = content_length(head)
        last = start + len(head) + len(gap) + int(size[1]) + len(gap) if size else end + 1
        return last if gap and last <= end else None
    member = zlib.decompressobj(31)
    try:
        while not member.eof:
            chunk = member.unconsumed_tail or stretch.read(_CHUNK)
            if not chunk:
                return None
            member.decompress(chunk, _CHUNK)
    except zlib.error:
        return None
    return stretch.tell() - len(member.unused_data)


def _next(file: BinaryIO, start: int, end: int, mark: bytes) -> int:
    """The next position at which a record can be read, or the end."""
    while start < end:
        file.seek(start)
        chunk = file.read(min(_CHUNK, end - start))
        at = chunk.find(mark)
        if at < 0:
            start += max(1, len(chunk) - len(mark) + 1)
            continue
        start += at
        try:
            next(iter(ArchiveIterator(_Stretch(file, start, end), parse_http=False)))
            return start
        except (OSError, StopIteration):
            start += 1
    return end
