"""Priors: what is known before a crawl begins.

Some strategies and judges need to read something first: example pages, the pages that link to them, an earlier crawl.
They say what they need (`study`), the engine reads it once and keeps it with the collection, and brain and scouts are
given the same priors (`prepare`), so that a resumed crawl begins as it did the first time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from lycosa.core.nouns import Topic, Visit
from lycosa.core.registry import Named
from lycosa.core.taxonomy import Taxonomy


class ReadPages(NamedTuple):
    """A request to read a page before the crawl."""

    url: str


class LinksTo(NamedTuple):
    """A request for the pages that link to a URL; answered once per URL, with the largest limit asked for by then."""

    url: str
    limit: int = 20


class Usual(NamedTuple):
    """A request for word frequencies."""


Want = ReadPages | LinksTo | Usual


class PageReading(Struct, frozen=True):
    """A page that was read before the crawl."""

    text: str
    title: str = ""
    links: tuple[str, ...] = ()


SAMPLE = 200
"""How many pages of the background are kept with their terms."""


class Background(Struct, frozen=True):
    """Word frequencies: a number of pages, and how many of them contain each term."""

    pages: int
    holding: Mapping[str, int]
    sample: tuple[Mapping[str, int], ...] = ()
    """The terms of some of these pages, always the same ones: examples of pages not selected for any topic."""


class Priors(Struct):
    """What is known before a crawl; parts that were not requested are empty."""

    readings: dict[str, PageReading | None] = {}
    """Pages that were read, by the requested URL; None for those that could not be fetched."""
    inlinks: dict[str, tuple[str, ...]] = {}
    """The pages that link to a URL, for each requested URL."""
    past: tuple[Visit, ...] = ()
    """The pages of earlier crawls, without `sense`; only the brain is given them, the scouts are not."""
    background: Background | None = None
    taxonomy: Taxonomy | None = None
    described: dict[str, float] = {}
    """How well other pages' descriptions of a URL fit the topic (0 to 1), if a search engine knows any."""

    def text(self, url: str) -> str:
        """The text of a page that was read; empty if it could not be fetched."""
        reading = self.readings.get(url)
        return reading.text if reading else ""

    def for_scouts(self) -> Priors:
        """The part that scouts are given."""
        return replace(self, past=(), described={})

    def lacks(self, want: Want) -> bool:
        """Whether a request has not been answered yet."""
        match want:
            case ReadPages(url):
                return url not in self.readings
            case LinksTo(url):
                return url not in self.inlinks
            case Usual():
                return self.background is None


class Student(Named):
    """A strategy or a judge: both may need priors."""

    taxonomy: bool = False
    """Whether it cannot work without a taxonomy; for some this depends on their options."""
    by_example: ClassVar[bool] = False
    """Whether it cannot work without pages that are known to be on topic."""
    listens: ClassVar[bool] = False
    """Whether it uses what a search engine, if there is one, knows of other pages' descriptions (Priors.described)."""

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """What must be read or looked up first, given what is known; called again until nothing is lacking.

        Raises Refused for what can never be found, such as examples of a topic that has none, before the first fetch.
        """
        return ()

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Take in the priors; called in the brain and in every scout, before anything else."""
