"""PowerPoint files: the slides in their order, each followed by its notes; titles of slides are headings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from lycosa.web.extracted import Extracted
from lycosa.web.readers.extraction import MOST_PAGES, Enough, GrowingText
from lycosa.web.readers.media_types import PAGE_BREAK
from lycosa.web.readers.ooxml import main_part, properties
from lycosa.web.readers.package import Package

_TITLES = ("title", "ctrTitle")
_FIELDS = ("sldNum", "dt", "ftr", "hdr")
"""Placeholders of the slide's number, date, footer and header."""


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a presentation; each slide is a page."""
    package, into = Package(body), GrowingText()
    with suppress(Enough):
        properties(package, into)
        main = main_part(package, "ppt/presentation.xml")
        targets = package.relations(main)
        order: list[str] = []

        def begin(tag: str, attributes: dict[str, str]) -> None:
            if tag == "sldId" and (found := targets.get(attributes.get("r:id", ""))):
                order.append(found[1])

        package.xml(main, begin)
        for number, slide in enumerate(order[:MOST_PAGES]):
            if number:
                into.end(PAGE_BREAK)
            _Slide(package, into).read(slide)
    return into.extracted()


class _Slide:
    """Reads a slide and its notes, and the text of its diagrams and charts."""

    def __init__(self, package: Package, into: GrowingText) -> None:
        self.package, self.into = package, into
        self.targets: dict[str, tuple[str, str]] = {}
        self.taken = self.is_title = self.is_field = False
        self.hidden = 0
        self.shape = self.run = 0
        self.href = ""

    def read(self, name: str) -> None:
        """Read a slide, then its notes."""
        self.targets = targets = self.package.relations(name)
        self.package.some_xml(name, self.begin, self.end, self.text)
        for kind, target in targets.values():
            if kind in ("notesSlide", "diagramData", "chart"):
                self.into.end()
                self.targets = self.package.relations(target)
                self.hidden = 0
                self.package.some_xml(target, self.begin, self.end, self.text)

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if self.hidden or tag == "Fallback":
            self.hidden += 1
        elif tag in ("t", "v"):
            # <v> is a name or a number in a chart.
            self.taken = not self.is_field
        elif tag == "sp":
            self.shape, self.is_title, self.is_field = self.into.length, False, False
        elif tag == "ph":
            self.is_title = attributes.get("type") in _TITLES
            self.is_field = attributes.get("type") in _FIELDS
        elif tag == "r":
            self.run, self.href = self.into.length, ""
        elif tag == "br":
            self.into.add("\n")
        elif tag == "hlinkClick":
            kind, target = self.targets.get(attributes.get("r:id", ""), ("", ""))
            self.href = target if kind == "hyperlink" else ""

    def end(self, tag: str) -> None:
        """An element ends."""
        into = self.into
        if self.hidden:
            self.hidden -= 1
        elif tag in ("t", "v"):
            self.taken = False
        elif tag in ("p", "tc", "pt"):
            into.end()
        elif tag == "r" and self.href:
            into.link(self.href, self.run)
            self.href = ""
        elif tag == "sp":
            if self.is_title:
                into.headings.append(into.since(self.shape))
            self.is_title = self.is_field = False

    def text(self, piece: str) -> None:
        """Characters."""
        if self.taken and not self.hidden:
            self.into.add(piece)
