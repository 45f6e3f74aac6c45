"""Pages that would block the parser: how to recognise them cheaply, and how to read them anyway.

The time of a standard HTML parser grows with the square of the nesting depth, of the attributes in one tag and of the
formatting elements left open, and some pages are made to exploit that. `risky` bounds the cost of a page by counting,
in a few microseconds; `salvage` reads the text and the links of a risky page in linear time, without a tree.
"""

from __future__ import annotations

import re
from itertools import islice

from lycosa.core.nouns import Span
from lycosa.web.extracted import (
    LONGEST_HEADING,
    MOST_HEADINGS,
    NOWHERE,
    ROBOTS,
    Anchor,
    Extracted,
    clean_headings,
    clean_language,
    clean_title,
    directives,
    refresh_target,
    unescaped,
)

# Measured with Lexbor: the worst page within these bounds takes less than a second, the worst beyond them minutes.
MANY_TAGS = 20_000
MANY_ELEMENTS = 1_500_000
FEW_TAGS = 2_400
MANY_ATTRIBUTES = 200
ATTRIBUTE_LOAD = 1_600_000_000  # bytes of a page times bytes of its longest tags, halved

_NAME = r"[a-zA-Z][^\t\n\f\r />]*+"
_ATTRIBUTE = (
    r"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    r"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)(?:\"|\Z)|'([^']*+)(?:'|\Z)|([^\t\n\f\r >]*+)))?+"
)
_UNNAMED = _ATTRIBUTE.replace("([", "(?:[")

# The lookahead rejects most tags cheaply.
_formatting = re.compile(
    rb"<(?=[bcefinstuBCEFINSTU][a-zA-Z]{0,5}+[\s/])"
    rb"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/][^>]*",
    re.I,
)
# What may follow a position inside a tag: in or before a name, in an unquoted value, after a name or before a value.
_attributes = re.compile(rf"(?:{_UNNAMED})*+[\t\n\f\r /]*+".encode())
_from_bare_value = re.compile(rb"[^\t\n\f\r >]*+" + _attributes.pattern)
_from_equals_sign = re.compile(
    rb"[\t\n\f\r ]*+=?+[\t\n\f\r ]*+(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >]*+)" + _attributes.pattern
)
# Tried at every «<» before a letter, in any context, so that no context hides a tag. A name stops before the next such
# «<», where the next try begins: that keeps the search linear.
_UNTIL_TRIED = r"[^\t\n\f\r /><]*+(?:<(?![a-zA-Z])[^\t\n\f\r /><]*+)*+(?=[\t\n\f\r /])"
_crowded = re.compile(rf"</?[a-zA-Z]{_UNTIL_TRIED}(?:{_UNNAMED}){{{MANY_ATTRIBUTES}}}+".encode())


def risky(html: bytes) -> bool:
    """Whether a parser might take too long for a page."""
    tags = html.count(b"<")
    if tags > MANY_TAGS:
        return True
    if tags > FEW_TAGS and tags * _left_open(html) > MANY_ELEMENTS:
        return True
    return _has_long_tag(html) and _crowded.search(html) is not None


def _left_open(html: bytes) -> int:
    """How many formatting elements can be open at once: the parser recreates them in every block they extend into."""
    tags = _formatting.findall(html)
    kinds = set(tags)
    # The parser remembers at most three equal ones. A quoted «>» hides which tags are equal: then count every tag.
    hidden = any(kind.count(b'"') % 2 or kind.count(b"'") % 2 for kind in kinds)
    return 42 + (len(tags) if hidden else 3 * len(kinds))


def _has_long_tag(html: bytes) -> bool:
    """Whether a tag may be so long that its attributes matter: such a tag covers one of the samples taken here."""
    length = ATTRIBUTE_LOAD // (len(html) + 1)
    for start in range(0, len(html) - length, length):
        end = start + length
        # Where in a tag a sample lies is unknown, so try every state the parser may be in. A sample that lies wholly
        # in a quoted value holds no attributes.
        tries = [(_attributes, start), (_from_bare_value, start), (_from_equals_sign, start)]
        tries += [(_attributes, at + 1) for at in (html.find(b'"', start, end), html.find(b"'", start, end)) if at >= 0]
        for pattern, at in tries:
            found = pattern.match(html, at, end)
            if found and found.end() == end:
                return True
    return False


_text = re.compile(r"(?:[^<]++|<(?![a-zA-Z!/?]))++")
_tag = re.compile(rf"<(/?)({_NAME})([^>\"']*+)")
_attribute = re.compile(_ATTRIBUTE)
_end_of = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.I)
    for name in ("script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea")
}
_HEADINGS = frozenset({"h1", "h2", "h3"})
_READ = frozenset({"a", "area", "base", "frame", "html", "iframe", "img", "meta"})


