"""Numbers and names as people write them."""

from __future__ import annotations


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


def printable(text: str) -> str:
    """A text without control characters: titles come from strangers and must not control the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
