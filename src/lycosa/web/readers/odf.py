"""OpenDocument files: texts, presentations and spreadsheets have the same elements."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from lycosa.web.extracted import Extracted
from lycosa.web.readers.extraction import DAMAGED, ENCRYPTED, Enough, GrowingText, Unread
from lycosa.web.readers.media_types import PAGE_BREAK
from lycosa.web.readers.package import Package, inside

_HIDDEN = frozenset({"tracked-changes", "annotation", "forms", "scripts", "font-face-decls", "automatic-styles"})
_MOST_SPACES = 100


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of an OpenDocument file; each slide is a page."""
    package, into = Package(body), GrowingText()
    with suppress(Enough):
        _refuse_encrypted(package)
        said = package.said("meta.xml", "title", "language")
        into.title, into.language = said["title"], said["language"]
        content = _Content(into, package)
        if not package.xml("content.xml", content.begin, content.end, content.text):
            raise Unread(DAMAGED)
        content.read_objects()
    return into.extracted()


def _refuse_encrypted(package: Package) -> None:
    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag == "encryption-data":
            raise _Found

    try:
        package.some_xml("META-INF/manifest.xml", begin)
    except _Found:
        raise Unread(ENCRYPTED) from None


class _Found(Exception):
    """There is such an element."""


class _Content:
    """Reads content.xml."""

    def __init__(self, into: GrowingText, package: Package | None = None) -> None:
        self.into = into
        self.package = package
        """Where its objects are, which are charts and formulas; None in an object itself."""
        self.objects: list[str] = []
        self.depth = 0
        """How many paragraphs and headings we are in: text outside of them is only layout."""
        self.hidden = 0
        self.pages = 0
        self.links: list[tuple[str, int]] = []
        self.heading = 0
        self.in_cell = self.has_sheets = False

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        into = self.into
        if self.hidden or tag in _HIDDEN:
            self.hidden += 1
        elif tag in ("p", "h"):
            self.depth += 1
            if tag == "h":
                self.heading = into.length
        elif tag == "s":
            count = attributes.get("text:c", "1")
            into.add(" " * min(int(count) if count.isdecimal() and len(count) < 4 else 1, _MOST_SPACES))
        elif tag == "tab":
            into.add("\t")
        elif tag == "line-break":
            into.add("\n")
        elif tag == "object":
            self.objects.append(inside("", f"{attributes.get('xlink:href', '')}/content.xml"))
        elif tag == "a":
            self.links.append((attributes.get("xlink:href", ""), into.length))
        elif tag == "page" and "draw:name" in attributes:
            if self.pages:
                into.end(PAGE_BREAK)
            self.pages += 1
        elif tag == "spreadsheet":
            self.has_sheets = True
        elif tag == "table" and self.has_sheets and (name := attributes.get("table:name")):
            into.end()
            into.headings.append(name)
            into.add(name)
            into.end()
        elif tag == "table-cell":
            self.in_cell = True

    def end(self, tag: str) -> None:
        """An element ends."""
        into = self.into
        if self.hidden:
            self.hidden -= 1
        elif tag in ("p", "h"):
            self.depth -= 1
            if tag == "h":
                into.headings.append(into.since(self.heading))
            into.end("\t" if self.in_cell else "\n")
        elif tag == "a" and self.links:
            into.link(*self.links.pop())
        elif tag == "table-cell":
            self.in_cell = False
        elif tag in ("table-row", "table"):
            into.end()
        elif tag == "page":
            self.read_objects()

    def read_objects(self) -> None:
        """Read the objects of the page that has just ended."""
        waiting, self.objects = self.objects, []
        if self.package is None:
            return
        for name in waiting:
            inner = _Content(self.into)
            self.package.some_xml(name, inner.begin, inner.end, inner.text)
            self.into.end()

    def text(self, piece: str) -> None:
        """Characters."""
        if self.depth and not self.hidden:
            self.into.add(piece)
