"""Sitemaps: the protocol of sitemaps.org as XML or as text, and its indexes, with the extensions that say more.

The title of a link is the words of its path, because a sitemap says nothing else about most pages; titles of news,
images and videos are added, and the date of the last change.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from lycosa.web.extracted import Extracted
from lycosa.web.link_lists import LONGEST_DATE, MOST_LINKS, LinkLine, extracted, listed_date
from lycosa.web.xml_tags import XmlEnd, XmlTag, local, tags_of, words_of

_LONGEST_TITLE, _LONGEST_WORDS = 200, 300
_TOLD = frozenset({"title", "caption", "description", "keywords"})
"""Tags of the extensions for news, images and videos whose text says what a page is about."""
_between_words = re.compile(r"[\W_]+")
_ending = re.compile(r"\.(?:s?html?|php\d?|aspx?|jsp|xml|gz|txt)$", re.I)


def read_sitemap(text: str) -> Extracted:
    """Read a sitemap or an index of sitemaps."""
    if not text.lstrip("\ufeff \t\r\n").startswith("<"):
        urls = [url for line in text.split("\n") if (url := line.strip("\ufeff \t\r"))]
        return extracted([LinkLine(url, url_words(url)) for url in urls[:MOST_LINKS]])
    lines: list[LinkLine] = []
    # All that counts has the prefix of the first tag; others belong to extensions, such as the places of images.
    prefix: str | None = None
    open_tag, own, url, date, told = "", True, "", "", ""
    for piece in tags_of(text):
        if isinstance(piece, XmlTag):
            before, _, name = piece.name.rpartition(":")
            if prefix is None:
                prefix = before
            own, open_tag = before == prefix, name.lower()
            if own and open_tag in ("url", "sitemap"):
                url = date = told = ""
        elif isinstance(piece, XmlEnd):
            if local(piece.name) in ("url", "sitemap") and url:
                words = f"{told} {date[:10]}".strip()
                dated = listed_date(date, published=False)
                lines.append(LinkLine(url, url_words(url), words, dated, date))
                url = ""
                if len(lines) >= MOST_LINKS:
                    break
            open_tag = ""
        elif own and (open_tag == "loc" or (open_tag in ("url", "sitemap") and not url)):
            # Some leave the <loc> out.
            url += piece.strip()
        elif own and open_tag == "lastmod":
            date = piece.strip()[:LONGEST_DATE]
        elif not own and open_tag in _TOLD and len(told) < _LONGEST_WORDS:
            told = f"{told} {words_of(piece, _LONGEST_WORDS)}".strip()
    return extracted(lines)


def url_words(url: str) -> str:
    """The words in the path of a URL; the URL itself if there are none."""
    path = url.partition("//")[2].partition("/")[2].partition("?")[0]
    return _between_words.sub(" ", unquote(_ending.sub("", path)[: 3 * _LONGEST_TITLE])).strip()[:_LONGEST_TITLE] or url
