"""A world: a web with its topics, ready for any number of crawls."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lycosa.core.judge import Bags
from lycosa.core.keys import key64
from lycosa.core.priors import SAMPLE, Background
from lycosa.core.taxonomy import Taxonomy, taxonomy_of
from lycosa.engine.taxonomy_files import path_of
from lycosa.lab.beds.folder import About, read_about
from lycosa.lab.corpus import Corpus, CorpusBags
from lycosa.lab.corpus_builder import corpus_of
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.inlinks.reversed_links import Reversed
from lycosa.web.parsed_cache import digest_of, open_parsed
from lycosa.web.parsed_pages import ParsedPages, ParsedWeb, web_of
from lycosa.web.source import BedTopic
from lycosa.web.source_names import is_made, open_made
from lycosa.web.testbed import PAGES, TASKS, Bed


class Unfollowed(NamedTuple):
    """Links between pages of a world that no crawl follows, because they or their pages say nofollow."""

    links: int
    share: float
    """Of all links between its pages."""
    pages: int
    """The pages with links that ask not to be followed, wherever they lead."""


class World:
    """A test bed folder, or a made web such as "made:pages=2000,seed=1". What is not in it does not exist.

    Topics are read when first used: a process that only crawls never has them in its memory.
    """

    def __init__(
        self, text: str, progress: StageProgress = no_progress, *, segments: Mapping[bool, Path] | None = None
    ) -> None:
        """`segments` are the folders of another process' parsed pages, by whether links have their positions."""
        self.text = text if is_made(text) else str(Path(text).resolve())
        self.name = text if is_made(text) else Path(self.text).name
        self._source = text if is_made(text) else str(Path(self.text) / PAGES)
        self._progress = progress
        self._segments = {context: ParsedPages(folder) for context, folder in (segments or {}).items()}
        if not is_made(text) and not Path(self._source).is_file():
            Bed(text)  # refuses, and says what is missing

    @cached_property
    def digest(self) -> str:
        """A digest that changes with the pages, not with the topics."""
        return digest_of(self._source)

    @cached_property
    def about(self) -> About:
        """Where the world came from, and notes about that."""
        return About("a made web") if is_made(self.text) else read_about(Path(self.text))

    @property
    def complete(self) -> bool:
        """Whether a page that is not in the world does not exist."""
        return self.about.complete

    @cached_property
    def topics(self) -> list[BedTopic]:
        """The topics that can be hunted in it."""
        return open_made(self.text).topics if is_made(self.text) else Bed(self.text).topics

    def topic(self, id: str) -> BedTopic:
        """The topic with an id."""
        for topic in self.topics:
            if topic.id == id:
                return topic
        some = ", ".join(topic.id for topic in self.topics[:8])
        more = ", ..." if len(self.topics) > 8 else ""
        raise Refused(
            f"{self.name} has no topic {id!r}", f"choose one of: {some}{more}", code=Code.UNKNOWN_NAME, field="topic"
        )

    def seeds(self, topic: BedTopic, task: str) -> tuple[str, ...]:
        """The start pages of a topic for a task."""
        if task not in TASKS:
            raise Refused(
                f"unknown task {task!r}", f"choose one of: {', '.join(TASKS)}", code=Code.UNKNOWN_NAME, field="task"
            )
        found: tuple[str, ...] = getattr(topic, task)
        return found

    @property
    def parsed(self) -> ParsedPages:
        """Its pages, parsed."""
        return self.parsed_with(context=False)

    @property
    def segments(self) -> dict[bool, Path]:
        """The folders of the parsed pages that were opened, for a world in another process."""
        return {context: parsed.folder for context, parsed in self._segments.items()}

    def parsed_with(self, *, context: bool) -> ParsedPages:
        """Its pages, parsed; with `context`, links have their positions in the page."""
        if context not in self._segments:
            reading = partial(self._progress, "reading the pages")
            self._segments[context] = open_parsed(self._source, context, progress=reading)
        return self._segments[context]

    @cached_property
    def corpus(self) -> Corpus:
        """Its pages as arrays."""
        return corpus_of(self.parsed, self._progress)

    @cached_property
    def unfollowed(self) -> Unfollowed:
        """The links that are left out because of nofollow."""
        links = int((self.parsed.rows_of(self.parsed.unfollowed) >= 0).sum()) if len(self.parsed) else 0
        whole = links + len(self.corpus.edges.indices)
        return Unfollowed(links, links / whole if whole else 0.0, self.parsed.unfollowed_on)

    @cached_property
    def bags(self) -> Bags:
        """The words of its pages, for judges."""
        return CorpusBags(self.corpus)

    @cached_property
    def inlinks(self) -> Reversed:
        """The in-links of its pages."""
        edges, urls = self.corpus.edges, self.corpus.urls
        tails = np.repeat(np.arange(len(urls), dtype=np.int32), np.diff(edges.indptr))
        return Reversed(tails, edges.indices.astype(np.int32), self.corpus.number, urls.__getitem__)

    def background(self) -> Background:
        """The word frequencies of its pages."""
        counts = self.corpus.counts
        holding = np.bincount(counts.indices, minlength=counts.columns).tolist()
        drawn = sorted(range(len(self.corpus)), key=lambda page: key64(self.corpus.urls[page]))
        return Background(
            len(self.corpus),
            {stem: holding[column] for stem, column in self.corpus.stems.items()},
            tuple(bag for page in drawn[:SAMPLE] if (bag := dict(self.corpus.bag(page).items()))),
        )

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The categories of its topics with the examples that crawls may see."""
        return taxonomy_of((category_of(topic), topic.examples) for topic in self.topics)

    def web(self, context: bool = False, text: bool = True) -> ParsedWeb:
        """Its pages as a web; with `context`, links have their positions; `text` is False if no one needs page text."""
        return web_of(self.parsed_with(context=context), text=text)


def category_of(topic: BedTopic) -> str:
    """The path of a topic's category."""
    return path_of(topic.category or topic.id)


def open_world(text: str, progress: StageProgress = no_progress) -> World:
    """The world that a text names; `progress` is called during the parsing and counting of the first time."""
    return World(text, progress)
