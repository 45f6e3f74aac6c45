"""Small JSON files that contain their own checksum, so that a changed bit is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_hexdigest

from lycosa.index.index_errors import DamagedFile
from lycosa.system.atomic_file import write_whole

_T = TypeVar("_T")


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
