"""Lists of links for machines: feeds and sitemaps. What they are, what they weigh at most, and who reads them.

A list is no page: it is archived and its links are followed, but it is kept out of search and exports. Its text has a
line for each of its links, so that strategies find the words of a link where they look for them.
"""

from __future__ import annotations

import codecs
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from lycosa.core.nouns import FEED, SITEMAP, SITEMAP_INDEX, ListedDate, Span
from lycosa.web.body import Body
from lycosa.web.charset import decode
from lycosa.web.extracted import Anchor, Extracted, Place
from lycosa.web.readers.media_types import PLAIN

MOST_LINKS = 5000
"""Links that are read of one list, at most."""
UNPACKED = 4 << 20
"""Bytes that are unpacked of a compressed list, at most."""
LONGEST_DATE = 64
_HEAD = 4096
_GZIP = b"\x1f\x8b\x08"
_TYPES = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json", "application/json"}
    | {"application/gzip", "application/x-gzip"}
)
# Possessive, as in charset.py.
_root = re.compile(
    rb"(?:(?><!--.*?-->)|[\t\n\f\r ]|\xef\xbb\xbf|(?><\?[^>]*>)|(?><!doctype\s[^>\[]*(?:\[[^\]]*\][^>]*)?>))*+"
    rb"<(?:[\w.-]+:)?(rss|feed|RDF|urlset|sitemapindex)[\s>]",
    re.I | re.DOTALL,
)
_KINDS = {b"rss": FEED, b"feed": FEED, b"rdf": FEED, b"urlset": SITEMAP, b"sitemapindex": SITEMAP_INDEX}
_JSON_FEED = b"jsonfeed.org/version/"
_url_line = re.compile(r"https?://[^\s<>\"]{1,2000}", re.I)


class LinkLine(NamedTuple):
    """A link of a list: where it leads, its title, further words, and when its page last changed, as written."""

    url: str
    title: str
    words: str = ""
    date: ListedDate | None = None
    changed: str = ""


def extracted(lines: list[LinkLine], title: str = "", language: str = "", base: str = "") -> Extracted:
    """Lines as a text with links; the anchor of a link is its title, and the element around it is its line."""
    pieces = [f"{title}\n"] if title else []
    at = len(pieces[0]) if pieces else 0
    anchors: list[Anchor] = []
    dates: dict[Place, ListedDate] = {}
    for line in lines:
        whole = f"{line.title} {line.words}\n" if line.words else f"{line.title}\n"
        places: tuple[Span, Span] = ((at, at + len(line.title)), (at, at + len(whole) - 1))
        anchors.append((line.url, "", places))
        if line.date:
            dates[places] = line.date
        pieces.append(whole)
        at += len(whole)
    text = "".join(pieces)
    return Extracted(
        text,
        anchors,
        title,
        language,
        base,
        locate=lambda place: (place[0], place[1:], ""),
        dates=dates,
        changed=[line.changed for line in lines],
    )


def listed_date(text: str, *, published: bool) -> ListedDate | None:
    """A date as lists write it; None if it does not name a day."""
    day = _utc_day(text.strip()[:LONGEST_DATE])
    return ListedDate(day, published) if day else None


def _utc_day(date: str) -> str:
    try:
        when = datetime.fromisoformat(date)
    except ValueError:
        try:
            when = parsedate_to_datetime(date)
        except (ValueError, TypeError, IndexError, OverflowError):
            return ""
    try:
        return (when if when.tzinfo is None else when.astimezone(UTC)).date().isoformat()
    except OverflowError:
        return ""


def may_be_list(content_type: str) -> bool:
    """Whether a body with this header may be a list, although it is neither HTML nor plain text."""
    return content_type.partition(";")[0].strip().lower() in _TYPES


def list_kind(body: bytes, mime: str, url: str) -> str:
    """The kind of list that a body is, from its beginning: feed, sitemap or sitemap index; empty if it is none."""
    if body.startswith(_GZIP):
        body, mime = _unpacked(body, _HEAD), PLAIN
    head = body[:_HEAD]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = decode(head)[0].encode()
    if head.lstrip()[:1] == b"{":
        return FEED if _JSON_FEED in body[: 16 * _HEAD] else ""
    if found := _root.match(head):
        name = found[1].lower()
        # Other things than feeds are written in RDF.
        return "" if name == b"rdf" and b"/rss/" not in head and b"netscape.com/rdf" not in head else _KINDS[name]
    return SITEMAP if mime == PLAIN and _is_text_sitemap(head, url) else ""


def _is_text_sitemap(head: bytes, url: str) -> bool:
    """Whether a text has nothing but a URL in each line, all of the host that it is from."""
    if head.removeprefix(codecs.BOM_UTF8).lstrip()[:4].lower() != b"http":
        return False
    lines = decode(head)[0].split("\n")
    # The last line may be cut.
    whole = [line.strip() for line in (lines[:-1] if len(head) == _HEAD else lines) if line.strip()]
    host = url.split("/", 3)[2].removeprefix("www.")
    return bool(whole) and all(
        _url_line.fullmatch(line) and line.split("/", 3)[2].lower().removeprefix("www.") == host for line in whole
    )


def read_list(kind: str, body: bytes, content_type: str) -> Extracted:
    """Read a list of this kind."""
    if body.startswith(_GZIP):
        body, content_type = _unpacked(body, UNPACKED), ""
    text = decode(body, content_type)[0]
    if kind == FEED:
        from lycosa.web.feeds import read_feed

        return read_feed(text)
    from lycosa.web.sitemaps import read_sitemap

    return read_sitemap(text)


def _unpacked(body: bytes, most: int) -> bytes:
    """The beginning of a compressed body; of a damaged one, what can be unpacked."""
    unpacking = Body("gzip", most)
    unpacking.feed(body)
    return unpacking.content
