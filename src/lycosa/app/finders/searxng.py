"""SearXNG: a metasearch engine that anybody can run; its JSON must be switched on in search.formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from msgspec import Struct

from lycosa.app.finders.finder import FoundPage, register
from lycosa.app.finders.http_finder import HttpFinder

_SWITCH = "add json to search.formats in its settings.yml, or use another instance"


class _Result(Struct):
    url: str | None = None
    title: str | None = None


class _Results(Struct):
    results: list[_Result]


@register("searxng")
@dataclass
class Searxng(HttpFinder):
    """Ask a SearXNG instance."""

    refusals = {403: ("gives no JSON", _SWITCH)}
    wrong_answer: ClassVar[str] = _SWITCH
    engines: str = ""
    """Its engines to use, with semicolons between them; empty for its own choice."""
    language: str = ""
    """Language of the results, such as en; empty for its own choice."""

    def page(self, query: str, number: int, limit: int) -> Sequence[FoundPage]:
        """One page of results."""
        given = {"q": query, "format": "json", "pageno": number + 1}
        given |= {"engines": self.engines.replace(";", ",")} if self.engines else {}
        given |= {"language": self.language} if self.language else {}
        found = self.read(self.get(f"{self.url.rstrip('/')}/search", given), _Results)
        return [FoundPage(one.url, one.title or "") for one in found.results if one.url]
