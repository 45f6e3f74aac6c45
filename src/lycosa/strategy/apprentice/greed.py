"""How greedy the apprentice may be: what it predicted compared with the outcome, in total and by host.

A crawler should find its own balance of exploration and exploitation (Pant, Srinivasan & Menczer 2002). Here the
predictions for about the latest fifty pages are compared with their relevance: the share of the predicted relevance
that was missing is the share of `explore` that is spent on links which the model knows little about. A host whose pages
stay below their predictions more than those of others is trusted less, and ever less as long as this goes on.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.nouns import Plain
from lycosa.core.page_model import Floats, Ids, grown

MEMORY = 0.98
"""How much of the past counts after each page."""
PATIENCE = 5.0
"""How many relevant pages a host may fall short by, more than others, before its links are worth less."""
TRUST = 2.0
"""So many dead links in a row say nothing about a host yet."""
STRICTNESS = 0.5
"""The log-odds that each further missing page costs."""


class Greed:
    """Compares predictions with outcomes."""

    def __init__(self, explore: float) -> None:
        self.explore = explore
        self.promised = self.kept = self.weight = 0.0
        self.itch = 0.0
        """The strategy explores whenever this reaches one."""
        self.owed = np.zeros(64)
        """How many relevant pages each host falls short by."""
        self.answers = np.zeros((64, 2))
        """How many links to each host brought a page, and how many brought none."""

    def outcome(self, host: int, promised: float, relevance: float) -> None:
        """A page was fetched whose predicted probability of being relevant is given."""
        usual = (self.promised - self.kept) / self.weight if self.weight else 0.0
        self.promised = MEMORY * self.promised + promised
        self.kept = MEMORY * self.kept + relevance
        self.weight = MEMORY * self.weight + 1.0
        if host >= len(self.owed):
            self.owed = grown(self.owed, 2 * host)
        self.owed[host] = max(0.0, self.owed[host] + promised - relevance - usual)
        self.itch += self.share
        self._count(host, 0)

    def dead(self, host: int) -> None:
        """A link to this host brought no page."""
        self._count(host, 1)

    def _count(self, host: int, which: int) -> None:
        if host >= len(self.answers):
            self.answers = grown(self.answers, 2 * host)
        self.answers[host, which] += 1.0

    @property
    def share(self) -> float:
        """The share of pages spent on exploring."""
        return self.explore * max(0.0, 1.0 - self.kept / self.promised) if self.promised else 0.0

    def wants_to_explore(self) -> bool:
        """Whether the next page should be one that little is known about."""
        if self.itch < 1.0:
            return False
        self.itch -= 1.0
        return True

    def grudge(self, hosts: Ids) -> Floats:
        """The log-odds that links to these hosts lose."""
        known = hosts < len(self.owed)
        owed = np.where(known, self.owed[np.where(known, hosts, 0)], 0.0)
        return np.asarray(STRICTNESS * np.maximum(owed - PATIENCE, 0.0))

    def deadness(self, hosts: Ids) -> Floats:
        """The log-odds that links to hosts lose from which no page has ever come, however many were asked for."""
        known = hosts < len(self.answers)
        alive, dead = np.where(known[:, None], self.answers[np.where(known, hosts, 0)], 0.0).T
        return np.asarray(np.where(alive > 0, 0.0, np.log(np.maximum(dead, TRUST) / TRUST)))

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "sums": [self.promised, self.kept, self.weight, self.itch],
            "owed": self.owed.tobytes(),
            "answers": self.answers.tobytes(),
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.promised, self.kept, self.weight, self.itch = state["sums"]
        self.owed = np.frombuffer(state["owed"], np.float64).copy()
        self.answers = np.frombuffer(state["answers"], np.float64).reshape(-1, 2).copy()
