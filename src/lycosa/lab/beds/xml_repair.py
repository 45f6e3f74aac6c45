"""Repair of bytes that were meant to be XML: what would stop a parser is repaired and counted."""

from __future__ import annotations

import re
from html.entities import html5
from xml.sax.saxutils import escape

from msgspec import Struct

_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_BLANKED = bytes(32 if code in _CONTROLS else code for code in range(256))
_REPLACED = "\ufffd".encode()
_NO_CHARACTERS = tuple(chr(code).encode() for code in (0xFFFE, 0xFFFF))
_reference = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)(?:([A-Za-z]\w*);)?")
_number = re.compile(rb"&#(x?)([0-9a-fA-F]+);")


class XmlRepair(Struct):
    """Repairs chunks of a file, and counts the repairs; a chunk must not split a character or a reference."""

    controls: int = 0
    """Control characters, replaced by spaces."""
    broken: int = 0
    """Byte sequences that are not UTF-8, replaced by the replacement character."""
    references: int = 0
    """Bare ampersands, undeclared entities, and characters that XML does not allow."""

    def __call__(self, data: bytes) -> bytes:
        """The data as a parser accepts it, with as many lines as before."""
        # Deleting is the quickest way to find out whether there is anything to replace.
        if controls := len(data) - len(data.translate(None, _CONTROLS)):
            self.controls += controls
            data = data.translate(_BLANKED)
        data, times = _reference.subn(_meant, data)
        self.references += times
        if b"&#" in data:
            data = _number.sub(self._character, data)
        return data if data.isascii() else self._utf8(data)

    def _character(self, found: re.Match[bytes]) -> bytes:
        code = int(found[2], 16 if found[1] else 10)
        if code in (9, 10, 13) or (32 <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000 and code | 1 != 0xFFFF):
            return found[0]
        self.references += 1
        return b" "

    def _utf8(self, data: bytes) -> bytes:
        for odd in _NO_CHARACTERS:
            if odd in data:
                self.broken += data.count(odd)
                data = data.replace(odd, _REPLACED)
        try:
            data.decode()
            return data
        except UnicodeDecodeError:
            repaired = data.decode(errors="replace").encode()
            self.broken += repaired.count(_REPLACED) - data.count(_REPLACED)
            return repaired


def _meant(found: re.Match[bytes]) -> bytes:
    """The meaning of an ampersand that XML does not define: an entity of HTML, or itself."""
    if found[1] and (character := html5.get(found[1].decode() + ";")):
        return escape(character).encode()
    return b"&amp;" + found[0][1:]
