"""Arrays in a file that is written once and then only mapped: what is looked at is read, what is not costs nothing."""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

_MAGIC = b"lycosa\0\1"
_ALIGNED = 8
LARGE = 16 << 20
"""Larger files are checked by their size alone when they are opened: summing would take longer than it is worth."""


class Damaged(ValueError):
    """A file does not hold what was written to it."""


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
    """Write one-dimensional arrays to a file, all the way to the disk."""
    entries, parts, at = [], [], 0
    for name, array in arrays.items():
        entries.append(_Entry(name, array.dtype.newbyteorder("<").str, at, len(array)))
        part = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        part += b"\0" * (-len(part) % _ALIGNED)
        parts.append(part)
        at += len(part)
    body = b"".join(parts)
    head = msgspec.msgpack.encode(_Head(entries, len(body), xxh3_64_intdigest(body)))
    with path.open("wb") as file:
        file.write(_MAGIC + len(head).to_bytes(_ALIGNED, "little") + head + b"\0" * (-len(head) % _ALIGNED) + body)
        file.flush()
        os.fsync(file.fileno())


def unpack(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file, as it is on the disk; Damaged where it is not what was written."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < 3 * _ALIGNED:
            raise Damaged("it is cut short")
        # The map stays as long as an array made of it does.
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    if mapped[:_ALIGNED] != _MAGIC:
        raise Damaged("it does not begin as it should")
    end = 2 * _ALIGNED + int.from_bytes(mapped[_ALIGNED : 2 * _ALIGNED], "little")
    try:
        head = msgspec.msgpack.decode(mapped[2 * _ALIGNED : end], type=_Head)
    except msgspec.DecodeError:
        raise Damaged("its contents cannot be read") from None
    body = mapped[end + -end % _ALIGNED :]
    if len(body) != head.size:
        raise Damaged("it is cut short")
    if head.size <= LARGE and xxh3_64_intdigest(body) != head.sum:
        raise Damaged("its sum is wrong")
    return {entry.name: np.frombuffer(body, entry.kind, entry.count, entry.start) for entry in head.entries}