class _Salvage:
    """One pass over the tags of a page that collects its text, its links and the data of its head."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.texts: list[str] = []
        self.length = 0
        self.anchors: list[Anchor] = []
        self.open: tuple[str, str, int] | None = None
        self.title = self.language = self.base = ""
        self.robots: frozenset[str] = frozenset()
        self.headings: list[str] = []
        self.heading: int | None = None
        """The number of texts before the open heading."""

    def read(self) -> Extracted:
        html, at = self.html, 0
        while at < len(html):
            if found := _text.match(html, at):
                at = found.end()
                self.text(found.group())
            elif found := _tag.match(html, at):
                at = self.tag(found[1], found[2].lower(), found.start(3), found.end())
            else:
                # A comment, or what a browser treats as one.
                end = html.find("-->", at + 2) + 3 if html.startswith("<!--", at) else html.find(">", at) + 1
                at = end if end > at else len(html)
        self.close()
        self.end_heading()
        start = f"{self.title}\n" if self.title else ""
        shift = len(start)
        anchors = [(href, rel, (begin + shift, end + shift)) for href, rel, (begin, end) in self.anchors]
        text, headings = start + " ".join(self.texts), clean_headings(self.headings)
        return Extracted(text, anchors, self.title, self.language, self.base, self.robots, headings=headings)

    def text(self, text: str) -> None:
        if not text.isspace():
            text = unescaped(text)
            self.texts.append(text)
            self.length += len(text) + 1

    def tag(self, slash: str, name: str, start: int, at: int) -> int:
        """Process a tag whose attributes begin at `start`; return where to read on."""
        html = self.html
        if not html.startswith(">", at):  # quotes, which may hold a «>»
            at = start
            while found := _attribute.match(html, at):
                at = found.end()
            at = html.find(">", at)
            if at < 0:
                return len(html)
        if name in _HEADINGS:
            # A heading ends at its end tag, or where the next heading begins.
            self.end_heading()
            self.heading = None if slash else len(self.texts)
        if slash:
            if name == "a":
                self.close()
            return at + 1
        if name in _READ:
            self.read_tag(name, self.attributes(start, at))
        if name == "plaintext":
            self.text(html[at + 1 :])
            return len(html)
        if name in _end_of:
            end = _end_of[name].search(html, at + 1)
            inside = html[at + 1 : end.start() if end else len(html)]
            if name == "title":
                self.title = self.title or clean_title(unescaped(inside))
            elif name == "textarea":
                self.text(inside)
            return end.start() if end else len(html)
        return at + 1

    def attributes(self, start: int, end: int) -> dict[str, str]:
        attributes: dict[str, str] = {}
        for found in islice(_attribute.finditer(self.html, start, end), MANY_ATTRIBUTES):
            attributes.setdefault(found[1].lower(), unescaped(found[2] or found[3] or found[4] or ""))
        return attributes

    def read_tag(self, name: str, attributes: dict[str, str]) -> None:
        content = attributes.get("content", "")
        if name == "a":
            self.close()
            if href := attributes.get("href"):
                self.open = href, attributes.get("rel", ""), self.length
        elif name == "area":
            if href := attributes.get("href"):
                begin = self.length
                self.text(attributes.get("alt", ""))
                self.anchors.append((href, attributes.get("rel", ""), self.span(begin)))
        elif name == "img":
            if self.open and attributes.get("alt"):
                self.text(attributes["alt"])
        elif name in ("frame", "iframe"):
            if href := attributes.get("src"):
                self.anchors.append((href, "", self.span(self.length)))
        elif name == "base":
            self.base = self.base or attributes.get("href", "")
        elif name == "html":
            self.language = self.language or clean_language(attributes.get("lang"))
        elif attributes.get("name", "").lower() in ROBOTS:
            self.robots |= directives(content)
        elif attributes.get("http-equiv", "").lower() == "refresh" and (href := refresh_target(content)):
            self.anchors.append((href, "", NOWHERE))

    def close(self) -> None:
        """End the open link here."""
        if self.open:
            href, rel, begin = self.open
            self.anchors.append((href, rel, self.span(begin)))
            self.open = None

    def end_heading(self) -> None:
        """End the open heading here."""
        if self.heading is not None and len(self.headings) < MOST_HEADINGS:
            self.headings.append(" ".join(self.texts[self.heading : self.heading + LONGEST_HEADING]))

    def span(self, begin: int) -> Span:
        return begin, max(begin, self.length - 1)


def salvage(html: str) -> Extracted:
    """What can be read of a page without a tree: links have their place in the text, but no elements around them."""
    return _Salvage(html).read()
