"""The Mojeek Search API, which needs a key and takes it in the address; so no message may contain that address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from msgspec import Struct

from lycosa.app.finders.finder import FoundPage, register
from lycosa.app.finders.http_finder import HttpFinder
from lycosa.system.errors import Code

_MOST = 20


class _Result(Struct):
    url: str
    title: str = ""


class _Response(Struct):
    status: str = "OK"
    results: list[_Result] = []


class _Answer(Struct):
    response: _Response


@register("mojeek")
@dataclass
class Mojeek(HttpFinder):
    """Ask the Mojeek Search API."""

    usual_key: ClassVar[str] = "LYCOSA_MOJEEK_KEY"
    key_header: ClassVar[str] = ""
    url: str = "https://api.mojeek.com/search"
    key: str = "LYCOSA_MOJEEK_KEY"

    def page(self, query: str, number: int, limit: int) -> Sequence[FoundPage]:
        """One page of results."""
        given = {"q": query, "fmt": "json", "t": _MOST, "s": number * _MOST + 1, "api_key": self.secret()}
        response = self.read(self.get(self.url, given), _Answer).response
        if response.status != "OK":
            # Its words may repeat the key.
            limited = "limit" in response.status.lower()
            fix = "try again tomorrow" if limited else f"correct the key in {self.key}"
            code = Code.TOO_MANY if limited else Code.NOT_ALLOWED
            raise self.unanswered("allows no more questions today" if limited else "refuses the key", fix, code)
        return [FoundPage(one.url, one.title) for one in response.results]
