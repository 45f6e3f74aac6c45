"""The tags and texts of XML as people write it: one pass in linear time, no tree, no entities of its own, any damage.

Declarations are skipped, so nothing that a document defines is ever expanded; only the entities that HTML knows are
read. Feeds in the wild are often not well-formed, and a truncated one still names its first items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lycosa.web.extracted import unescaped

LONGEST_ATTRIBUTE = 4096
_QUOTED = rf"\"[^\"]{{0,{LONGEST_ATTRIBUTE}}}\"|'[^']{{0,{LONGEST_ATTRIBUTE}}}'"
_piece = re.compile(
    rf"<([\w][\w:.-]*+)((?:[^<>\"'/]|/(?!>)|{_QUOTED})*+)(/?)>"
    r"|</([\w][\w:.-]*+)[^<>]*+>"
    r"|<!\[CDATA\[(.*?)(?:\]\]>|\Z)"
    r"|<!--.*?(?:-->|\Z)"
    r"|<!(?:[^\[<>]|\[[^\]]*+(?:\]|\Z))*+>?"
    r"|<\?.*?(?:\?>|\Z)"
    r"|([^<]++|<)",
    re.DOTALL,
)
_attribute = re.compile(r"([\w][\w:.-]*+)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")


class XmlTag(NamedTuple):
    """A start tag, as written."""

    name: str
    attributes: dict[str, str]


class XmlEnd(NamedTuple):
    """An end tag; an empty element has both."""

    name: str


def tags_of(text: str) -> Iterator[XmlTag | XmlEnd | str]:
    """The tags of a document and the texts between them, unescaped, in order."""
    for found in _piece.finditer(text):
        name, attributes, empty, end, raw, words = found.groups()
        if name:
            yield XmlTag(name, _attributes(attributes) if "=" in attributes else {})
            if empty:
                yield XmlEnd(name)
        elif end:
            yield XmlEnd(end)
        elif raw:
            yield raw
        elif words and not words.isspace():
            yield unescaped(words)


def _attributes(text: str) -> dict[str, str]:
    return {name: unescaped(one or other) for name, one, other in _attribute.findall(text)}


# What is inside a word is no border between words.
_inline = re.compile(r"</?(?:a|abbr|b|code|em|font|i|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]{0,4096})?>", re.I)
_markup = re.compile(r"<!--.*?(?:-->|\Z)|<(?:script|style)\b.*?</(?:script|style)|<[^<>]{0,4096}>", re.DOTALL | re.I)


def words_of(html: str, most: int) -> str:
    """The words of a text that may hold HTML, at most so many characters, on one line."""
    cut = html[: 8 * most]
    if "<" in cut:
        cut = _markup.sub(" ", _inline.sub("", cut))
    return " ".join(unescaped(cut).split())[:most]


def local(name: str) -> str:
    """The name of a tag without its prefix, in lower case."""
    return name.rpartition(":")[2].lower()
