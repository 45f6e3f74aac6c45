"""The results of a search as an RSS feed."""

from __future__ import annotations

import re
from email.utils import formatdate
from xml.etree import ElementTree

from lycosa.app.answers.search import SearchAnswer

_forbidden = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow."""


def as_rss(query: str, found: SearchAnswer, link: str) -> str:
    """An RSS 2.0 feed of results, with what strangers wrote as plain text."""
    root = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(root, "channel")
    _add(channel, "title", f"Lycosa: {query}")
    _add(channel, "link", link)
    _add(channel, "description", f"The newest pages for «{query}» in {', '.join(found.asked) or 'no collection'}")
    for result in found.results:
        item = ElementTree.SubElement(channel, "item")
        _add(item, "title", result.title or result.url)
        _add(item, "link", result.url)
        _add(item, "description", result.snippet)
        _add(item, "pubDate", formatdate(result.at, usegmt=True))
        _add(item, "category", result.collection)
        # A page that has changed is a new item.
        ElementTree.SubElement(item, "guid", isPermaLink="false").text = _plain(f"{result.url} {result.at:.0f}")
    return '<?xml version="1.0" encoding="UTF-8"?>' + ElementTree.tostring(root, "unicode")


def _add(parent: ElementTree.Element, tag: str, text: str) -> None:
    ElementTree.SubElement(parent, tag).text = _plain(text)


def _plain(text: str) -> str:
    """A text without characters that XML does not allow."""
    return _forbidden.sub("", text)
