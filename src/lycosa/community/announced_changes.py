"""What sitemaps and feeds that a crawl has fetched say about when pages changed."""

from __future__ import annotations

from collections.abc import Iterator

from lycosa.core.nouns import FEED, SITEMAP, Visit
from lycosa.core.urls import canonical, host_of, site_of
from lycosa.store.repository import Repository
from lycosa.system.errors import Refused
from lycosa.web.link_lists import read_list
from lycosa.web.page_dates import moment


def announced_changes(repository: Repository, visit: Visit, at: float) -> Iterator[tuple[str, float]]:
    """The URLs in an archived sitemap or feed that was fetched `at` this time, each with when it says they changed.

    A list is heard only about its own site: otherwise any site could have the pages of others checked.
    """
    if visit.withheld not in (FEED, SITEMAP) or visit.where is None:
        return
    try:
        raw = repository.read(visit.where)
    except Refused:
        # A damaged list announces nothing.
        return
    site = site_of(host_of(visit.url))
    found = read_list(visit.withheld, raw.body, raw.content_type)
    for (href, _, _), text in zip(found.anchors, found.changed, strict=False):
        date = moment(text) if text else None
        url = canonical(href, visit.url) if date else None
        if date and url and date.timestamp() <= at and site_of(host_of(url)) == site:
            yield url, date.timestamp()
