"""Which pages link to this one? One interface for all sources: a link graph, a recording, files, a service."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Protocol


class Inlinks(Protocol):
    """A source of in-links. Sources inherit from this class and override `of` or `of_all`."""

    def of(self, url: str, limit: int) -> Sequence[str]:
        """At most `limit` pages that link to a canonical URL, as canonical URLs, the most useful or first seen first.

        Empty if the source does not know the URL; contains no page twice, nor the URL itself.
        """
        return self.of_all([url], limit)[url]

    def of_all(self, urls: Iterable[str], limit: int) -> dict[str, Sequence[str]]:
        """The same for many URLs at once, in their order; cheaper for sources that find all of them in one pass."""
        return {url: self.of(url, limit) for url in urls}

    def close(self) -> None:
        """Close files and connections."""
        return


class Together(Inlinks):
    """Several sources as one: the first in-link of each, then the second of each, without duplicates."""

    def __init__(self, sources: Sequence[Inlinks]) -> None:
        self.sources = tuple(sources)

    def of_all(self, urls: Iterable[str], limit: int) -> dict[str, Sequence[str]]:
        """The in-links that all sources know, each source asked once."""
        wanted = list(dict.fromkeys(urls))
        answers_of_each = [source.of_all(wanted, limit) for source in self.sources]
        return {url: _in_turn([answers.get(url, ()) for answers in answers_of_each])[:limit] for url in wanted}

    def close(self) -> None:
        """Close every source."""
        for source in self.sources:
            source.close()


def _in_turn(lists: Sequence[Sequence[str]]) -> list[str]:
    turns = (url for turn in zip_longest(*lists) for url in turn if url is not None)
    return list(dict.fromkeys(turns))
