"""The checkpoint file: the state of a crawl after some event, either complete or absent."""

from __future__ import annotations

from pathlib import Path
from struct import Struct
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from lycosa.system.atomic_file import write_whole

_MAGIC = b"LYCOSA2\n"
_head = Struct("<8sQQQQ")
"""Magic number, event number and mark, length and checksum; the state follows."""


class Checkpoint(NamedTuple):
    """The state of a crawl after the event with this number; the mark identifies the event."""

    seq: int
    mark: int
    data: bytes


def save(path: Path, data: bytes, seq: int, mark: int) -> None:
    """Replace the checkpoint; when this returns it is on the disk."""
    write_whole(path, _head.pack(_MAGIC, seq, mark, len(data), _sum(seq, data)), data, one_writer=True)


def load(path: Path) -> Checkpoint | None:
    """The checkpoint; None if there is no complete one."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if len(content) < _head.size:
        return None
    magic, seq, mark, length, checksum = _head.unpack_from(content)
    data = content[_head.size :]
    if magic != _MAGIC or length != len(data) or checksum != _sum(seq, data):
        return None
    return Checkpoint(seq, mark, data)


def _sum(seq: int, data: bytes) -> int:
    return xxh3_64_intdigest(data, seed=seq)
