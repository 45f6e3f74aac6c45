"""Zip packages and their XML, within limits: office files and books are such packages.

Nothing is unpacked to disk, no entity is expanded and none is loaded, packages in packages are left alone, and the sum
of what is unpacked is bounded.
"""

from __future__ import annotations

import time
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from posixpath import join, normpath
from typing import Any
from urllib.parse import unquote
from xml.parsers.expat import ExpatError, ParserCreate

from lycosa.web.readers.extraction import DAMAGED, ENCRYPTED, LONGEST, Enough, Unread
from lycosa.web.readers.media_types import TOO_LARGE

MOST_BYTES = 96 << 20
"""Bytes that are unpacked of one document."""
MOST_MEMBERS = 20_000
DEEPEST = 512
"""Elements inside each other."""
_CHUNK = 1 << 16
_LONGEST_FIELD = 1_000

Begin = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


class Package:
    """The members of a zip file."""

    def __init__(self, body: bytes) -> None:
        if body.count(b"PK\x01\x02") > MOST_MEMBERS:
            raise Unread(TOO_LARGE)
        try:
            self._zip = zipfile.ZipFile(BytesIO(body))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
            raise Unread(DAMAGED) from None
        self._left = MOST_BYTES
        self._until = time.monotonic() + LONGEST

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def names(self) -> list[str]:
        """The names of the members."""
        return self._zip.namelist()

    def read(self, name: str) -> bytes:
        """A whole member, empty if there is none."""
        if name not in self:
            return b""
        pieces: list[bytes] = []
        self._each(name, pieces.append)
        return b"".join(pieces)

    def _each(self, name: str, take: Callable[[bytes], Any]) -> None:
        info = self._zip.NameToInfo[name]
        if info.flag_bits & 1:
            raise Unread(ENCRYPTED)
        try:
            with self._zip.open(info) as file:
                while chunk := file.read(_CHUNK):
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise Unread(TOO_LARGE)
                    if time.monotonic() > self._until:
                        raise Enough
                    take(chunk)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, RuntimeError):
            raise Unread(DAMAGED) from None

    def xml(self, name: str, begin: Begin, end: End | None = None, text: Text | None = None) -> bool:
        """Parse a member; False if there is none. Names of elements and attributes come without their namespace."""
        if name not in self:
            return False
        depth = 0

        def began(tag: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > DEEPEST:
                raise Unread(DAMAGED)
            begin(tag.partition(":")[2] or tag, attributes)

        def ended(tag: str) -> None:
            nonlocal depth
            depth -= 1
            if end:
                end(tag.partition(":")[2] or tag)

        parser = ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = began
        parser.EndElementHandler = ended
        if text:
            parser.CharacterDataHandler = text
        parser.EntityDeclHandler = _refuse
        try:
            self._each(name, lambda chunk: parser.Parse(chunk, False))
            parser.Parse(b"", True)
        except ExpatError:
            raise Unread(DAMAGED) from None
        return True

    def some_xml(self, name: str, begin: Begin, end: End | None = None, text: Text | None = None) -> bool:
        """As `xml`, for a member without which the document can be read: damage to it does not matter."""
        try:
            return self.xml(name, begin, end, text)
        except Unread as unread:
            if str(unread) == TOO_LARGE:
                raise Enough from None
            return False

    def said(self, name: str, *tags: str) -> dict[str, str]:
        """The text of the first element of each of these names, of bounded length; for titles and languages."""
        found = dict.fromkeys(tags, "")
        at = ""

        def begin(tag: str, attributes: dict[str, str]) -> None:
            nonlocal at
            at = tag if tag in found and not found[tag] else ""

        def end(tag: str) -> None:
            nonlocal at
            at = ""

        def text(piece: str) -> None:
            if at and len(found[at]) < _LONGEST_FIELD:
                found[at] += piece[:_LONGEST_FIELD]

        self.some_xml(name, begin, end, text)
        return {tag: value.strip() for tag, value in found.items()}

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """The type and target of each relation of a part of an Office file, by its id."""
        folder, _, name = part.rpartition("/")
        found: dict[str, tuple[str, str]] = {}

        def begin(tag: str, attributes: dict[str, str]) -> None:
            if tag == "Relationship":
                target = attributes.get("Target", "")
                if attributes.get("TargetMode") != "External":
                    target = inside(folder, target)
                found[attributes.get("Id", "")] = (attributes.get("Type", "").rpartition("/")[2], target)

        self.some_xml(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels", begin)
        return found


def _refuse(*_: Any) -> None:
    # Entities are how a few bytes of XML become gigabytes, and how they name files; office files have none.
    raise Unread(DAMAGED)


def inside(folder: str, target: str) -> str:
    """The name of a member to which another one in `folder` refers."""
    if target.startswith("/"):
        return normpath(unquote(target)).lstrip("/")
    return normpath(join(folder, unquote(target.partition("#")[0])))
