"""Best-N-First (Pant, Srinivasan & Menczer 2002, section 3, figure 1): greedy in batches of N.

The N best links are taken together, and all of them are fetched, in random order, before the next N are chosen: a
larger N explores more. The frontier holds MAX_BUFFER links; when it is full, a new link replaces the one with the
lowest score, even if its own score is lower still.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lycosa.core.strategy import register
from lycosa.strategy.best_first import BestFirst


@register("best-n-first")
@dataclass
class BestNFirst(BestFirst):
    """Fetch the N best links before looking for better ones."""

    full: ClassVar[str] = "replace-worst"
    n: int = 256
    """How many links are fetched before the next are chosen."""
    buffer: int = 256
    """How many links the frontier holds; the paper's MAX_BUFFER."""

    def __post_init__(self) -> None:
        if self.n < 1 or self.buffer < 1:
            raise self.bad_option("n", "buffer", fix="give both at least 1")
        self.batch = self.n
        self.capacity = self.buffer
