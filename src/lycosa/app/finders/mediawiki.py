"""A wiki that runs MediaWiki, by its API (action=query, list=search)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from msgspec import Struct, field

from lycosa.app.finders.finder import FoundPage, Unanswered, register
from lycosa.app.finders.http_finder import HttpFinder
from lycosa.app.rank_fusion import fused
from lycosa.core.stopwords import STOPWORDS
from lycosa.core.urls import canonical
from lycosa.system.errors import Code

_MOST = 50
"""Results of one answer, as the API allows."""
_WORDS = 5
"""Words that are asked for one by one, at most."""


class _Site(Struct):
    server: str = ""
    articlepath: str = "/wiki/$1"


class _Result(Struct):
    title: str
    pageid: int = 0


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
        """The articles with all words; if there is none, those with any of them, articles with several first."""
        found = self._articles(query, limit)
        words = [word for word in dict.fromkeys(query.split()) if word.lower() not in STOPWORDS][:_WORDS]
        if found or len(words) < 2:
            return found
        # The search that wikis have without an extension wants every word, in this very form.
        several = [self._articles(word, limit) for word in words]
        pages = {one.url: one for some in several for one in some}
        order = fused([(1.0, [one.url for one in some]) for some in several])
        return [pages[page.url] for page in order if page.url in pages][:limit]

    def _articles(self, query: str, limit: int) -> list[FoundPage]:
        """The best articles first; of a search that has no best, those whose titles have the words."""
        numbers, found = self._search(query, "text", limit)
        # Such a wiki names them in the order in which they were written.
        if len(found) > 1 and numbers == sorted(numbers):
            with suppress(Unanswered):
                titled = self._search(query, "title", limit)[1]
                found = list(dict.fromkeys([*titled, *found]))[:limit]
        return found

    def _search(self, query: str, where: str, limit: int) -> tuple[list[int], list[FoundPage]]:
        """Where in the wiki its results are, and the results."""
        base = self.url.rstrip("/")
        address = f"{base}/w/api.php" if not urlsplit(base).path else base
        given = {"action": "query", "list": "search", "srsearch": query, "srwhat": where, "srprop": ""}
        given |= {"srlimit": str(min(limit, _MOST)), "meta": "siteinfo", "siprop": "general"}
        given |= {"format": "json", "formatversion": "2"}
        answer = self.read(self.get(address, given), _Answer)
        if answer.error and answer.error.code == "readapidenied":
            raise self.unanswered("lets nobody read without a login", "use another wiki", Code.NOT_ALLOWED)
        if answer.query is None:
            problem = f"cannot search ({answer.error.code[:40]})" if answer.error else "does not answer as a wiki"
            raise self.unanswered(problem, "give the address of its api.php")
        # The server may be given without a scheme: //en.wikipedia.org.
        site = answer.query.general
        root = urljoin(address, f"{site.server}{site.articlepath}" if "$1" in site.articlepath else "/wiki/$1")
        urls = {one.title: root.replace("$1", _path(one.title)) for one in answer.query.search}
        found = [FoundPage(url, title) for title, given in urls.items() if (url := canonical(given))]
        return [one.pageid for one in answer.query.search], found


def _path(title: str) -> str:
    return quote(title.replace(" ", "_"), safe="/:(),")
