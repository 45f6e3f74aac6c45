"""Text as a 64-bit number: the key under which URLs are stored, the same on every machine."""

from __future__ import annotations

from xxhash import xxh3_64_intdigest


def key64(text: str) -> int:
    """A 64-bit hash of the text."""
    return xxh3_64_intdigest(text.encode())
