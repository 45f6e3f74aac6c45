"""Reading a file from beginning to end, for its checksum."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lycosa.index.index_errors import DamagedFile

_BLOCK = 1 << 20


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
