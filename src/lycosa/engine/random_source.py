"""A strategy's dice, which show whether anybody has touched them."""

from __future__ import annotations

from random import Random
from typing import Any


class _Unthrown(Random):
    """Dice that nobody has asked for anything yet: the first question, be it for a copy, makes them plain ones."""

    def __getattribute__(self, name: str) -> Any:
        object.__setattr__(self, "__class__", Random)
        return getattr(self, name)


def unthrown(seed: int) -> Random:
    """New dice."""
    dice = Random(seed)
    dice.__class__ = _Unthrown
    return dice


def were_thrown(dice: Random, seed: int) -> bool:
    """Whether dice of this seed may have been used: if not, others would have led to the same."""
    if type(dice) is not _Unthrown:
        return True
    # Past the dice's own methods, so that looking does not count as touching.
    return super(Random, dice).getstate() != super(Random, unthrown(seed)).getstate()
