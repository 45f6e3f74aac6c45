"""The media types that can be read besides HTML: their names, suffixes and readers, and what each needs.

A new type is one line in `_KINDS` and a module with `read(body, text) -> Extracted`: `text` is a function that decodes
the body.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

HTML, PLAIN, XML = "text/html", "text/plain", "application/xml"
ZIP, PDF, RTF = "application/zip", "application/pdf", "application/rtf"
EPUB = "application/epub+zip"
_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
OOXML = _OFFICE
"""An Office file of which too little has come to know which one."""
OLE = "application/x-ole-storage"
"""The container of Office files before 2007, and of encrypted later ones."""


class Kind(NamedTuple):
    """A media type that can be read."""

    mime: str
    name: str
    """As in the reasons of failures: «damaged docx»."""
    module: str
    """The module of this package with its reader."""
    suffixes: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Other names that servers use for it."""
    whole: bool = True
    """Whether only a whole file can be read: then it may be as long as a document."""
    package: str = ""
    """The package without which it cannot be read."""
    extra: str = ""
    """The extra of Lycosa that has this package."""


_KINDS = (
    Kind(PDF, "pdf", "pdf", ("pdf",), ("application/x-pdf",), package="pypdfium2", extra="documents"),
    Kind(f"{_OFFICE}.wordprocessingml.document", "docx", "docx", ("docx", "docm"), (
        f"{_OFFICE}.wordprocessingml.template", "application/vnd.ms-word.document.macroenabled.12")),
    Kind(f"{_OFFICE}.presentationml.presentation", "pptx", "pptx", ("pptx", "pptm", "ppsx"), (
        f"{_OFFICE}.presentationml.slideshow", "application/vnd.ms-powerpoint.presentation.macroenabled.12")),
    Kind(f"{_OFFICE}.spreadsheetml.sheet", "xlsx", "xlsx", ("xlsx", "xlsm"), (
        "application/vnd.ms-excel.sheet.macroenabled.12",)),
    Kind(OOXML, "office file", "ooxml"),
    Kind(f"{_OPEN}.text", "odt", "odf", ("odt", "ott"), (f"{_OPEN}.text-template", f"{_OPEN}.text-master")),
    Kind(f"{_OPEN}.presentation", "odp", "odf", ("odp", "otp"), (f"{_OPEN}.presentation-template",)),
    Kind(f"{_OPEN}.spreadsheet", "ods", "odf", ("ods", "ots"), (f"{_OPEN}.spreadsheet-template",)),
    Kind(EPUB, "epub", "epub", ("epub",)),
    Kind(RTF, "rtf", "rtf", ("rtf",), ("text/rtf", "application/x-rtf", "text/richtext")),
    Kind("text/markdown", "markdown", "markdown", ("md", "markdown", "mdown"), ("text/x-markdown",), whole=False),
    Kind("text/csv", "csv", "plain_table", ("csv",), ("application/csv", "text/x-csv"), whole=False),
    Kind("text/tab-separated-values", "tsv", "plain_table", ("tsv",), whole=False),
    Kind("application/ld+json", "json", "json_text", ("jsonld",), whole=False),
    Kind("application/json", "json", "json_text", ("json",), ("text/json", "application/x-ndjson"), whole=False),
    Kind("text/x-source", "source", "source_code", (
        "py", "c", "h", "cc", "cpp", "hpp", "java", "go", "rs", "rb", "pl", "pm", "sh", "kt", "swift", "scala", "hs",
        "lua", "r", "jl", "sql", "tex", "bib", "toml", "yaml", "yml", "ini", "cfg", "diff", "patch", "rst", "adoc",
    ), ("application/x-sh", "application/x-python", "application/x-python-code", "application/sql", "application/toml",
        "application/yaml", "application/x-yaml", "application/x-tex", "application/x-latex", "application/x-perl",
        "application/x-ruby"), whole=False),
)  # fmt: skip
_by_type = {name: kind for kind in _KINDS for name in (kind.mime, *kind.also)}
_by_suffix = {suffix: kind for kind in _KINDS for suffix in kind.suffixes}
READ: frozenset[str] = frozenset({HTML, PLAIN, *(kind.mime for kind in _KINDS)})
"""The media types of pages that have a text."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_UNREADABLE = _names(
    """7z aac aif aiff apk appimage asf avi avif bin bmp bz2 cab css dat deb dll dmg doc dot dwg dxf eot eps exe fla
    flac flv gif gz heic ico img ipa iso jar jfif jpe jpeg jpg js jxl lz lzma m2ts m4a m4b m4v mid midi mjs mkv mng
    mobi mov mp2 mp3 mp4 mpe mpeg mpg msi msix mts oga ogg ogv opus otf pbm pgm pkg png pnm pps ppt ppm ps psd qt
    rar rmvb rpm svg svgz swf tar tbz tbz2 tga tgz tif tiff torrent ttf txz wasm wav webm webp whl wma wmv woff
    woff2 xcf xls xpi xz zip zst"""
)
"""Suffixes of files that nobody can read as text here."""

PAGE_BREAK = "\f"
"""Between the pages or slides of a document in its text."""
NOT_READABLE = "not readable"
"""The reason of a link that is not followed because of its suffix."""
TOO_LARGE = "too large to read"
NEEDS = "needs the extra"
"""The beginning of the reason why a document is missed that could be read with another package."""


def kind_of(mime: str) -> Kind | None:
    """The kind of a media type as servers write it, without parameters; None if it cannot be read."""
    kind = _by_type.get(mime)
    if kind is None and mime.startswith("text/x-"):
        kind = _by_type["text/x-source"]
    if kind is None and mime.startswith("application/") and mime.endswith("+json"):
        kind = _by_type["application/json"]
    return kind


def name_of(mime: str) -> str:
    """The short name of a media type that has a text, such as html, text or pdf."""
    kind = kind_of(mime)
    return kind.name if kind else "text" if mime == PLAIN else "html"


def suffix_of(url: str) -> str:
    """The suffix of the file that a URL names, in lower case; empty if it names none."""
    path = url.partition("?")[0].partition("#")[0]
    name = path[path.rfind("/") + 1 :]
    # /wiki/File:Spider.jpg is a page about a picture.
    stem, dot, suffix = name.rpartition(".")
    return suffix.lower() if dot and stem and ":" not in name and path.count("/") > 2 else ""


def kind_named(url: str) -> Kind | None:
    """The kind of document that the suffix of a URL names."""
    return _by_suffix.get(suffix_of(url))


def names_document(url: str) -> bool:
    """Whether the suffix of a URL names a document that can only be read as a whole."""
    kind = kind_named(url)
    return kind is not None and kind.whole


def text_kind_named(url: str) -> str:
    """The media type of a text without a better one than text/plain, by its suffix."""
    kind = kind_named(url)
    return kind.mime if kind and not kind.whole else PLAIN


def refused_by_name(url: str) -> str | None:
    """Why a link need not be followed: its suffix names a file that cannot be read."""
    suffix = suffix_of(url)
    if not suffix:
        return None
    if suffix in _UNREADABLE:
        # Sitemaps come packed.
        return None if suffix == "gz" and _may_be_sitemap(url.partition("?")[0][:-3]) else NOT_READABLE
    kind = _by_suffix.get(suffix)
    return lacking(kind) if kind and kind.package else None


def _may_be_sitemap(url: str) -> bool:
    suffix = suffix_of(url)
    return suffix == "xml" or (suffix in ("", "txt") and "sitemap" in url[url.rfind("/") :].lower())


def lacking(kind: Kind) -> str | None:
    """The reason why a kind cannot be read here: the package that it needs is not installed."""
    return None if not kind.package or _installed(kind.package) else f"{NEEDS} {kind.extra}"


@cache
def _installed(package: str) -> bool:
    return find_spec(package) is not None


def reader_of(kind: Kind) -> Any:
    """The `read` of a kind's module."""
    return import_module(f"{__package__}.{kind.module}").read
