"""Names of topics: the words of a category, and an id that can be typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from msgspec.structs import replace

from lycosa.web.source import BedTopic


def words(text: str) -> list[str]:
    """The alphanumeric tokens of a text; combining marks belong to the letters before them."""
    return "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in text).split()


def slug(text: str) -> str:
    """A text as an id: its words in lower case, with hyphens between."""
    return "-".join(words(text.lower())) or "topic"


def with_ids(topics: Iterable[BedTopic]) -> list[BedTopic]:
    """The topics, each with an id of its own: two names may differ in punctuation only."""
    named: dict[str, BedTopic] = {}
    for topic in topics:
        name, number = topic.id, 2
        while name in named:
            name, number = f"{topic.id}-{number}", number + 1
        named[name] = replace(topic, id=name)
    return list(named.values())
