"""The pages beside the content index: what is shown of a result, and its text.

They are stored one after the other in a file that only grows; the index has the place of each. So an index that is read
while it is written, or whose writer was killed, finds every page at its place. A replaced page leaves a gap until the
index is rebuilt; a rebuild begins a new file with its own number, and the old file is deleted once nothing points to
it.

Each page has two checksums, of its head and of its text; each is verified whenever its part is read.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from struct import Struct as Layout

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest
from zstandard import ZstdCompressor, ZstdDecompressor

from lycosa.index.index_errors import damaged
from lycosa.system.errors import Refused

LEVEL = 1
"""The compression level: level 3 saves 3 % of the size and takes 30 % more time."""
REMEMBERED = 1 << 15
"""Heads that are kept in memory: about 15 MB when full."""

_FRONT = Layout("<IIQQ")  # the lengths of the head and of the compressed text, and their sums
_NUMBER = 40  # bits for the place within a file: a terabyte


class PageHead(Struct, frozen=True, array_like=True, gc=False):
    """What is shown of a page without reading its text."""

    url: str
    title: str
    language: str
    category: str
    relevance: float | None
    """When it was indexed."""
    at: float
    twin: int
    size: int = 0
    """Bytes of its text."""
    type: str = "html"


_encode, _decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(PageHead).decode


def _files(folder: Path) -> dict[int, Path]:
    try:
        # Not by glob, which treats a folder that cannot be opened as empty.
        found = [path for path in folder.iterdir() if path.stem == "pages"]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise damaged(folder, error) from None
    return {int(path.suffix[1:]): path for path in found if path.suffix[1:].isdigit()}


class PageStore:
    """Reads pages by their places."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._maps: dict[int, mmap.mmap] = {}
        self._inodes: dict[int, int] = {}
        self._heads: dict[int, PageHead] = {}
        self._decompress = ZstdDecompressor().decompress
        self.refresh()

    def refresh(self) -> frozenset[int]:
        """Map what was written since; return the numbers of the existing files."""
        files = _files(self._folder)
        for number, path in files.items():
            try:
                with path.open("rb") as file:
                    size = (found := os.fstat(file.fileno())).st_size
                    if size and (number not in self._maps or len(self._maps[number]) < size):
                        # Readers that still use the previous map keep it alive.
                        self._maps[number] = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
                        self._inodes[number] = found.st_ino
            except FileNotFoundError:  # a writer began a new file
                continue
            except OSError as error:
                raise damaged(path, error) from None
        return frozenset(files)

    def is_there(self) -> bool:
        """Whether the files that are read are still those in the folder, and not deleted or made anew."""
        files = _files(self._folder)
        try:
            return all(files[number].stat().st_ino == inode for number, inode in self._inodes.items())
        except (KeyError, FileNotFoundError):
            return False

    def head(self, place: int) -> PageHead:
        """What is shown of the page at a place."""
        found = self._heads.get(place)
        if found is None:
            raw = self._read(place, text=False)
            if len(self._heads) >= REMEMBERED:
                self._heads = {}
            found = self._heads[place] = _decode(raw)
        return found

    def text(self, place: int) -> bytes:
        """The text of the page at a place, in UTF-8."""
        return self._decompress(self._read(place, text=True))

    def check(self, place: int) -> None:
        """Read the page at a place, and verify its checksums."""
        self._read(place, text=False)
        self._read(place, text=True)

    def _read(self, place: int, *, text: bool) -> bytes:
        memory, at = self._maps.get(place >> _NUMBER, b""), place & ((1 << _NUMBER) - 1)
        start = at + _FRONT.size
        if start > len(memory):
            raise self._damaged(place, "it is cut short")
        head, body, head_sum, body_sum = _FRONT.unpack_from(memory, at)
        raw = memory[start + head : start + head + body] if text else memory[start : start + head]
        if xxh3_64_intdigest(raw) != (body_sum if text else head_sum):
            raise self._damaged(place, f"the sum of the {'text' if text else 'head'} at byte {at} is wrong")
        return raw

    def _damaged(self, place: int, why: str) -> Refused:
        return damaged(self._folder / f"pages.{place >> _NUMBER}", why)

    def close(self) -> None:
        """Release the files."""
        self._maps, self._inodes, self._heads = {}, {}, {}


class PagesWriter:
    """Appends pages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compress = ZstdCompressor(level=LEVEL).compress
        self._open(max(_files(folder), default=0))

    def _open(self, number: int) -> None:
        self._number = number
        self._file = (self._folder / f"pages.{number}").open("ab", buffering=1 << 20)
        self._end = self._file.tell()

    def add(self, head: PageHead, text: bytes) -> int:
        """Append a page; return its place."""
        place = self._number << _NUMBER | self._end
        top, body = _encode(head), self._compress(text)
        front = _FRONT.pack(len(top), len(body), xxh3_64_intdigest(top), xxh3_64_intdigest(body))
        self._file.write(b"".join((front, top, body)))
        self._end += len(front) + len(top) + len(body)
        return place

    def sync(self) -> None:
        """Sync what was appended to the disk; the index must not refer to it before."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def anew(self) -> None:
        """Continue in a new file."""
        self._file.close()
        self._open(self._number + 1)

    def forget_old(self) -> None:
        """Delete the files before this one: the index no longer refers to them."""
        for number, path in _files(self._folder).items():
            if number < self._number:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
