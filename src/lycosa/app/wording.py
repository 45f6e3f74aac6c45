"""Numbers and names as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

_LEAST, _MOST = 0.005, 0.995
"""Below and above these, a probability would be rounded to 0 % or 100 %, which are only for what is known."""


def counted(number: int, noun: str, several: str = "") -> str:
    """1 page, 1,200 pages; `several` where the plural is irregular."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def size_of(count: float) -> str:
    """A number of bytes with its unit, such as 1.5 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return ""


def percent(value: float) -> str:
    """A share or a probability as a person writes it, such as 87 %; 0 % and 100 % only if it is exactly that."""
    if 0 < value < _LEAST:
        return "< 1 %"
    if _MOST <= value < 1:
        return "> 99 %"
    # A half goes up, as on the pages.
    return f"{floor(100 * value + 0.5)} %"


def probability(value: float | None, known: str = "") -> str:
    """A relevance, such as 87 %; in words if it is not known yet, and with how it is `known` if it is certain."""
    if value is None:
        return "not known yet"
    return f"{percent(value)} ({known})" if known else percent(value)


def on_topic(value: float | None, known: str = "") -> str:
    """How likely a page is on topic, in words that stand alone."""
    if value is None:
        return "not known yet whether it is on topic"
    return f"{probability(value)} on topic{f' ({known})' if known else ''}"


def harvest_words(value: float | None) -> str:
    """The mean relevance of some pages, which is the share of them that is expected to be on topic."""
    return "not known yet" if value is None else f"about {percent(value)} of the pages on topic"


def page_numbers(pages: Sequence[int]) -> str:
    """The pages of a document as books name them: «p. 12», «pp. 3, 12»."""
    return f"{'p.' if len(pages) == 1 else 'pp.'} {', '.join(f'{page:,}' for page in pages)}" if pages else ""


def printable(text: str) -> str:
    """A text without control characters: titles come from strangers and must not control the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
