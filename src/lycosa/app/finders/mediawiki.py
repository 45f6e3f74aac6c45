"""A wiki that runs MediaWiki, by its API (action=query, list=search)."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from msgspec import Struct, field

from lycosa.app.finders.finder import FoundPage, register
from lycosa.app.finders.http_finder import HttpFinder
from lycosa.system.errors import Code

_MOST = 50
"""Results of one answer, as the API allows."""


class _Site(Struct):
    server: str = ""
    articlepath: str = "/wiki/$1"


class _Result(Struct):
    title: str


class _Query(Struct):
    search: list[_Result] = []
    general: _Site = field(default_factory=_Site)


class _Trouble(Struct):
    code: str = ""


class _Answer(Struct):
    query: _Query | None = None
    error: _Trouble | None = None


@register("mediawiki")
@dataclass
class MediaWiki(HttpFinder):
    """Ask a MediaWiki, such as Wikipedia: url=https://en.wikipedia.org, or the address of its api.php."""

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """The articles of the first answer."""
        base = self.url.rstrip("/")
        address = f"{base}/w/api.php" if not urlsplit(base).path else base
        answer = self.read(
            self.get(
                address,
                {"action": "query", "list": "search", "srsearch": query, "srlimit": min(limit, _MOST), "srprop": "",
                 "meta": "siteinfo", "siprop": "general", "format": "json", "formatversion": 2},
            ),
            _Answer,
        )  # fmt: skip
        if answer.error and answer.error.code == "readapidenied":
            raise self.unanswered("lets nobody read without a login", "use another wiki", Code.NOT_ALLOWED)
        if answer.query is None:
            problem = f"cannot search ({answer.error.code[:40]})" if answer.error else "does not answer as a wiki"
            raise self.unanswered(problem, "give the address of its api.php")
        # The server may be given without a scheme: //en.wikipedia.org.
        site = answer.query.general
        root = urljoin(address, f"{site.server}{site.articlepath}" if "$1" in site.articlepath else "/wiki/$1")
        return [
            FoundPage(root.replace("$1", quote(one.title.replace(" ", "_"), safe="/:(),")), one.title)
            for one in answer.query.search
        ]
