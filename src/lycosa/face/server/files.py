"""Open files as answers: the file that was opened is sent, even if its name is gone or means another file by now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from fastapi.responses import StreamingResponse

_PIECE = 1 << 18


def sent(file: BinaryIO, kind: str, headers: dict[str, str]) -> StreamingResponse:
    """An answer that sends an open file and then closes it."""
    length = file.seek(0, 2)
    file.seek(0)
    return StreamingResponse(_pieces(file), media_type=kind, headers={**headers, "Content-Length": str(length)})


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
