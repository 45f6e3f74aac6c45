"""What an index is told, what it is asked, and what it answers."""

from __future__ import annotations

from msgspec import Struct

from lycosa.core.nouns import Span

BY = ("content", "reference", "hybrid")


class Document(Struct, frozen=True):
    """A page as the index is told of it."""

    url: str
    title: str = ""
    text: str = ""
    """As in Page: the title, a line break, the text of the body."""
    headings: str = ""
    language: str = ""
    """As the page says; the index finds it out where the page is silent."""
    category: str = ""
    relevance: float = 0.0
    at: float = 0.0
    """When it was fetched."""
    links: tuple[tuple[str, Span], ...] = ()
    """The URL of each link, and where its anchor stands in the text."""


class Filters(Struct, frozen=True):
    """What a result must be like; nothing said means anything goes."""

    hosts: tuple[str, ...] = ()
    """A host, or a domain with everything under it."""
    languages: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None
    relevance: float | None = None
    """At least this relevant to the topic of the crawl."""

    @property
    def any(self) -> bool:
        """Whether anything is asked for."""
        return self != Filters()


class Question(Struct, frozen=True):
    """What somebody wants to know."""

    text: str
    by: str = "hybrid"
    limit: int = 10
    start: int = 0
    """Results to pass over, for the next page of them."""
    filters: Filters = Filters()
    twins: bool = False
    """Whether near-duplicates are shown too."""
    facets: bool = False
    """Whether to count all results by host, category and language."""


class Hit(Struct):
    """One result."""

    url: str
    score: float
    title: str = ""
    host: str = ""
    language: str = ""
    category: str = ""
    relevance: float = 0.0
    at: float = 0.0
    fetched: bool = True
    """False for a page that is known from others' words only."""
    snippet: str = ""
    marks: tuple[Span, ...] = ()
    """Where the query's words stand in the snippet."""
    parts: dict[str, float] = {}
    """What the score is made of: each part's share, adding up to it."""
    votes: dict[str, int] = {}
    """How many pages use each of the query's terms when they link here."""
    twins: tuple[str, ...] = ()
    """Near-duplicates that are folded into this result."""


class Answer(Struct):
    """What there is to a question."""

    hits: list[Hit]
    total: int
    """How many there are in all, near-duplicates included."""
    suggestion: str = ""
    """The question with misspelt words mended, where that would find more."""
    facets: dict[str, dict[str, int]] = {}
    """By host, category and language, how many."""
    remark: str = ""
    """What of the question was left out, and why."""


class Joint(Struct, frozen=True):
    """What several indexes answer together."""

    answer: Answer
    homes: dict[str, tuple[int, ...]]
    """By the URL of a result or of a twin of it, which indexes know it; that whose copy is shown first."""
    exact: bool
    """Whether the total and the facets count a page once that is in several indexes."""
    more: bool
    """Whether there are results behind these."""


class Voter(Struct, frozen=True):
    """A page that links to another, and the words around the link."""

    url: str
    context: str
    title: str = ""


class Ranked(Struct, frozen=True):
    """A page in a table of hubs or authorities."""

    url: str
    score: float
    title: str = ""
    links: int = 0
    """To how many pages of the collection a hub links; how many link to an authority."""
