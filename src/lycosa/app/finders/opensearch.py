"""Any search engine with an OpenSearch description: a URL template, and results as Atom, RSS or a page of links.

`url` is the address of the description, or a template itself, with {searchTerms} where the words go.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote, urljoin, urlsplit
from xml.parsers import expat

from lycosa.app.finders.finder import FoundPage, register
from lycosa.app.finders.http_finder import HttpFinder
from lycosa.app.finders.result_feeds import NoFeed, read_feed
from lycosa.core.query import Query
from lycosa.core.urls import canonical, host_of, site_of
from lycosa.system.errors import Code
from lycosa.web.charset import decode
from lycosa.web.parse import parse

_TYPES = ("application/atom+xml", "application/rss+xml", "text/html")
"""Media types of results that can be read, best first."""
_FIX = "give the address of a description (OpenSearch 1.1), or a template with {searchTerms}"
_parameter = re.compile(r"\{([\w:-]+)(\??)\}")


@register("opensearch")
@dataclass
class OpenSearch(HttpFinder):
    """Ask a search engine that describes itself by OpenSearch."""

    templated: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._template = ""

    @property
    def host(self) -> str:
        """The host that is asked."""
        return urlsplit(self.url).netloc.lower()

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """The results of one answer."""
        if not self._template:
            self._template = self.url if "{searchTerms}" in self.url else self._described()
        address = self._filled(self._template, query, limit)
        answer = self.get(address)
        try:
            found = read_feed(answer.body)
        except NoFeed:
            found = _links(address, answer.body, answer.headers.get("Content-Type", ""), query)
        # The addresses in a feed may be relative.
        joined = {url: one.title for one in found if (url := canonical(one.url, address))}
        return [FoundPage(url, title) for url, title in joined.items()][:limit]

    def _described(self) -> str:
        """The template of the description, for the best type of results."""
        templates: dict[str, str] = {}

        def start(name: str, attributes: dict[str, str]) -> None:
            kind = attributes.get("type", "").partition(";")[0].strip().lower()
            usual = attributes.get("method", "get").lower() == "get" and attributes.get("rel", "results") == "results"
            if name.rpartition(":")[2] == "Url" and usual and "{searchTerms" in attributes.get("template", ""):
                templates.setdefault(kind, attributes["template"])

        body = self.get(self.url).body
        try:
            _read_xml(body, start)
        except (expat.ExpatError, ValueError):
            raise self.unanswered("gives no OpenSearch description", _FIX) from None
        template = next((templates[kind] for kind in _TYPES if kind in templates), "")
        if not template:
            raise self.unanswered("describes no search whose results can be read", _FIX)
        template = urljoin(self.url, template)
        other = urlsplit(template).netloc.lower()
        if site_of(other) != site_of(self.host):
            # Who wrote the description must not choose which other host is asked.
            problem = f"describes a search on another host, {other[:100]}"
            raise self.unanswered(problem, "give the template itself if you mean it", Code.NOT_ALLOWED)
        return template

    def _filled(self, template: str, query: str, limit: int) -> str:
        known = {
            "searchTerms": quote(query, safe=""),
            "count": str(limit),
            "startPage": "1",
            "startIndex": "1",
            "language": "*",
            "inputEncoding": "UTF-8",
            "outputEncoding": "UTF-8",
        }

        def value(found: re.Match[str]) -> str:
            if found[1] not in known and not found[2]:
                raise self.unanswered(f"needs a parameter {found[1][:40]}", "give a template without it")
            return known.get(found[1], "")

        filled = _parameter.sub(value, template)
        if canonical(filled, limit=1 << 16) is None:
            raise self.unanswered("describes an address that is none", _FIX)
        return filled


def _read_xml(body: bytes, start: object) -> None:
    """Call `start` with each element; a document with declarations of its own is refused: they could grow."""
    parser = expat.ParserCreate()

    def declared(*_: object) -> None:
        raise ValueError

    parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, declared  # type: ignore[assignment]
    parser.Parse(body.strip(), True)


def _links(address: str, body: bytes, content_type: str, query: str) -> list[FoundPage]:
    """The links of a page of results whose words are about the query; those that leave the site, if any do."""
    page = parse(address, body, content_type, context=True, nofollow=False)
    about, here = Query(query), urlsplit(address)
    if not decode(body[:4096], content_type)[0].strip():
        return []
    told = [FoundPage(link.url, " ".join(page.anchor(link).split())) for link in page.links]
    told = [one for one in told if about.occurs_in(one.title) and urlsplit(one.url).path != here.path]
    outside = [one for one in told if site_of(host_of(one.url)) != site_of(here.netloc.lower())]
    return outside or told
