"""What a check finds wrong in the files of a collection."""

from __future__ import annotations

from typing import NamedTuple


class Damage(NamedTuple):
    """One damaged file or record: where it is, what is wrong with it, and how it can be rebuilt."""

    place: str
    problem: str
    repair: str
    """How it can be rebuilt; empty if it cannot be."""
