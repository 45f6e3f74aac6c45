"""What the readers of documents share: the limits, the reasons why there is no text, and a text as it grows."""

from __future__ import annotations

import re
import time
from bisect import bisect
from functools import cached_property

from lycosa.core.nouns import Span
from lycosa.web.document_titles import stated_title
from lycosa.web.extracted import NOWHERE, Anchor, Extracted, clean_headings, clean_language
from lycosa.web.readers.media_types import PAGE_BREAK

MOST_TEXT = 4_000_000
"""Characters of a document that are kept."""
MOST_PAGES = 3_000
"""Pages of a document that are read."""
MOST_LINKS = 20_000
LONGEST = 8.0
"""Seconds after which the rest of a document is left out; less than the patience with a scout."""
LINE = 2_000
"""Characters before and after a link at which its line ends at the latest."""


class Unread(Exception):
    """A document without a text: «damaged», «encrypted» or «too large to read»."""


DAMAGED, ENCRYPTED = "damaged", "encrypted"


class Enough(Exception):
    """A limit is reached: what has been read so far is kept."""


class GrowingText:
    """A text that grows piece by piece, with its links and headings; raises Enough at the limits."""

    def __init__(self) -> None:
        self.title = self.language = self.base = ""
        self.anchors: list[Anchor] = []
        self.headings: list[str] = []
        self.length = 0
        self._pieces: list[str] = []
        self._until = time.monotonic() + LONGEST
        self._last = "\n"

    def add(self, piece: str) -> None:
        """Append a piece as it is."""
        if not piece:
            return
        if self.length + len(piece) > MOST_TEXT or time.monotonic() > self._until:
            self._append(piece[: max(0, MOST_TEXT - self.length)])
            raise Enough
        self._append(piece)

    def _append(self, piece: str) -> None:
        if piece:
            self._pieces.append(piece)
            self._last = piece[-1]
            self.length += len(piece)

    def end(self, mark: str = "\n") -> None:
        """End a line, a cell or a page, unless one has just ended."""
        if self._last in "\n\f" and mark != PAGE_BREAK:
            return
        self.add(mark)

    def link(self, href: str, start: int | None = None) -> None:
        """Note a link whose anchor reaches from `start` to here; without `start` its place is not known."""
        if href and not href.startswith("#") and len(self.anchors) < MOST_LINKS:
            span: Span = NOWHERE if start is None else (start, self.length)
            self.anchors.append((href, "", span))

    def since(self, start: int) -> str:
        """The text from a place to here."""
        wanted, pieces = self.length - start, []
        for piece in reversed(self._pieces):
            if wanted <= 0:
                break
            pieces.append(piece[-wanted:])
            wanted -= len(piece)
        return "".join(reversed(pieces))

    def extracted(self) -> Extracted:
        """Everything so far; the title is the first line of the text, as in every page."""
        title = stated_title(self.title)
        headings = clean_headings(self.headings)
        start = f"{title}\n" if title else ""
        shift = len(start)
        anchors = [
            (href, rel, place if place is NOWHERE else (place[0] + shift, place[1] + shift))
            for href, rel, place in self.anchors
        ]
        text = start + "".join(self._pieces)
        language = clean_language(self.language)
        return Extracted(text, anchors, title, language, self.base, locate=Surroundings(text), headings=headings)


class Surroundings:
    """The places of links: around each are its line and its page."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _breaks(self) -> list[int]:
        return [found.start() for found in re.finditer(PAGE_BREAK, self._text)]

    def __call__(self, span: Span) -> tuple[Span, tuple[Span, ...], str]:
        """The span of a link, those of the line and the page around it, and no path."""
        if span == NOWHERE:
            return span, (), ""
        text, (start, end) = self._text, span
        first = text.rfind("\n", max(0, start - LINE), start) + 1 or max(0, start - LINE)
        last = text.find("\n", end, end + LINE)
        rings = [(first, last if last >= 0 else min(len(text), end + LINE))]
        if self._breaks:
            page = bisect(self._breaks, start)
            begins = self._breaks[page - 1] + 1 if page else 0
            ends = self._breaks[page] if page < len(self._breaks) else len(text)
            first, last = rings[0]
            rings[0] = (max(first, begins), max(end, min(last, ends)))
            rings.append((begins, max(end, ends)))
        return span, tuple(rings), ""
