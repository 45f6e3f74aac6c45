"""Better seeds (Topical Crawling for Business Intelligence, section 6): hubs that link to several seeds are added."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lycosa.engine.augment import hubs
from lycosa.engine.texts import parsed_reader
from lycosa.lab.world import World
from lycosa.web.source import BedTopic

Augment = Callable[[World, BedTopic], Sequence[str]]
"""Returns the hubs to add to a topic's start pages, if any."""


def hubs_in_world(world: World, topic: BedTopic) -> list[str]:
    """The hubs by the world's own links, without copies of the topic's description.

    Descriptions and targets are read here, in the process that measures; a crawl gets only its start pages. A target
    is never taken as a hub: a page that is to be found cannot be a start page.
    """
    found = hubs(
        topic.examples,
        world.inlinks,
        description=topic.description,
        read=parsed_reader(world.parsed),
        without=frozenset(topic.targets),
    )
    return [hub.url for hub in found if not hub.left_out]


class AugmentedWorld(World):
    """A world whose topics are hunted from their examples and some hubs; all else, also its topics, is unchanged.

    The hubs are start pages and nothing more: they count as relevant for no metric.
    """

    def __init__(self, world: World, hubs: Mapping[str, Sequence[str]]) -> None:
        # Everything that the other world has opened is shared.
        self.__dict__.update(world.__dict__)
        self._hubs = hubs

    def seeds(self, topic: BedTopic, task: str) -> tuple[str, ...]:
        """The start pages of a topic, the hubs last."""
        return tuple(dict.fromkeys((*super().seeds(topic, task), *self._hubs.get(topic.id, ()))))


def hubs_of(world: World, topics: Sequence[str] | None, augment: Augment) -> dict[str, Sequence[str]]:
    """The hubs of each topic that has some; the others are left out, as in the paper."""
    wanted = [topic for topic in world.topics if topics is None or topic.id in topics]
    found = {topic.id: augment(world, topic) for topic in wanted}
    return {topic: hubs for topic, hubs in found.items() if hubs}
