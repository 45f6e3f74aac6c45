"""Lore: what is known before a crawl begins.

Some ways of hunting and of judging must have read something first: example pages, the pages that link to them, an
earlier crawl. They say what they want (`study`), the engine reads it once and keeps it with the collection, and brain
and scouts are given the same lore (`prepare`), so that a resumed crawl begins as it did.
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
    """A wish to read a page before the crawl."""

    url: str


class LinksTo(NamedTuple):
    """A wish to know which pages link to this one: asked once a page, for as many as somebody wishes at that time."""

    url: str
    limit: int = 20


class Usual(NamedTuple):
    """A wish to know how usual words are."""


Want = ReadPages | LinksTo | Usual


class PageReading(Struct, frozen=True):
    """A page that was read before the crawl."""

    text: str
    title: str = ""
    links: tuple[str, ...] = ()


SAMPLE = 200
"""Pages of the background that are kept as they are."""


class Background(Struct, frozen=True):
    """How usual words are: of so many pages, how many hold each term."""

    pages: int
    holding: Mapping[str, int]
    sample: tuple[Mapping[str, int], ...] = ()
    """The terms of some of these pages, drawn always alike: what pages look like that nobody asked for."""


class Priors(Struct):
    """What is known before a crawl; empty where nothing was asked for."""

    readings: dict[str, PageReading | None] = {}
    """Pages that were read, by the URL that was asked for; None for those that could not be had."""
    inlinks: dict[str, tuple[str, ...]] = {}
    """Which pages link to a page, for those that were asked about."""
    past: tuple[Visit, ...] = ()
    """The pages of earlier crawls, without what was sensed; only the brain is given them, the scouts are not."""
    background: Background | None = None
    taxonomy: Taxonomy | None = None
    described: dict[str, float] = {}
    """How well the words of others fit the topic when they speak of a URL, 0 to 1, as far as a search engine knows."""

    def text(self, url: str) -> str:
        """The text of a page that was read; empty where it could not be had."""
        reading = self.readings.get(url)
        return reading.text if reading else ""

    def for_scouts(self) -> Priors:
        """The part of it that scouts are given."""
        return replace(self, past=(), described={})

    def lacks(self, want: Want) -> bool:
        """Whether a wish was not met yet."""
        match want:
            case ReadPages(url):
                return url not in self.readings
            case LinksTo(url):
                return url not in self.inlinks
            case Usual():
                return self.background is None


class Student(Named):
    """Whoever may want to know something before a crawl: a strategy or a judge."""

    taxonomy: ClassVar[bool] = False
    """Whether it cannot work without a taxonomy."""
    by_example: ClassVar[bool] = False
    """Whether it cannot work without pages that are known to be about the topic."""
    listens: ClassVar[bool] = False
    """Whether it asks a search engine, where there is one, how others describe pages (Lore.described)."""

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """What is to be read or asked first, given what is known; asked again until nothing of it is lacking.

        What can never be had, examples where the topic has none for instance, is refused here, before the first fetch.
        """
        return ()

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Take up what was learned, in the brain and in every scout, before anything else."""
