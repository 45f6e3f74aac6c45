"""What a web is, for everybody who uses one."""

from __future__ import annotations

from typing import Protocol

from lycosa.core.nouns import Failure, Moved, Page


class Web(Protocol):
    """What is at this URL? The live Web, a recording or a made graph answer the same question."""

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The page at a canonical URL, with at most `limit` decoded body bytes."""
        ...

    async def close(self) -> None:
        """Give back sockets and files."""
        ...
