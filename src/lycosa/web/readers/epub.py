"""Books (EPUB): the chapters in the order of the spine, each read as the HTML that it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from lycosa.web.extracted import NOWHERE, Extracted
from lycosa.web.readers.extraction import DAMAGED, ENCRYPTED, MOST_PAGES, Enough, GrowingText, Unread
from lycosa.web.readers.package import Package, inside

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_OBFUSCATED = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""How fonts are made useless outside of their book; that hides no text."""
_HTML = ("application/xhtml+xml", "text/html")


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a book."""
    package, into = Package(body), GrowingText()
    with suppress(Enough):
        _refuse_encrypted(package)
        for name in _chapters(package, into):
            _chapter(package.read(name), into)
    return into.extracted()


def _refuse_encrypted(package: Package) -> None:
    used: list[str] = []

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag == "EncryptionMethod":
            used.append(attributes.get("Algorithm", ""))

    package.some_xml(_ENCRYPTION, begin)
    if any(each not in _OBFUSCATED for each in used):
        raise Unread(ENCRYPTED)


def _chapters(package: Package, into: GrowingText) -> list[str]:
    """The names of the chapters; title and language are noted."""
    place = ""

    def found(tag: str, attributes: dict[str, str]) -> None:
        nonlocal place
        if tag == "rootfile" and not place:
            place = inside("", attributes.get("full-path", ""))

    package.xml(_CONTAINER, found)
    if place not in package:
        raise Unread(DAMAGED)
    folder = place.rpartition("/")[0]
    items: dict[str, str] = {}
    spine: list[str] = []

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag == "item" and attributes.get("media-type", "") in _HTML:
            items[attributes.get("id", "")] = inside(folder, attributes.get("href", ""))
        elif tag == "itemref":
            spine.append(attributes.get("idref", ""))

    package.xml(place, begin)
    said = package.said(place, "title", "language")
    into.title, into.language = said["title"], said["language"]
    names = [items[each] for each in dict.fromkeys(spine) if each in items]
    return [name for name in names if name in package][:MOST_PAGES]


def _chapter(body: bytes, into: GrowingText) -> None:
    from lycosa.web.parse import read_html

    chapter = read_html(body, "application/xhtml+xml", indexed=True)
    start = len(chapter.title) + 1 if chapter.title else 0
    into.end()
    shift = into.length - start
    into.add(chapter.text[start:])
    into.headings += chapter.headings.split("\n")
    for href, _, place in chapter.anchors:
        if href.startswith(("http://", "https://")):
            span = chapter.locate(place)[0]
            into.anchors.append((href, "", NOWHERE if span == NOWHERE else (span[0] + shift, span[1] + shift)))
