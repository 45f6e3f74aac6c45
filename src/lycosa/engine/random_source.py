"""A strategy's random numbers, with a record of whether any were used."""

from __future__ import annotations

from random import Random
from typing import Any


class _Unused(Random):
    """A random source that was never used: any attribute access, even to copy it, turns it into a plain Random."""

    def __getattribute__(self, name: str) -> Any:
        object.__setattr__(self, "__class__", Random)
        return getattr(self, name)


def unused_random(seed: int) -> Random:
    """A new random source that notices its first use."""
    source = Random(seed)
    source.__class__ = _Unused
    return source


def was_used(source: Random, seed: int) -> bool:
    """Whether a random source with this seed may have been used: if not, any seed would have had the same result."""
    if type(source) is not _Unused:
        return True
    # Bypasses the object's own attribute access, so that this check does not count as use.
    return super(Random, source).getstate() != super(Random, unused_random(seed)).getstate()
