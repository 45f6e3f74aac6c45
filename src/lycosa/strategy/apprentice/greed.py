"""How greedy the apprentice may be: what it promised against what came of it, over all and by host.

Exploration versus exploitation (Pant, Srinivasan & Menczer 2002) asks for a crawler that finds its own balance. Here
the promises of the latest fifty or so pages are compared with their relevance: the share of what was promised and not
kept is the share of `explore` that is spent on links which the model knows little about. A host that keeps its promises
worse than the others falls in esteem, the more so the longer it does.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.nouns import Plain
from lycosa.strategy.apprentice.page_model import Floats, Ids, grown

MEMORY = 0.98
"""How much of the past counts after one more page."""
PATIENCE = 5.0
"""How many relevant pages a host may owe, beyond what others owe as well, before its links are worth less."""
STRICTNESS = 0.5
"""How much log-odds each one beyond that costs."""


class Greed:
    """Compares promises with outcomes."""

    def __init__(self, explore: float) -> None:
        self.explore = explore
        self.promised = self.kept = self.weight = 0.0
        self.itch = 0.0
        """It explores whenever this reaches one."""
        self.owed = np.zeros(64)
        """By host."""

    def outcome(self, host: int, promised: float, relevance: float) -> None:
        """A page was fetched that was promised to be relevant with this probability."""
        usual = (self.promised - self.kept) / self.weight if self.weight else 0.0
        self.promised = MEMORY * self.promised + promised
        self.kept = MEMORY * self.kept + relevance
        self.weight = MEMORY * self.weight + 1.0
        if host >= len(self.owed):
            self.owed = grown(self.owed, 2 * host)
        self.owed[host] = max(0.0, self.owed[host] + promised - relevance - usual)
        self.itch += self.share

    @property
    def share(self) -> float:
        """Which share of the pages is spent on exploring."""
        return self.explore * max(0.0, 1.0 - self.kept / self.promised) if self.promised else 0.0

    def wants_to_explore(self) -> bool:
        """Whether the next page should be one that is little known about."""
        if self.itch < 1.0:
            return False
        self.itch -= 1.0
        return True

    def grudge(self, hosts: Ids) -> Floats:
        """The log-odds that links to these hosts lose."""
        known = hosts < len(self.owed)
        owed = np.where(known, self.owed[np.where(known, hosts, 0)], 0.0)
        return np.asarray(STRICTNESS * np.maximum(owed - PATIENCE, 0.0))

    def save(self) -> Plain:
        """Everything as plain data."""
        return {"sums": [self.promised, self.kept, self.weight, self.itch], "owed": self.owed.tobytes()}

    def load(self, state: Plain) -> None:
        """Take up what `save` returned."""
        self.promised, self.kept, self.weight, self.itch = state["sums"]
        self.owed = np.frombuffer(state["owed"], np.float64).copy()
