"""What a check finds wrong in the files of a collection."""

from __future__ import annotations

from typing import NamedTuple


class Damage(NamedTuple):
    """One damaged file or record: where it is, what is wrong with it, and what can make it anew."""

    place: str
    problem: str
    repair: str
    """What can make it anew; empty where nothing can."""
