"""The interface of a web, live, recorded or made."""

from __future__ import annotations

from typing import Protocol

from lycosa.core.nouns import Failure, Moved, Page


class Web(Protocol):
    """Answers what is at a URL; implemented by the live Web, recordings and made webs."""

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The page at a canonical URL, with at most `limit` decoded body bytes."""
        ...

    async def close(self) -> None:
        """Close sockets and files."""
        ...
