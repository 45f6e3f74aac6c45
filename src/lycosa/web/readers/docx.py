"""Word files: paragraphs, tables, notes, links and headings, in the order in which they are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from lycosa.web.extracted import Extracted
from lycosa.web.readers.extraction import Enough, GrowingText
from lycosa.web.readers.ooxml import main_part, properties
from lycosa.web.readers.package import Package

_field = re.compile(r'\s*HYPERLINK\s+"([^"]{1,4000})"')
_heading = re.compile(r"heading\s?[1-6]|title", re.I).fullmatch
_NOTES = ("footnotes", "endnotes")


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a Word file."""
    package, into = Package(body), GrowingText()
    with suppress(Enough):
        properties(package, into)
        main = main_part(package, "word/document.xml")
        part = _Part(package, into, _headings(package, main, into))
        part.read(main)
        for kind, target in package.relations(main).values():
            if kind in _NOTES:
                into.end()
                with suppress(KeyError):
                    part.read(target, aside=True)
    return into.extracted()


def _headings(package: Package, main: str, into: GrowingText) -> set[str]:
    """The ids of the styles of headings, by their names, which do not depend on the language of the program."""
    found: set[str] = set()
    style = ""

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal style
        if tag == "style":
            style = attributes.get("w:styleId", "")
        elif tag == "name" and _heading(attributes.get("w:val", "")):
            found.add(style)
        elif tag == "lang" and not into.language:
            into.language = attributes.get("w:val", "")

    for kind, target in package.relations(main).values():
        if kind == "styles":
            package.some_xml(target, begin)
    return found


class _Part:
    """Reads one part after another into the same text."""

    def __init__(self, package: Package, into: GrowingText, headings: set[str]) -> None:
        self.package, self.into, self.headings = package, into, headings
        self.targets: dict[str, tuple[str, str]] = {}
        self.taken = False
        self.hidden = 0
        self.instruction = ""
        self.code = False
        self.paragraph = 0
        self.is_heading = False
        self.links: list[tuple[str, int]] = []
        self.fields: list[tuple[str, int] | None] = []

    def read(self, name: str, *, aside: bool = False) -> None:
        """Read a part; the damage of notes does not matter."""
        self.targets = self.package.relations(name)
        self.hidden, self.links, self.fields = 0, [], []
        (self.package.some_xml if aside else self.package.xml)(name, self.begin, self.end, self.text)

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        into = self.into
        if self.hidden or tag in ("Fallback", "del", "moveFrom"):
            # The fallback repeats in an older form what has just been said.
            self.hidden += 1
        elif tag == "t":
            self.taken = True
        elif tag == "p":
            self.paragraph, self.is_heading = into.length, False
        elif tag == "pStyle":
            self.is_heading = attributes.get("w:val", "") in self.headings
        elif tag == "outlineLvl":
            self.is_heading = attributes.get("w:val", "9") < "6"
        elif tag in ("tab", "ptab"):
            into.add("\t")
        elif tag in ("br", "cr"):
            into.add("\n")
        elif tag in ("noBreakHyphen", "softHyphen"):
            into.add("-" if tag == "noBreakHyphen" else "")
        elif tag == "hyperlink":
            self.links.append((self.targets.get(attributes.get("r:id", ""), ("", ""))[1], into.length))
        elif tag == "instrText":
            self.code = True
        elif tag == "fldSimple":
            found = _field.match(attributes.get("w:instr", ""))
            self.links.append((found[1] if found else "", into.length))
        elif tag == "fldChar":
            self._field(attributes.get("w:fldCharType", ""))

    def _field(self, mark: str) -> None:
        if mark == "begin":
            self.instruction = ""
            self.fields.append(None)
        elif mark == "separate" and self.fields:
            found = _field.match(self.instruction)
            self.fields[-1] = (found[1], self.into.length) if found else None
        elif mark == "end" and self.fields and (field := self.fields.pop()):
            self.into.link(*field)

    def end(self, tag: str) -> None:
        """An element ends."""
        into = self.into
        if self.hidden:
            self.hidden -= 1
        elif tag == "t":
            self.taken = False
        elif tag == "p":
            if self.is_heading:
                into.headings.append(into.since(self.paragraph))
                self.is_heading = False
            into.end()
        elif tag == "instrText":
            self.code = False
        elif tag in ("hyperlink", "fldSimple") and self.links:
            into.link(*self.links.pop())

    def text(self, piece: str) -> None:
        """Characters."""
        if self.taken and not self.hidden:
            self.into.add(piece)
        elif self.code:
            self.instruction = (self.instruction + piece)[:5000]
