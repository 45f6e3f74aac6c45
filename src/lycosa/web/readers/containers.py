"""What kind of document a container holds, from as many of its bytes as have come."""

from __future__ import annotations

import re

from lycosa.web.readers.media_types import EPUB, OLE, OOXML, ZIP, kind_of

_member = re.compile(rb"PK\x03\x04.{22}[\x00-\xff]{4}(word|ppt|xl)/", re.DOTALL)
_PARTS = {
    b"word": f"{OOXML}.wordprocessingml.document",
    b"ppt": f"{OOXML}.presentationml.presentation",
    b"xl": f"{OOXML}.spreadsheetml.sheet",
}
_OFFICE = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/", b"ppt/", b"xl/", b"customXml/")
_named_type = re.compile(rb"[a-z]+/[a-z0-9.+-]{1,80}")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def held_in(body: bytes, container: str) -> str:
    """The media type of a zip or OLE file; the container's own if it holds nothing that can be read."""
    if container == OLE:
        # An encrypted Office file is not a zip; its reader says so.
        return OOXML if _ENCRYPTED in body else OLE
    length = int.from_bytes(body[26:28], "little")
    first = body[30 : 30 + length]
    if first == b"mimetype":
        at = 30 + length + int.from_bytes(body[28:30], "little")
        named = _named_type.match(body, at)
        kind = kind_of(named[0].decode()) if named else None
        return kind.mime if kind and kind.whole else ZIP
    if first.startswith(_OFFICE):
        found = _member.search(body)
        return _PARTS[found[1]] if found else OOXML
    return EPUB if b"META-INF/container.xml" in body else ZIP
