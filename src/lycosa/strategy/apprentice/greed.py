"""How greedy the apprentice may be: what it predicted compared with the outcome, in total and by host.

A crawler should find its own balance of exploration and exploitation (Pant, Srinivasan & Menczer 2002). Here the
predictions for about the latest fifty pages are compared with their relevance: the share of the predicted relevance
that was missing is the share of `explore` that is spent on links which the model knows little about. A host whose pages
stay below their predictions more than those of others is trusted less, and ever less as long as this goes on. So is a
host, or a kind of address, most of whose links are dead.
"""

from __future__ import annotations

import numpy as np

from lycosa.core.nouns import Plain
from lycosa.core.page_kinds import NUMBERS, Kinds
from lycosa.core.page_model import Floats, Ids, grown

MEMORY = 0.98
"""How much of the past counts after each page."""
PATIENCE = 5.0
"""How many relevant pages a host may fall short by, more than others, before its links are worth less."""
TRUST, ANSWERED = 2.0, 10.0
"""So many dead links say nothing about a host or a kind of address yet, and so many more for each link that was not."""
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
        self.kind_answers = np.zeros((NUMBERS, 2))
        """The same for each kind of address."""
        self._kind_deadness = np.zeros(NUMBERS)

    def outcome(self, host: int, kinds: Kinds, promised: float, relevance: float) -> None:
        """A page was fetched whose predicted probability of being relevant is given."""
        usual = (self.promised - self.kept) / self.weight if self.weight else 0.0
        self.promised = MEMORY * self.promised + promised
        self.kept = MEMORY * self.kept + relevance
        self.weight = MEMORY * self.weight + 1.0
        if host >= len(self.owed):
            self.owed = grown(self.owed, 2 * host)
        self.owed[host] = max(0.0, self.owed[host] + promised - relevance - usual)
        self.itch += self.share
        self._count(host, kinds, 0)

    def dead(self, host: int, kinds: Kinds) -> None:
        """A link to this host, and with an address of these kinds, brought no page."""
        self._count(host, kinds, 1)

    def _count(self, host: int, kinds: Kinds, which: int) -> None:
        kinds = kinds[kinds > 0]
        self.kind_answers[kinds, which] += 1.0
        self._kind_deadness[kinds] = _deadness(self.kind_answers[kinds])
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

    def requests(self, hosts: Ids) -> Floats:
        """How many links to these hosts were followed, whatever they brought."""
        return np.asarray(self._answers(hosts).sum(1))

    def _answers(self, hosts: Ids) -> Floats:
        known = hosts < len(self.answers)
        return np.asarray(np.where(known[:, None], self.answers[np.where(known, hosts, 0)], 0.0))

    def deadness(self, hosts: Ids) -> Floats:
        """The log-odds that links to these hosts lose, because most links to them have brought no page."""
        return _deadness(self._answers(hosts))

    def deadness_of_kinds(self, kinds: Kinds) -> Floats:
        """The log-odds that links with addresses of these kinds lose, by the kind that has brought fewest pages."""
        return np.asarray(self._kind_deadness.take(kinds).max(1, initial=0.0))

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "sums": [self.promised, self.kept, self.weight, self.itch],
            "owed": self.owed.tobytes(),
            "answers": self.answers.tobytes(),
            "asked kinds": (asked := np.flatnonzero(self.kind_answers.any(1))).tolist(),
            "answers of kinds": self.kind_answers[asked].tobytes(),
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.promised, self.kept, self.weight, self.itch = state["sums"]
        self.owed = np.frombuffer(state["owed"], np.float64).copy()
        self.answers = np.frombuffer(state["answers"], np.float64).reshape(-1, 2).copy()
        self.kind_answers = np.zeros((NUMBERS, 2))
        self.kind_answers[state["asked kinds"]] = np.frombuffer(state["answers of kinds"], np.float64).reshape(-1, 2)
        self._kind_deadness = _deadness(self.kind_answers)


def _deadness(answers: Floats) -> Floats:
    """The log-odds that are lost, by how many links brought a page and how many brought none."""
    alive, dead = answers[..., 0], answers[..., 1]
    return np.asarray(np.log(np.maximum(dead / (TRUST + ANSWERED * alive), 1.0)))
