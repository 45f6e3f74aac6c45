"""Files that contain their own checksums, so that a changed bit is noticed.

Small JSON files, and arrays in a file that is written once and then only memory-mapped: only the parts that are used
are read.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from xxhash import xxh3_64, xxh3_64_digest, xxh3_64_hexdigest, xxh3_64_intdigest

from lycosa.index.index_errors import DamagedFile
from lycosa.system.atomic_file import write_whole

_T = TypeVar("_T")
_BLOCK = 1 << 20
_MAGIC = b"lycosa\0\2"
_ALIGNED = 8
_BEFORE = 3 * _ALIGNED
"""Bytes before the head: the magic number, the head's length and its checksum."""


class _Summed(Struct, forbid_unknown_fields=True):
    sum: str
    body: msgspec.Raw


def write_summed(path: Path, value: object) -> None:
    """Write a value to a file and sync it to the disk; the file is the old one or the new one, never a mixture."""
    body = msgspec.json.encode(value)
    content = msgspec.json.encode(_Summed(xxh3_64_hexdigest(body), msgspec.Raw(body)))
    write_whole(path, content, one_writer=True)


def read_summed(path: Path, kind: type[_T]) -> _T:
    """The value in a file; raises DamagedFile if it is not what was written."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Summed)
        if xxh3_64_hexdigest(found.body) != found.sum:
            raise DamagedFile("its sum is wrong")
        return msgspec.json.decode(found.body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DamagedFile(f"it cannot be read: {error}") from None


class _Entry(Struct, array_like=True):
    name: str
    kind: str
    start: int
    count: int


class _Head(Struct, array_like=True):
    entries: list[_Entry]
    size: int
    sum: int


def pack(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write one-dimensional arrays to a file, in a single step, and sync it to the disk."""
    entries, parts, at = [], [], 0
    for name, array in arrays.items():
        entries.append(_Entry(name, array.dtype.newbyteorder("<").str, at, len(array)))
        part = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        part += b"\0" * (-len(part) % _ALIGNED)
        parts.append(part)
        at += len(part)
    body = b"".join(parts)
    head = msgspec.msgpack.encode(_Head(entries, len(body), xxh3_64_intdigest(body)))
    before = _MAGIC + len(head).to_bytes(_ALIGNED, "little") + xxh3_64_digest(head)
    write_whole(path, before, head, b"\0" * (-len(head) % _ALIGNED), body, one_writer=True)


def unpack(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file, memory-mapped; raises DamagedFile if it is not what was written.

    All of it is read once, for its checksum: a gigabyte in the system's cache takes a tenth of a second or two.
    """
    with path.open("rb", buffering=0) as file:
        fd = file.fileno()
        size, before = os.fstat(fd).st_size, os.pread(fd, _BEFORE, 0)
        if before[:_ALIGNED] != _MAGIC or len(before) < _BEFORE:
            raise DamagedFile("it does not begin as it should")
        end = _BEFORE + int.from_bytes(before[_ALIGNED : 2 * _ALIGNED], "little")
        if end > size:
            raise DamagedFile("it is cut short")
        raw = os.pread(fd, end - _BEFORE, _BEFORE)
        if xxh3_64_digest(raw) != before[2 * _ALIGNED :]:
            raise DamagedFile("the sum of its head is wrong")
        head, start = msgspec.msgpack.decode(raw, type=_Head), end + -end % _ALIGNED
        if size != start + head.size:
            raise DamagedFile("it is cut short")
        total = xxh3_64()
        for block in blocks(fd, start, size):
            total.update(block)
        if total.intdigest() != head.sum:
            raise DamagedFile("its sum is wrong")
        # The map lives as long as any array made from it.
        body = memoryview(mmap.mmap(fd, 0, access=mmap.ACCESS_READ))[start:]
    return {entry.name: np.frombuffer(body, entry.kind, entry.count, entry.start) for entry in head.entries}


def blocks(fd: int, start: int, end: int) -> Iterator[memoryview]:
    """The bytes of an open file between two positions, in pieces that are valid until the next one.

    Not by a memory map: there, a read error of the disk kills the process instead of raising an exception.
    """
    buffer = memoryview(bytearray(min(_BLOCK, max(0, end - start))))
    while start < end:
        count = os.preadv(fd, [buffer[: end - start]], start)
        if not count:
            raise DamagedFile("it is cut short")
        yield buffer[:count]
        start += count
