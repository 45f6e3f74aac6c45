"""The Brave Search API, which needs a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from msgspec import Struct, field

from lycosa.app.finders.finder import FoundPage, register
from lycosa.app.finders.http_finder import HttpFinder

_MOST = 20
"""Results of one page, as the API allows."""


class _Result(Struct):
    url: str
    title: str = ""


class _Web(Struct):
    results: list[_Result] = []


class _Answer(Struct):
    web: _Web = field(default_factory=_Web)


@register("brave")
@dataclass
class Brave(HttpFinder):
    """Ask the Brave Search API."""

    usual_key: ClassVar[str] = "LYCOSA_BRAVE_KEY"
    key_header: ClassVar[str] = "X-Subscription-Token"
    key_scheme: ClassVar[str] = ""
    refusals = {422: ("refuses the key or the question", "correct the key, or shorten the words")}
    url: str = "https://api.search.brave.com/res/v1/web/search"
    key: str = "LYCOSA_BRAVE_KEY"

    def page(self, query: str, number: int, limit: int) -> Sequence[FoundPage]:
        """One page of results."""
        given = {"q": query, "count": min(limit, _MOST), "offset": number, "result_filter": "web"}
        found = self.read(self.get(self.url, given), _Answer)
        return [FoundPage(one.url, one.title) for one in found.web.results]
