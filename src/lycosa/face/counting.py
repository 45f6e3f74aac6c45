"""Numbers with their nouns, as people write them."""

from __future__ import annotations


def counted(number: int, noun: str, several: str = "") -> str:
    """1 page, 1,200 pages; `several` where the plural is irregular."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"
