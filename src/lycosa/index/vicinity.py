"""The immediate vicinity of a link: the words by which a page refers to another.

It is the anchor and up to REACH characters on either side of it, whole words only, not beyond the sentence in which the
anchor stands and never into the text of another link. The paper leaves it open; this is our choice, measured on the
schools bed by the precision of the first ten references for each topic's keywords: .33 like this and anywhere between
30 and 60 characters, .27 with anchors alone, .31 where sentences do not matter, .25 and less where neighbouring links'
texts count and the window is wide. Of an anchor longer than LONGEST the beginning counts.

A page's vicinities are kept as one excerpt of its text: a mark stands before and after each anchor, a line break where
text was left out, so that every vicinity can be read again as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from lycosa.core.nouns import Span

REACH = 60
LONGEST = 300

MARK = "\0"
_sentence_end = re.compile(r"[.!?] |\n")


class Vicinity(NamedTuple):
    """The words around one link."""

    before: str
    anchor: str
    after: str

    def __str__(self) -> str:
        return " ".join(f"{self.before} {self.anchor} {self.after}".split())


def excerpt(text: str, links: Sequence[tuple[str, Span]]) -> str:
    """What of a page's text is near its links, which stand in the order of their places."""
    if MARK in text:
        text = text.replace(MARK, " ")
    find, rfind = text.find, text.rfind
    pieces: list[str] = []
    end = -REACH
    for _, (start, stop) in links:
        # Anchors that overlap, which well-formed pages have none of, share nothing: the first has it all.
        start = max(start, end, 0)
        anchor = (
            text[start:stop] if stop - start <= LONGEST else text[start : rfind(" ", start, start + LONGEST)] + "\n"
        )
        if start - end > REACH:
            right = text[end : max(end, rfind(" ", end, end + REACH + 1))] if end >= 0 else ""
            left = find(" ", max(0, start - REACH - 1), start)
            pieces.append(f"{right}\n{text[left + 1 : start] if left >= 0 else ''}\0{anchor}\0")
        else:
            pieces.append(f"{text[max(end, 0) : start]}\0{anchor}\0")
        end = max(start, stop)
    if end >= 0:
        pieces.append(
            text[end:] if len(text) - end <= REACH else text[end : max(end, rfind(" ", end, end + REACH + 1))]
        )
    return "".join(pieces)


def in_order(links: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """Links by their places in the text."""
    return sorted(links, key=itemgetter(1))


def vicinities(excerpt: str) -> list[Vicinity]:
    """The words around each link of an excerpt."""
    parts = excerpt.split(MARK)
    return [
        Vicinity(_sentence_end.split(before)[-1], anchor, _sentence_end.split(after, maxsplit=1)[0])
        for before, anchor, after in zip(parts[:-1:2], parts[1::2], parts[2::2], strict=True)
    ]


def sentences(text: str) -> list[str]:
    """A text in sentences."""
    return _sentence_end.split(text)
