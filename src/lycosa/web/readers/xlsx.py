"""Excel files: the sheets in their order, a row per line; numbers and dates as they are stored."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from lycosa.web.extracted import Extracted
from lycosa.web.readers.extraction import MOST_PAGES, MOST_TEXT, Enough, GrowingText
from lycosa.web.readers.ooxml import main_part, properties
from lycosa.web.readers.package import Package

LONGEST_CELL = 40_000
"""Characters of a cell; Excel's own limit is 32,767."""


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a workbook; the names of the sheets are its headings."""
    package, into = Package(body), GrowingText()
    with suppress(Enough):
        properties(package, into)
        main = main_part(package, "xl/workbook.xml")
        targets = package.relations(main)
        sheets: list[tuple[str, str]] = []

        def begin(tag: str, attributes: dict[str, str]) -> None:
            if tag == "sheet" and (found := targets.get(attributes.get("r:id", ""))):
                sheets.append((attributes.get("name", ""), found[1]))

        package.xml(main, begin)
        strings = next((target for kind, target in targets.values() if kind == "sharedStrings"), "")
        shared = _shared(package, strings)
        for name, sheet in sheets[:MOST_PAGES]:
            into.end()
            into.headings.append(name)
            into.add(name)
            into.end()
            _Sheet(package, into, shared).read(sheet)
    return into.extracted()


def _shared(package: Package, name: str) -> list[str]:
    """The texts that cells share."""
    found: list[str] = []
    pieces: list[str] = []
    taken = phonetic = False
    length = 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal taken, phonetic
        if tag == "si":
            pieces.clear()
        elif tag == "rPh":
            phonetic = True
        taken = tag == "t" and not phonetic

    def end(tag: str) -> None:
        nonlocal taken, phonetic, length
        if tag == "si":
            found.append("".join(pieces))
            length += len(found[-1])
            if length > 4 * MOST_TEXT:
                raise Enough
        elif tag == "rPh":
            phonetic = False
        taken = False

    with suppress(Enough):
        package.some_xml(name, begin, end, lambda piece: pieces.append(piece) if taken else None)
    return found


class _Sheet:
    """Reads the rows of a sheet."""

    def __init__(self, package: Package, into: GrowingText, shared: list[str]) -> None:
        self.package, self.into, self.shared = package, into, shared
        self.targets: dict[str, tuple[str, str]] = {}
        self.taken = False
        self.kind = self.value = ""
        self.first = True

    def read(self, name: str) -> None:
        """Read a sheet."""
        self.targets = self.package.relations(name)
        self.package.some_xml(name, self.begin, self.end, self.text)

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if tag == "c":
            self.kind, self.value = attributes.get("t", ""), ""
        elif tag in ("v", "t"):
            self.taken = True
        elif tag == "row":
            self.first = True
        elif tag == "hyperlink":
            self.into.link(self.targets.get(attributes.get("r:id", ""), ("", ""))[1])

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag in ("v", "t"):
            self.taken = False
        elif tag == "c" and self.value:
            value = self.value
            if self.kind == "s":
                place = int(value) if value.isdecimal() and len(value) < 9 else -1
                value = self.shared[place] if 0 <= place < len(self.shared) else ""
            self.into.add(value if self.first else f"\t{value}")
            self.first = False
        elif tag == "row" and not self.first:
            self.into.end()

    def text(self, piece: str) -> None:
        """Characters."""
        if self.taken and len(self.value) < LONGEST_CELL:
            self.value += piece
