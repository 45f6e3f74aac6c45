"""A world: what is hunted in, with its topics, ready for any number of crawls."""

from __future__ import annotations

from typing import Protocol

from lycosa.core.interfaces import Web
from lycosa.judge.cosine import Bags
from lycosa.lab.corpus import Corpus
from lycosa.web.source import BedTopic


class World(Protocol):
    """(sketch; the real one opens a bed folder or «made:...» with files that processes share)"""

    name: str
    digest: str
    """Changes with the pages, not with the topics."""
    complete: bool
    topics: list[BedTopic]
    corpus: Corpus

    def topic(self, id: str) -> BedTopic: ...
    def seeds(self, topic: BedTopic, task: str) -> tuple[str, ...]: ...
    def web(self, context: bool = False) -> Web: ...
    def bags(self) -> Bags: ...
