"""Which characters do these bytes stand for, and what kind of document are they?

`decode` follows the encoding sniffing of the HTML standard: byte order mark, HTTP charset, <meta> in the first 1,024
bytes; then UTF-8 if it is valid, else windows-1252. `sniff_type` trusts the bytes more than the header.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from resiliparse.parse.encoding import map_encoding_to_html5

from lycosa.web.readers.media_types import (
    HTML,
    OLE,
    PDF,
    PLAIN,
    READ,
    RTF,
    XML,
    ZIP,
    kind_named,
    kind_of,
    lacking,
    text_kind_named,
)

LATE = 1 << 14
"""Bytes within which a browser still notices a <meta> that names the encoding."""

# Browsers decode the extensions of these encodings too, and three labels that resiliparse does not know.
_EXTENDED = {
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso2022_jp": "iso2022_jp_ext",
    "iso8859-11": "cp874",
}
_MORE_LABELS = {"x-mac-cyrillic": "mac-cyrillic", "x-mac-ukrainian": "mac-cyrillic", "x-user-defined": "cp1252"}


@lru_cache(maxsize=512)
def codec_of(label: str) -> str | None:
    """The Python codec for what a label means on the Web (latin1 means windows-1252); None for an unknown label."""
    label = label.strip("\t\n\f\r ").lower()
    found = map_encoding_to_html5(label, False) or _MORE_LABELS.get(label)
    return codecs.lookup(_EXTENDED.get(found, found)).name if found else None


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The text of a body, and the Python codec that decoded it."""
    if body.startswith(codecs.BOM_UTF8):
        return body[3:].decode("utf-8", "replace"), "utf-8"
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        wide = "utf-16-le" if body[0] == 0xFF else "utf-16-be"
        return body[2:].decode(wide, "replace"), wide
    declared = _http_charset(content_type) or _prescan(body[:1024])
    if not declared and body.find(b"charset", 1024, LATE) > 0:
        # A browser that finds a <meta> only later starts the page again in that encoding.
        declared = _prescan(body[:LATE])
    if declared:
        return body.decode(declared, "replace"), declared
    if body.isascii():
        # ASCII is the same in both; without a declaration browsers call it windows-1252.
        return body.decode("ascii"), "cp1252"
    try:
        return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        # A body cut at the cap may end inside a character.
        if error.end == len(body) and error.reason == "unexpected end of data":
            return body.decode("utf-8", "replace"), "utf-8"
        return body.decode("cp1252", "replace"), "cp1252"


@lru_cache(maxsize=512)
def _http_charset(content_type: str) -> str | None:
    if not content_type:
        return None
    return _charset_in(content_type.encode("latin-1", "replace"))


_charset = re.compile(
    rb"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))""", re.I
)


def _charset_in(value: bytes) -> str | None:
    """The encoding that «...; charset=x» names."""
    found = _charset.search(value)
    return codec_of((found[1] or found[2] or found[3] or b"").decode("latin-1")) if found else None


_tag = re.compile(rb"<(?:(!--)|(meta)[\t\n\f\r /]|/?[a-z][^\t\n\f\r >]*|[!/?])", re.I)
_attribute = re.compile(
    rb"""[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)"""
    rb"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)("?)|'([^']*)('?)|([^\t\n\f\r >]*)))?"""
)
_xml = re.compile(rb"""<\?xml[^>]*?encoding[\t\n\r ]*=[\t\n\r ]*["']([^"'>]*)["']""")


def _prescan(head: bytes) -> str | None:
    """The encoding that a page's own <meta> (or XML declaration) names."""
    place = 0
    last = head.lower().rfind(b"charset")
    while found := _tag.search(head, place, max(last, 0)):
        place = found.end()
        if found[1]:
            place = head.find(b"-->", found.start() + 2) + 3
            if place < 3:
                break
        elif found.group()[-1:] in b"!/?":
            place = head.find(b">", place)
            if place < 0:
                break
        else:
            attributes, place = _attributes(head, place)
            if place < 0:
                break
            if found[2] and (encoding := _meta_encoding(attributes)):
                return encoding
    declared = _xml.match(head)
    return _not_wide(codec_of(declared[1].decode("latin-1"))) if declared else None


