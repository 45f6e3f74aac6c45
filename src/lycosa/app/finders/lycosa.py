"""The search of another Lycosa, by its REST interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from msgspec import Struct

from lycosa.app.finders.finder import FoundPage, register
from lycosa.app.finders.http_finder import HttpFinder

_MOST = 100


class _Result(Struct):
    url: str
    title: str = ""


class _Answer(Struct):
    results: list[_Result]


@register("lycosa")
@dataclass
class OtherLycosa(HttpFinder):
    """Ask another Lycosa's search."""

    usual_key: ClassVar[str] = "LYCOSA_OTHER_TOKEN"
    collections: str = ""
    """Its collections to search, with semicolons between them; empty for all."""

    def page(self, query: str, number: int, limit: int) -> Sequence[FoundPage]:
        """One page of results."""
        given = [("query", query), ("limit", min(limit, _MOST)), ("page", number + 1), ("private", "true")]
        given += [("collection", name.strip()) for name in self.collections.split(";") if name.strip()]
        found = self.read(self.get(f"{self.url.rstrip('/')}/api/search", given), _Answer)
        return [FoundPage(one.url, one.title) for one in found.results]
