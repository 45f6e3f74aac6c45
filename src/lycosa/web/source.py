"""Answers by URL without a network: what recordings, test beds and made webs have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from lycosa.core.nouns import Raw


class Source(Protocol):
    """Something that has the answer for a URL."""

    def response(self, url: str) -> Raw | None:
        """The answer for a canonical URL; None if there is none."""
        ...

    def urls(self) -> Iterator[str]:
        """Every URL with an answer, as far as they can be enumerated."""
        ...


class BedTopic(Struct, frozen=True):
    """A topic that can be hunted in a source. The description is for the metrics; the crawler never gets it."""

    id: str
    keywords: str
    targets: tuple[str, ...]
    category: str = ""
    description: str = ""
    examples: tuple[str, ...] = ()
    """Relevant start pages."""
    neighbors: tuple[str, ...] = ()
    """Start pages a few links upstream of relevant ones."""
    described: tuple[str, ...] = ()
    """Relevant pages from whose text the description was made; neither seeds nor targets."""
