"""Any document to its text, or to the reason why it has none."""

from __future__ import annotations

from collections.abc import Callable

from lycosa.system.memory_limit import at_most
from lycosa.web.extracted import Extracted
from lycosa.web.readers.extraction import DAMAGED, Unread
from lycosa.web.readers.media_types import TOO_LARGE, Kind, kind_of, lacking, reader_of


def read_document(mime: str, body: bytes, text: Callable[[], str]) -> Extracted | str:
    """What is in a body of a type that can be read; `text` decodes it, for types that are text."""
    kind = kind_of(mime)
    assert kind is not None
    if reason := lacking(kind):
        return reason
    read = reader_of(kind)
    try:
        with at_most(_allowed):
            found: Extracted = read(body, text)
    except Unread as unread:
        return reason_of(kind, str(unread))
    except MemoryError:
        return TOO_LARGE
    except RecursionError:
        return reason_of(kind, DAMAGED)
    return found


_allowed = 0


def allow_memory(most: int) -> None:
    """Let a document have so many bytes of memory from now on, and no more, in this process."""
    global _allowed
    _allowed = most


def reason_of(kind: Kind, why: str) -> str:
    """The reason of a failure: «damaged docx», «encrypted pdf», «too large to read»."""
    return why if why == TOO_LARGE else f"{why} {kind.name}"
