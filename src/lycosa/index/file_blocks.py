"""Reading a file from end to end, for its sum."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lycosa.index.index_errors import DamagedFile

_BLOCK = 1 << 20


def blocks(fd: int, start: int, end: int) -> Iterator[memoryview]:
    """The bytes of an open file between two places, in pieces that are good until the next one.

    Not through a map: there, a disk that cannot be read kills the process instead of raising an error.
    """
    buffer = memoryview(bytearray(min(_BLOCK, max(0, end - start))))
    while start < end:
        count = os.preadv(fd, [buffer[: end - start]], start)
        if not count:
            raise DamagedFile("it is cut short")
        yield buffer[:count]
        start += count
