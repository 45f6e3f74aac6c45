"""When a page was published or modified: what its metadata says, else its Last-Modified header.

A page is as old as its publication date; pages that state none count by the date of their last change. What a sitemap
or a feed says counts for pages that say nothing themselves. The header comes last, because servers that make pages on
demand often send the present time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from selectolax.lexbor import LexborHTMLParser

from lycosa.core.nouns import Page
from lycosa.web.hostile import risky
from lycosa.web.readers.media_types import HTML

_LONGEST = 1 << 18
"""Characters of a JSON-LD block that are looked at."""
_PUBLISHED = re.compile(
    r"(?:og:)?article:published_time|datepublished|date|dc\.date(?:\.issued)?|dcterms\.(?:issued|created)"
    r"|citation_publication_date|parsely-pub-date|pubdate|publishdate|sailthru\.date",
    re.IGNORECASE,
)
_MODIFIED = re.compile(
    r"article:modified_time|og:updated_time|datemodified|dcterms\.modified|last-modified", re.IGNORECASE
)
_IN_JSON = re.compile(r'"(datePublished|dateModified)"\s*:\s*"([^"\\]{4,40})"')
_ISO = re.compile(r"(\d{4})(?:[-/](\d{1,2}))?(?:[-/](\d{1,2}))?(?!\d)")


def date_of(page: Page, listed: str = "") -> datetime | None:
    """The date of a page; `listed` is the day that a list states. None if there is none that can be read."""
    if page.mime == HTML and page.raw is not None and not risky(page.raw.body):
        found: dict[str, datetime] = {}
        for kind, text in _stated(page.raw.body):
            if kind not in found and (date := moment(text)):
                found[kind] = date
        for kind in ("published", "modified", "time"):
            if kind in found:
                return found[kind]
    return moment(listed) or moment(page.modified)


def _stated(body: bytes) -> Iterator[tuple[str, str]]:
    """The dates that a page states, each with what it is the date of."""
    for node in LexborHTMLParser(body).css('meta[content],script[type="application/ld+json"],time[datetime]'):
        attributes = node.attributes
        if node.tag == "meta":
            names = [attributes.get(name) or "" for name in ("property", "name", "itemprop", "http-equiv")]
            name = next(filter(None, names), "")
            if (published := _PUBLISHED.fullmatch(name)) or _MODIFIED.fullmatch(name):
                yield "published" if published else "modified", attributes["content"] or ""
        elif node.tag == "time":
            own = (attributes.get("itemprop") or "").lower()
            kind = {"datepublished": "published", "datemodified": "modified"}.get(own)
            kind = kind or ("published" if "pubdate" in attributes else "time")
            yield kind, attributes["datetime"] or ""
        else:
            for name, text in _IN_JSON.findall(node.text()[:_LONGEST]):
                yield "published" if name == "datePublished" else "modified", text


def moment(text: str) -> datetime | None:
    """A date as pages and headers write it, in UTC; None if it is none."""
    text = text.strip()
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        try:
            date = _plain(text) or parsedate_to_datetime(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    try:
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except OverflowError:
        return None


def _plain(text: str) -> datetime | None:
    """A date at the beginning of a text: 2024, 2024-06, 2024/6/30."""
    found = _ISO.match(text)
    return datetime(*[int(part or 1) for part in found.groups()]) if found else None  # type: ignore[arg-type]
