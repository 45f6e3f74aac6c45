"""The names of media types that people use: `pdf` for application/pdf, and so on."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.system.errors import Code, Refused

_OPEN = "application/vnd.oasis.opendocument."
_OFFICE = "application/vnd.openxmlformats-officedocument."
NAMES: dict[str, tuple[str, ...]] = {
    "html": ("text/html", "application/xhtml+xml"),
    "text": ("text/plain",),
    "markdown": ("text/markdown", "text/x-markdown"),
    "csv": ("text/csv", "text/tab-separated-values"),
    "json": ("application/json", "application/ld+json"),
    "source": ("text/x-source",),
    "xml": ("application/xml", "text/xml"),
    "feed": ("application/rss+xml", "application/atom+xml", "application/feed+json"),
    "pdf": ("application/pdf",),
    "epub": ("application/epub+zip",),
    "rtf": ("application/rtf", "text/rtf"),
    "docx": (f"{_OFFICE}wordprocessingml.document",),
    "pptx": (f"{_OFFICE}presentationml.presentation",),
    "xlsx": (f"{_OFFICE}spreadsheetml.sheet",),
    "odt": (f"{_OPEN}text",),
    "odp": (f"{_OPEN}presentation",),
    "ods": (f"{_OPEN}spreadsheet",),
}
"""Media types by name."""


class MediaTypes:
    """A set of media types: whole ones, and all that begin in some way."""

    def __init__(self, types: Sequence[str], starts: Sequence[str]) -> None:
        self._types = frozenset(types)
        self._starts = tuple(starts)

    def __contains__(self, mime: str) -> bool:
        return mime in self._types or mime.startswith(self._starts)


def types_of(names: Sequence[str]) -> MediaTypes:
    """The media types that these names stand for; raises Refused for unknown ones."""
    types: list[str] = []
    starts: list[str] = []
    for name in (word.strip().lower() for each in names for word in each.split(",")):
        if name.endswith("/*"):
            starts.append(name[:-1])
        elif name in NAMES or "/" in name:
            types += NAMES.get(name, (name,))
        elif name:
            fix = f"use one of {', '.join(NAMES)}, or a media type such as image/png or image/*"
            raise Refused(f"unknown type {name!r}", fix, code=Code.UNKNOWN_NAME, field="types")
    return MediaTypes(types, starts)
