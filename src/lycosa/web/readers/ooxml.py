"""What Office files (OOXML) have in common: the main part, the properties, and a file that is none of the known."""

from __future__ import annotations

from collections.abc import Callable

from lycosa.web.extracted import Extracted
from lycosa.web.readers.extraction import DAMAGED, ENCRYPTED, GrowingText, Unread
from lycosa.web.readers.package import Package


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """Nothing: an Office file that is encrypted, or whose main part is missing."""
    raise Unread(DAMAGED if body.startswith(b"PK") else ENCRYPTED)


def main_part(package: Package, usual: str) -> str:
    """The name of the main part."""
    for kind, target in package.relations("").values():
        if kind == "officeDocument" and target in package:
            return target
    if usual not in package:
        raise Unread(DAMAGED)
    return usual


def properties(package: Package, into: GrowingText) -> None:
    """Read the title and the language from the core properties."""
    said = package.said("docProps/core.xml", "title", "language")
    into.title, into.language = said["title"], said["language"]
