"""Links to feeds and sitemaps, and the links in them: which of them a strategy is told, and with which page.

A strategy scores a link by the page that it is on. A list is named by the whole host, so it is told with the first page
of the host, and again with each page that is better than all before: its score is that of the host's best page.
"""

from __future__ import annotations

from msgspec.structs import replace

from lycosa.core.nouns import FEED, Link, ListedDate, Page
from lycosa.core.urls import host_of, site_of

MOST_FEEDS = 3
"""Feeds of one host that are told, at most: some sites have one for every page."""
MOST_HOSTS = 100_000


class _Told:
    __slots__ = ("best", "feeds")

    def __init__(self) -> None:
        self.best = -1.0
        self.feeds: set[str] = set()


class ListLinks:
    """Adds to pages the links to the lists that they name; remembers what was told of each host."""

    def __init__(self) -> None:
        self._hosts: dict[str, _Told] = {}

    def added(self, page: Page, relevance: float) -> Page:
        """A page with the links to the lists that are told with it."""
        host = host_of(page.url)
        told = self._hosts.get(host)
        if told is None:
            if len(self._hosts) >= MOST_HOSTS:
                del self._hosts[next(iter(self._hosts))]
            told = self._hosts[host] = _Told()
        if relevance <= told.best:
            return page
        told.best = relevance
        for url in page.feeds:
            if len(told.feeds) < MOST_FEEDS:
                told.feeds.add(url)
        lists = [*page.sitemaps, *(url for url in page.feeds if url in told.feeds)]
        end = len(page.text)
        return replace(page, links=[*page.links, *(Link(url, (end, end)) for url in dict.fromkeys(lists))])


def listed(page: Page, via: str | None) -> Page:
    """A list with the links that count: a sitemap has a say only about its own host, and about that which names it."""
    if page.withheld == FEED:
        return page
    hosts = {_bare(url) for url in (page.url, via) if url}
    return replace(page, links=[link for link in page.links if _bare(link.url) in hosts])


def own_dates(page: Page) -> dict[str, ListedDate]:
    """What a list says about the dates of the pages that it names, as far as they are of its own site."""
    site = site_of(host_of(page.url))
    links = {link.url for link in page.links}
    return {url: date for url, date in page.dates.items() if url in links and site_of(host_of(url)) == site}


def _bare(url: str) -> str:
    return host_of(url).removeprefix("www.")
