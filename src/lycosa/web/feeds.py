"""Feeds: RSS 0.9x, 1.0 and 2.0, Atom, and JSON Feed. An item is a link with its title, its summary and its date."""

from __future__ import annotations

import json
from typing import Any

from lycosa.web.extracted import Extracted, clean_language, clean_title
from lycosa.web.link_lists import LONGEST_DATE, MOST_LINKS, LinkLine, extracted, listed_date
from lycosa.web.xml_tags import XmlEnd, XmlTag, local, tags_of, words_of

_LONGEST_TITLE, _LONGEST_SUMMARY = 300, 500
_LONGEST_FIELD = 8 * _LONGEST_SUMMARY
_ITEMS = frozenset({"item", "entry"})
_HEADS = frozenset({"channel", "feed"})
_FIELDS = {
    "title": "title",
    "link": "link",
    "origlink": "original",
    "guid": "guid",
    "id": "guid",
    "pubdate": "date",
    "published": "date",
    "date": "date",
    "updated": "changed",
    "modified": "changed",
    "description": "summary",
    "summary": "summary",
    "encoded": "content",
    "content": "content",
    "category": "category",
    "subject": "category",
    "language": "language",
}


def read_feed(text: str) -> Extracted:
    """Read a feed: its first link is the site that it is about, the others are its items."""
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _read_json(text)
    head: dict[str, str] = {}
    fields = head
    items: list[dict[str, str]] = []
    base = ""
    path: list[str] = []
    for piece in tags_of(text):
        if isinstance(piece, XmlTag):
            name = local(piece.name)
            if not path:
                base = piece.attributes.get("xml:base", "")
                head["language"] = piece.attributes.get("xml:lang", "")
            if name in _ITEMS and fields is head:
                fields, path = {}, path[:4]
                if about := piece.attributes.get("rdf:about", ""):
                    fields["guid"] = about
            if not path or path[-1] in (_HEADS if fields is head else _ITEMS):
                _read_attributes(fields, name, piece)
            path.append(name)
        elif isinstance(piece, XmlEnd):
            name = local(piece.name)
            if name in _ITEMS and fields is not head:
                items.append(fields)
                fields = head
                if len(items) >= MOST_LINKS:
                    break
            # Close what was left open, but not for the end of what was never opened.
            if name in path:
                while path.pop() != name:
                    pass
        elif path and (field := _field_at(path, fields is head)):
            known = fields.get(field, "")
            if len(known) < _LONGEST_FIELD:
                fields[field] = known + piece
    if fields is not head:  # the feed was cut off
        items.append(fields)
    return _feed(head, items, base)


def _field_at(path: list[str], in_head: bool) -> str:
    """The field that the text at the end of this path belongs to; images and authors have titles and links too."""
    for up, name in enumerate(reversed(path[-8:])):
        if name in ("image", "author", "textinput", "source", "thumbnail"):
            return ""
        if name in _ITEMS:
            return ""
        if name in _FIELDS:
            field = _FIELDS[name]
            above = path[-2 - up] if len(path) > up + 1 else ""
            inside = above in (_HEADS if in_head else _ITEMS)
            # Atom allows XHTML in titles and contents: text below them is theirs.
            return field if inside and (up == 0 or field in ("title", "summary", "content")) else ""
    return ""


def _read_attributes(fields: dict[str, str], name: str, tag: XmlTag) -> None:
    attributes = tag.attributes
    if name == "link" and (href := attributes.get("href", "")):
        # Atom: the page itself; others are the feed itself, its next part, or an enclosure.
        if attributes.get("rel", "alternate") == "alternate" and "link" not in fields:
            fields["link"] = href
    elif name == "guid" and attributes.get("isPermaLink", "").lower() == "false":
        fields["guid"] = " "
    elif name == "category" and (term := attributes.get("label") or attributes.get("term")):
        fields["category"] = f"{fields.get('category', '')} {term}"[:_LONGEST_FIELD]


def _feed(head: dict[str, str], items: list[dict[str, str]], base: str) -> Extracted:
    title = clean_title(words_of(head.get("title", ""), _LONGEST_TITLE))
    lines = []
    if home := head.get("link", "").strip():
        lines.append(LinkLine(home, title, words_of(head.get("summary", ""), _LONGEST_SUMMARY)))
    for fields in items:
        original, link = fields.get("original", "").strip(), fields.get("link", "").strip()
        guid = fields.get("guid", "").strip()
        url = original or link or (guid if guid[:4].lower() == "http" else "")
        if url:
            summary = fields.get("summary") or fields.get("content") or ""
            words = [words_of(summary, _LONGEST_SUMMARY), words_of(fields.get("category", ""), 100)]
            published, changed = fields.get("date", "").strip(), fields.get("changed", "").strip()
            date = listed_date(published or changed, published=bool(published))
            told = " ".join(filter(None, [*words, date.day if date else ""]))
            heading = words_of(fields.get("title", ""), _LONGEST_TITLE)
            lines.append(LinkLine(url, heading, told, date, (changed or published)[:LONGEST_DATE]))
    return extracted(lines, title, clean_language(head.get("language")), base)


def _read_json(text: str) -> Extracted:
    try:
        plain = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return Extracted("")
    if not isinstance(plain, dict):
        return Extracted("")
    items = plain.get("items")
    fields = [
        {
            "link": _word(item, "url") or _word(item, "external_url"),
            "guid": _word(item, "id"),
            "title": _word(item, "title"),
            "summary": _word(item, "summary") or _word(item, "content_text") or _word(item, "content_html"),
            "date": _word(item, "date_published"),
            "changed": _word(item, "date_modified"),
            "category": " ".join(tag for tag in _list(item.get("tags")) if isinstance(tag, str)),
        }
        for item in _list(items)[:MOST_LINKS]
        if isinstance(item, dict)
    ]
    head = {"title": _word(plain, "title"), "link": _word(plain, "home_page_url"), "language": _word(plain, "language")}
    return _feed(head | {"summary": _word(plain, "description")}, fields, "")


def _list(plain: Any) -> list[Any]:
    return plain if isinstance(plain, list) else []


def _word(plain: dict[str, Any], name: str) -> str:
    found = plain.get(name)
    return found if isinstance(found, str) else ""
