"""The immediate vicinity of a link: the words by which a page refers to another.

It is the anchor and up to REACH characters on either side of it, whole words only, not beyond the anchor's sentence and
never into the text of another link. Only the beginning of an anchor longer than LONGEST counts. The paper leaves the
size open; this is our choice, by the precision of the first ten references for each topic's keywords on the schools
bed: .35 with these rules (.33 to .35 for 30 to 120 characters), .27 with anchors alone; measured in words instead, .33
for eight words, .31 if sentences are ignored, .27 if other links' texts count too, and less with every further word.

A page's vicinities are kept as one excerpt of its text, with a mark before and after each anchor and a line break where
text was left out, so that every vicinity can be read again as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from lycosa.core.nouns import Span

REACH = 50
LONGEST = 300

MARK = " \0 "
# The same ends of sentences as in excerpt_terms.py: no letter follows, as far as the first bytes of UTF-8 show.
_sentence_end = re.compile(r"[.!?]++(?![0-9A-Za-z\u00c0-\u1fff\u3000-\U0010ffff])|\n")


class LinkContext(NamedTuple):
    """The words around one link."""

    before: str
    anchor: str
    after: str

    def __str__(self) -> str:
        return " ".join(f"{self.before}{self.anchor}{self.after}".split())

    @property
    def words(self) -> str:
        """The whole vicinity for counting: blanks separate the anchor's first and last word from the text around it."""
        return f"{self.before} {self.anchor} {self.after}"


def excerpt(text: str, links: Sequence[tuple[str, Span]]) -> str:
    """The parts of a page's text that are near its links; the links are in the order of their places."""
    if "\0" in text:
        text = text.replace("\0", " ")
    find, rfind = text.find, text.rfind
    pieces: list[str] = []
    end = 0
    for _, (start, stop) in links:
        # If anchors overlap, which they do not in well-formed pages, the shared text belongs to the first.
        if start < end:
            start = end
        if stop < start:
            stop = start
        anchor = text[start:stop] if stop - start <= LONGEST else _beginning(text, start, LONGEST) + "\n"
        if start - end <= REACH:
            pieces.append(f"{text[end:start]}{MARK}{anchor}{MARK}")
        else:
            cut = rfind(" ", end, end + REACH + 1)
            begin = find(" ", start - REACH - 1, start)
            pieces.append(
                f"{text[end:cut] if cut > 0 else ''}\n{text[begin:start] if begin >= 0 else ''}{MARK}{anchor}{MARK}"
            )
        end = stop
    pieces.append(text[end:] if len(text) - end <= REACH else _beginning(text, end, REACH))
    return "".join(pieces)


def _beginning(text: str, start: int, length: int) -> str:
    """As many whole words as fit into the length."""
    return text[start : max(start, text.rfind(" ", start, start + length + 1))]


def in_order(links: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """Links sorted by their places in the text."""
    return sorted(links, key=itemgetter(1))


def vicinities(excerpt: str, links: Iterable[int]) -> list[LinkContext]:
    """The words around some links of an excerpt, given by their rows."""
    parts = excerpt.split(MARK)
    return [
        LinkContext(sentences(parts[2 * row])[-1], parts[2 * row + 1], sentences(parts[2 * row + 2])[0])
        for row in links
    ]


def sentences(text: str) -> list[str]:
    """A text split into sentences."""
    return _sentence_end.split(text)
