"""Best-N-First (Pant, Srinivasan & Menczer 2002, section 3, figure 1): greedy in batches of N.

The N best links are taken together, and all of them are fetched, in random order, before the next N are chosen: a
larger N explores more. The frontier holds MAX_BUFFER links; when it is full, a new link replaces the one with the
lowest score, even if its own score is lower still.

With several workers, too, nothing is chosen before the whole batch is there, so N = 1 fetches one page at a time, as
figure 1 does (best-first goes on with the next best link). A redirect and its target are one fetch. The random order of
a batch depends on the crawl's random seed. Our choices: among equal scores the link that was found first is taken
first; a link that is found again keeps its best score and counts once in the frontier; and a page that a host could not
give for the moment is tried again in a later batch, by its score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from lycosa.core.brief import Brief
from lycosa.core.keys import key64
from lycosa.core.nouns import Plain, Ticket
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
        self._salt = 0

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds; the order of batches is drawn now, because a resumed crawl repeats leases without drawing."""
        self._salt = brief.rng.getrandbits(64) if self.n > 1 else 0
        return super().begin(brief)

    def place_in_batch(self, ticket: Ticket) -> float:
        """A random number for each URL: sorted by them, a batch is in random order."""
        return float(key64(f"{self._salt} {ticket.url}"))

    def save(self) -> Plain:
        """The order of batches."""
        return self._salt

    def load(self, state: Plain) -> None:
        """Restore what `save` returned; a crawl from before it returned anything goes on with the order of its seed."""
        if state is not None:
            self._salt = state
