"""What the head of a page says about its URL: which one is canonical, which are other versions, and its feeds.

All of it is only a hint, and counts only within the site: a page has no say about the URLs of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from lycosa.core.urls import host_of, site_of

MOST_FEEDS, MOST_VERSIONS = 3, 100
_FEED_TYPES = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"}
    | {"application/x.atom+xml", "application/x-atom+xml", "text/rss+xml"}
)
_SEVERAL = frozenset({"application/json"})
"""Types of feeds, but also of much else."""
Join = Callable[[str], str | None]


class HeadLink(NamedTuple):
    """A <link> of a page."""

    rel: frozenset[str]
    href: str
    type: str = ""
    language: str = ""
    media: str = ""
    title: str = ""


def head_link(attributes: dict[str, str | None]) -> HeadLink | None:
    """A <link> from its attributes; None if it leads nowhere."""
    href = attributes.get("href")
    if not href:
        return None
    rel = frozenset((attributes.get("rel") or "").lower().split())
    words = [attributes.get(name) or "" for name in ("type", "hreflang", "media", "title")]
    return HeadLink(rel, href, words[0].partition(";")[0].strip().lower(), *words[1:])


def named_feeds(links: Iterable[HeadLink], join: Join) -> tuple[str, ...]:
    """The feeds that a page names, except those of its comments."""
    found = []
    for link in links:
        if "alternate" in link.rel and (link.type in _FEED_TYPES or (link.type in _SEVERAL and "feed" in link.href)):
            about_comments = "comment" in f"{link.href} {link.title}".lower()
            if not about_comments and (url := join(link.href)):
                found.append(url)
    return tuple(dict.fromkeys(found))[:MOST_FEEDS]


def canonical_of(links: Iterable[HeadLink], join: Join, url: str) -> str:
    """The URL by which a page of this site wants to be known; empty if it is this one, or if it names several."""
    named = {join(link.href) for link in links if "canonical" in link.rel}
    found = named.pop() if len(named) == 1 else None
    return found if found and found != url and _same_site(found, url) else ""


def versions_of(links: Iterable[HeadLink], join: Join, url: str) -> tuple[str, ...]:
    """The other versions of a page in this site: in other languages, for telephones, and as AMP."""
    found = []
    for link in links:
        other = "alternate" in link.rel and (link.language or link.media) and link.type not in _FEED_TYPES
        if (other or "amphtml" in link.rel) and (target := join(link.href)):
            found.append(target)
    return tuple([each for each in dict.fromkeys(found) if each != url and _same_site(each, url)][:MOST_VERSIONS])


def _same_site(one: str, other: str) -> bool:
    return site_of(host_of(one)) == site_of(host_of(other))
