"""The family of agents: who was born of whom and where, who died and why. It is for people; nothing hangs on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from lycosa.core.nouns import Plain

NO_ENERGY, NOTHING_TO_FOLLOW = "no energy", "nothing to follow"
_DEAD = 2000
"""How many of the dead are remembered, those that died last."""
_GIVEN = 1000
"""How many of the pages are remembered that an agent was given."""


@dataclass
class Kin:
    """One agent, as it is remembered."""

    number: int
    parent: int | None
    """None for one that started by itself, at a seed or at what the dead left."""
    born: str
    """The page at which it was born; empty where nobody remembers."""
    given: list[str] = field(default_factory=list)
    """Pages that are its own though none of its links led there: its first one, where it has no parent."""
    died: str = ""
    """The page after which it was gone; empty while it lives."""
    why: str = ""
    energy: float = 0.0
    """What was left at the end."""
    keywords: dict[str, float] = field(default_factory=dict)
    """Its keywords in the end, with the weights that its net had given them."""


class Family:
    """Every agent that lives, and the last of the dead."""

    def __init__(self, state: Plain = ()) -> None:
        self.living: dict[int, Kin] = {}
        self.dead: dict[int, Kin] = {}
        for each in state:
            kin = Kin(**each)
            (self.dead if kin.why else self.living)[kin.number] = kin

    def birth(self, number: int, parent: int | None, url: str) -> None:
        """One more, born at this page."""
        self.living[number] = Kin(number, parent, url)

    def gift(self, number: int, url: str) -> None:
        """An agent is given a page to which it did not follow a link."""
        given = self.living[number].given
        if len(given) < _GIVEN:
            given.append(url)

    def death(self, number: int, url: str, why: str, energy: float, keywords: Mapping[str, float]) -> None:
        """One less, after this page."""
        kin = self.living.pop(number)
        kin.died, kin.why, kin.energy, kin.keywords = url, why, energy, dict(keywords)
        self.dead[number] = kin
        if len(self.dead) > _DEAD:
            del self.dead[next(iter(self.dead))]

    def portrait(self, living: Mapping[int, tuple[float, Mapping[str, float]]]) -> list[dict[str, Any]]:
        """All of them by number; energy and keywords of the living are given, for they change with every page."""
        told = [asdict(kin) for kin in (self.dead | self.living).values()]
        for kin in told:
            if not kin["why"]:
                kin["energy"], keywords = living[kin["number"]]
                kin["keywords"] = dict(keywords)
        return sorted(told, key=lambda kin: kin["number"])

    def save(self) -> Plain:
        """Everything as plain data, the dead in the order of their deaths."""
        return [asdict(kin) for kin in (*self.dead.values(), *self.living.values())]
