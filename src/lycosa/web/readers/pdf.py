"""PDF files, read by PDFium: the text page by page, links, title, language, and the outline as headings."""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lycosa.web.extracted import MOST_HEADINGS, Extracted
from lycosa.web.readers.extraction import DAMAGED, ENCRYPTED, MOST_PAGES, Enough, GrowingText, Unread
from lycosa.web.readers.media_types import PAGE_BREAK

_MOST_OF_A_PAGE = 200_000
"""Characters of one page that are kept."""
_LINKS_OF_A_PAGE = 500
_one_at_a_time = threading.Lock()
"""PDFium is not safe for threads."""
_hyphenated = re.compile("(?<=\\w)(?:\u0002|\ufffe|\u00ad)(?:\r?\n)?")
_breaks = re.compile("\r\n?")


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a PDF."""
    with _one_at_a_time:
        return _read(body)


def _read(body: bytes) -> Extracted:
    import pypdfium2.raw as pdfium

    start = body.find(b"%PDF-", 0, 1024)
    document = pdfium.FPDF_LoadMemDocument64(body, len(body), None) if start >= 0 else None
    if not document:
        protected = start >= 0 and pdfium.FPDF_GetLastError() in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)
        raise Unread(ENCRYPTED if protected else DAMAGED)
    into = GrowingText()
    try:
        count = pdfium.FPDF_GetPageCount(document)
        if count <= 0:
            raise Unread(DAMAGED)
        into.title = _utf16(pdfium.FPDF_GetMetaText, document, b"Title")
        into.language = _language(pdfium, document)
        into.headings = _outline(pdfium, document)
        with suppress(Enough):
            for number in range(min(count, MOST_PAGES)):
                if number:
                    into.add(PAGE_BREAK)
                _page(pdfium, document, number, into)
    finally:
        pdfium.FPDF_CloseDocument(document)
    return into.extracted()


def _page(pdfium: Any, document: Any, number: int, into: GrowingText) -> None:
    page = pdfium.FPDF_LoadPage(document, number)
    if not page:
        return
    try:
        text_page = pdfium.FPDFText_LoadPage(page)
        if not text_page:
            return
        try:
            start = into.length
            count = min(pdfium.FPDFText_CountChars(text_page), _MOST_OF_A_PAGE)
            if count > 0:
                buffer = ctypes.create_string_buffer(2 * (count + 1))
                length = pdfium.FPDFText_GetText(text_page, 0, count, _wide(buffer))
                written = buffer.raw[: 2 * max(0, length - 1)].decode("utf-16-le", "replace")
                into.add(_tidied(written))
            _links(pdfium, document, page, text_page, start, into)
        finally:
            pdfium.FPDFText_ClosePage(text_page)
    finally:
        pdfium.FPDF_ClosePage(page)


def _tidied(written: str) -> str:
    """A page's text with line feeds only, and with the words joined that a line's end divides."""
    written = _hyphenated.sub("", written)
    return _breaks.sub("\n", written).replace("\0", "").replace(PAGE_BREAK, " ")


def _links(pdfium: Any, document: Any, page: Any, text_page: Any, start: int, into: GrowingText) -> None:
    """The link annotations of a page; the anchor is the text in the rectangle of the link, if it is found again."""
    place, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    own = into.since(start) if into.length > start else ""
    at = 0
    for _ in range(_LINKS_OF_A_PAGE):
        if not pdfium.FPDFLink_Enumerate(page, place, link):
            break
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        href = _bytes(pdfium.FPDFAction_GetURIPath, document, action)
        anchor = _inside(pdfium, link, text_page)
        found = own.find(anchor, at) if anchor else -1
        if found < 0 and anchor:
            found = own.find(anchor)
        if found >= 0:
            at = found
            if len(into.anchors) < 20_000:
                into.anchors.append((href, "", (start + found, start + found + len(anchor))))
        else:
            into.link(href)


def _inside(pdfium: Any, link: Any, text_page: Any) -> str:
    box = pdfium.FS_RECTF()
    if not pdfium.FPDFLink_GetAnnotRect(link, box):
        return ""
    sides = (box.left, box.top, box.right, box.bottom)
    size = pdfium.FPDFText_GetBoundedText(text_page, *sides, None, 0)
    if not 0 < size < 2_000:
        return ""
    buffer = ctypes.create_string_buffer(2 * (size + 1))
    pdfium.FPDFText_GetBoundedText(text_page, *sides, _wide(buffer), size)
    return _tidied(buffer.raw[: 2 * size].decode("utf-16-le", "replace")).strip()


def _outline(pdfium: Any, document: Any) -> list[str]:
    """The titles of the outline, in their order; a hostile outline may be a circle."""
    found: list[str] = []
    waiting = [pdfium.FPDFBookmark_GetFirstChild(document, None)]
    for _ in range(8 * MOST_HEADINGS):
        if not waiting or len(found) >= MOST_HEADINGS:
            break
        mark = waiting.pop()
        if not mark:
            continue
        if title := _utf16(pdfium.FPDFBookmark_GetTitle, mark):
            found.append(title)
        waiting += [
            pdfium.FPDFBookmark_GetNextSibling(document, mark),
            pdfium.FPDFBookmark_GetFirstChild(document, mark),
        ]
    return found


def _language(pdfium: Any, document: Any) -> str:
    size = pdfium.FPDFCatalog_GetLanguage(document, None, 0)
    if not 2 < size < 200:
        return ""
    buffer = ctypes.create_string_buffer(2 * size)
    pdfium.FPDFCatalog_GetLanguage(document, _wide(buffer), size)
    return buffer.raw.decode("utf-16-le", "replace").partition("\0")[0]


def _wide(buffer: Any) -> Any:
    """A buffer for 16-bit characters."""
    return ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))


def _utf16(ask: Any, *of: Any) -> str:
    """A text that PDFium writes into a buffer."""
    size = ask(*of, None, 0)
    if not 2 < size < 20_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(*of, buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").replace("\0", "").strip()


def _bytes(ask: Any, *of: Any) -> str:
    size = ask(*of, None, 0)
    if not 1 < size < 5_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(*of, buffer, size)
    return buffer.raw[: size - 1].decode("utf-8", "replace")