def _attributes(head: bytes, place: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes of a tag and where it ends; -1 if it ends beyond the bytes that are scanned."""
    attributes: dict[bytes, bytes] = {}
    while found := _attribute.match(head, place):
        place = found.end()
        if (found[2] is not None and not found[3]) or (found[4] is not None and not found[5]):
            return attributes, -1
        attributes.setdefault(found[1].lower(), found[2] or found[4] or found[6] or b"")
    return attributes, place if head.find(b">", place) >= 0 else -1


def _meta_encoding(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return _not_wide(codec_of(attributes[b"charset"].decode("latin-1")))
    if attributes.get(b"http-equiv", b"").lower() == b"content-type":
        return _not_wide(_charset_in(attributes.get(b"content", b"")))
    return None


def _not_wide(encoding: str | None) -> str | None:
    """The encoding, but not UTF-16: a page whose declaration could be read as ASCII is not UTF-16, whatever it says."""
    return "utf-8" if encoding in ("utf-16-le", "utf-16-be") else encoding


_MAGIC = (
    (b"%PDF-", PDF),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (b"\x1f\x8b", "application/gzip"),
    (b"%!PS-", "application/postscript"),
    (b"{\\rtf", RTF),
)
_magic_starts = tuple(start for start, _ in _MAGIC)
_binary = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
# Possessive, so that no comment is ever matched twice: on a hostile page backtracking would take years.
_LEAD = rb"(?:(?><!--.*?-->)|[\t\n\f\r ]|\xef\xbb\xbf|(?><\?[^>]*>))*+"
_html_start = re.compile(
    _LEAD
    + rb"<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|div|table|iframe|h1|p|a|br|b|font)[\s/>]",
    re.I | re.DOTALL,
)
_whole_html = re.compile(_LEAD + rb"<(?:!doctype\s+html|html)[\s>]", re.I | re.DOTALL)
_feed = re.compile(_LEAD + rb"(?:<!doctype[^>]*>\s*+)?<(?:rss|feed|rdf:RDF|urlset|sitemapindex|svg)\b", re.DOTALL)
_HTML = (HTML, "application/xhtml+xml")
_XML = ("text/xml", XML)
_BYTES = "application/octet-stream"
_UNTYPED = ("", _BYTES, "application/unknown", "unknown/unknown", "*/*")


def sniff_type(body: bytes, content_type: str = "", url: str = "") -> str:
    """The type of a body from its first bytes, its header and the suffix of its URL: one of `READ`, or another."""
    declared = _declared(content_type)
    head = body[:1024]
    if declared in _XML:
        return HTML if _html_start.match(head) else declared
    if not worth_reading(content_type, url):
        return declared
    if _is_binary(head):
        return _binary_type(body, _magic(head), declared, url)
    if declared in _HTML:
        return XML if head.lstrip()[:2] == b"<?" and _feed.match(head) else HTML
    if declared == PLAIN:
        return HTML if _whole_html.match(head) else text_kind_named(url)
    if declared in _UNTYPED or "/" not in declared:
        if _feed.match(head):
            return XML
        return HTML if _html_start.match(head) else text_kind_named(url)
    # Many servers answer with a page of HTML when the document is gone.
    return HTML if _whole_html.match(head) else _binary_type(body, "", declared, url)


def _binary_type(body: bytes, found: str, declared: str, url: str) -> str:
    """The type of a file that is no text, by what its bytes show, or what its header or URL says."""
    kind = kind_of(declared) or kind_named(url)
    whole = kind.mime if kind and kind.whole else ""
    if found in (ZIP, OLE):
        from lycosa.web.readers.containers import held_in

        held = held_in(body, found)
        return whole if held == ZIP and whole.startswith("application/") and whole != PDF and whole != RTF else held
    if found and found != _BYTES:
        return found
    if b"%PDF-" in body[:1024] and (found or whole):
        # Some files have a few bytes before their signature.
        return PDF
    return whole or found or (kind.mime if kind else declared)


_known_type = re.compile(r"(?:application|audio|font|image|model|multipart|text|video)/[a-z0-9][a-z0-9.+-]{1,40}")


def type_reason(mime: str) -> str:
    """Why a document of this type is not wanted: one of a few reasons, whatever type the server names."""
    return f"type {mime}" if _known_type.fullmatch(mime) else "type unknown"


@lru_cache(maxsize=512)
def may_be_read(content_type: str) -> bool:
    """Whether a body with this header is worth reading: it may turn out to be of a type that can be read."""
    declared = _declared(content_type)
    known = declared == PLAIN or declared in _HTML or declared in _XML or declared in _UNTYPED or "/" not in declared
    return known or kind_of(declared) is not None


def worth_reading(content_type: str, url: str) -> bool:
    """As `may_be_read`; or the header says «application/something», and the URL more about it."""
    return may_be_read(content_type) or (content_type[:12].lower() == "application/" and kind_named(url) is not None)


@lru_cache(maxsize=512)
def may_be_long(content_type: str) -> bool:
    """Whether a body with this header may be a document, which may be longer than a page."""
    declared = _declared(content_type)
    if declared in _UNTYPED or "/" not in declared:
        return True
    kind = kind_of(declared)
    return kind.whole if kind else not may_be_read(content_type)


def unreadable(mime: str) -> str | None:
    """Why a document of this type is not wanted: it cannot be read, or not on this machine."""
    if mime not in READ:
        return type_reason(mime)
    kind = kind_of(mime)
    return lacking(kind) if kind else None


@lru_cache(maxsize=512)
def lacking_for(content_type: str) -> str | None:
    """Why a body with this header cannot be read on this machine, although it can be with another package."""
    kind = kind_of(_declared(content_type))
    return lacking(kind) if kind else None


def is_document(mime: str) -> bool:
    """Whether only a whole file of this type can be read."""
    return mime in READ and (kind := kind_of(mime)) is not None and kind.whole


def _declared(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _is_binary(head: bytes) -> bool:
    if head.startswith(_magic_starts):
        return True
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    # A stray control character does not make a binary file of what clearly begins as HTML.
    return bool(_binary.search(head, 0, 512)) and not _html_start.match(head)


def _magic(head: bytes) -> str:
    return next((kind for start, kind in _MAGIC if head.startswith(start)), _BYTES)
