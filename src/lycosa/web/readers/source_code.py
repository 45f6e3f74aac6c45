"""Source code and configuration files: the text as it is written; URLs in it are links."""

from __future__ import annotations

from collections.abc import Callable

from lycosa.web.extracted import Extracted, read_plain


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a source file."""
    return read_plain(text())
