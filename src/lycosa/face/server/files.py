"""Open files as answers: whatever has become of their names meanwhile, what was opened is what is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from fastapi.responses import StreamingResponse

_PIECE = 1 << 18


def sent(file: BinaryIO, kind: str, headers: dict[str, str]) -> StreamingResponse:
    """An open file, which is closed when it was sent."""
    length = file.seek(0, 2)
    file.seek(0)
    return StreamingResponse(_pieces(file), media_type=kind, headers={**headers, "Content-Length": str(length)})


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
