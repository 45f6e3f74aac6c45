"""Common Crawl's index of captured URLs, by its index server: the pages of a domain whose addresses have the words.

The index knows URLs, not texts, so a domain must be named: `commoncrawl:domain=example.org`. Other servers of the same
interface (pywb's CDX server) are named by `url`, with `crawl` as the name of their collection.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import msgspec
from msgspec import Struct

from lycosa.app.finders.finder import FoundPage, Unanswered, register
from lycosa.app.finders.http_finder import HttpFinder
from lycosa.core.urls import typed_host
from lycosa.core.words import terms
from lycosa.system.errors import Code, Refused

_READ = 2000
"""Captures read at most."""
_words = re.compile(r"[^\W\d_]+")


class _Capture(Struct):
    url: str


class _Crawl(Struct):
    id: str


@register("commoncrawl")
@dataclass
class CommonCrawlFinder(HttpFinder):
    """Ask Common Crawl's index for the pages of a domain whose addresses have words of the topic."""

    refines: ClassVar[bool] = False
    url: str = "https://index.commoncrawl.org"
    domain: str = ""
    """A host with its subdomains."""
    crawl: str = ""
    """Name of the crawl, such as CC-MAIN-2026-42; empty for the latest."""

    def __post_init__(self) -> None:
        super().__post_init__()
        host = typed_host(self.domain) if self.domain else None
        if host is None or not re.fullmatch(r"[\w-]*", self.crawl):
            problem = f"finder {self.name} needs a domain" if host is None else f"{self.crawl!r} is no crawl"
            raise Refused(problem, f"write it like {self.name}:domain=example.org", code=Code.MISSING, field="find")
        self.domain = host

    @property
    def label(self) -> str:
        """The kind and the domain."""
        return f"{self.name} ({self.domain})"

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """The pages whose addresses have most of the words, short addresses first."""
        wanted = set(terms(query))
        roots = [_root(word, stem) for word in _words.findall(query.lower()) for stem in terms(word)]
        if not roots:
            return []
        either = "|".join(f"[{root[0]}{root[0].upper()}]{root[1:]}" for root in dict.fromkeys(roots))
        asked = [("url", self.domain), ("matchType", "domain"), ("output", "json"), ("fl", "url"), ("limit", _READ)]
        asked += [("filter", "=status:200"), ("filter", "mime:html"), ("filter", f"~url:https?://[^/]*/.*({either}).*")]
        try:
            answer = self.get(f"{self.url.rstrip('/')}/{self.crawl or self._latest()}-index", asked)
        except Unanswered as trouble:
            if "(404)" in trouble.problem:
                return []  # this is how the server says that there is no such page
            raise
        found: dict[str, int] = {}
        for line in answer.body.splitlines():
            try:
                url = msgspec.json.decode(line, type=_Capture).url
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise self.unanswered("does not answer as an index server", self.wrong_answer) from None
            # The domain itself is the same for all.
            if has := len(wanted & set(terms(url.partition("//")[2].partition("/")[2]))):
                found[url] = has
        best = sorted(found, key=lambda url: (-found[url], len(url), url))
        return [FoundPage(url, reason=f"its address has words of the topic, {self.label}") for url in best[:limit]]

    def _latest(self) -> str:
        crawls = self.read(self.get(f"{self.url.rstrip('/')}/collinfo.json"), list[_Crawl])
        if not crawls or not re.fullmatch(r"[\w-]+", crawls[0].id):
            raise self.unanswered("names no crawl", "name one as its option crawl")
        return crawls[0].id


def _root(word: str, stem: str) -> str:
    """The part of a word that it shares with its stem: «happ» of «happy», whose stem is «happi»."""
    return next(word[:end] for end in range(len(word), -1, -1) if stem.startswith(word[:end]))
