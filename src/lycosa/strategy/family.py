"""The family tree of InfoSpiders' agents: who descends from whom, where each was born, when and why it died.

It is only shown to people; the strategy does not use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from lycosa.core.nouns import Plain

NO_ENERGY, NOTHING_TO_FOLLOW = "no energy", "nothing to follow"
_DEAD = 2000
"""How many dead agents are remembered: the latest."""
_GIVEN = 1000
"""How many of the pages that an agent was given are remembered."""


@dataclass
class Kin:
    """The record of one agent."""

    number: int
    parent: int | None
    """None for an agent that started at a seed, or at a link that a dead agent left."""
    born: str
    """The page at which it was born; empty if that is unknown."""
    given: list[str] = field(default_factory=list)
    """Pages that it was given although none of its links led there, such as its first one if it has no parent."""
    died: str = ""
    """The page after which it died; empty while it lives."""
    why: str = ""
    energy: float = 0.0
    """Its energy at the end."""
    keywords: dict[str, float] = field(default_factory=dict)
    """Its keywords at the end, with their weights in its neural net."""


class Family:
    """All living agents, and the latest dead ones."""

    def __init__(self, state: Plain = ()) -> None:
        self.living: dict[int, Kin] = {}
        self.dead: dict[int, Kin] = {}
        for each in state:
            kin = Kin(**each)
            (self.dead if kin.why else self.living)[kin.number] = kin

    def birth(self, number: int, parent: int | None, url: str) -> None:
        """An agent was born at this page."""
        self.living[number] = Kin(number, parent, url)

    def gift(self, number: int, url: str) -> None:
        """An agent was given a page to which it did not follow a link."""
        given = self.living[number].given
        if len(given) < _GIVEN:
            given.append(url)

    def death(self, number: int, url: str, why: str, energy: float, keywords: Mapping[str, float]) -> None:
        """An agent died after this page."""
        kin = self.living.pop(number)
        kin.died, kin.why, kin.energy, kin.keywords = url, why, energy, dict(keywords)
        self.dead[number] = kin
        if len(self.dead) > _DEAD:
            del self.dead[next(iter(self.dead))]

    def portrait(self, living: Mapping[int, tuple[float, Mapping[str, float]]]) -> list[dict[str, Any]]:
        """All agents by number; the living agents' energy and keywords, which change with every page, are passed in."""
        records = [asdict(kin) for kin in (self.dead | self.living).values()]
        for kin in records:
            if not kin["why"]:
                kin["energy"], keywords = living[kin["number"]]
                kin["keywords"] = dict(keywords)
        return sorted(records, key=lambda kin: kin["number"])

    def save(self) -> Plain:
        """Everything as plain data, the dead in the order of their deaths."""
        return [asdict(kin) for kin in (*self.dead.values(), *self.living.values())]
