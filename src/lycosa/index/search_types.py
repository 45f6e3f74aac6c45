"""The types of an index's interface: documents, queries and answers."""

from __future__ import annotations

from msgspec import Struct

from lycosa.core.nouns import Span

SORTS = ("relevance", "time")
BY = ("content", "reference", "hybrid")


class Document(Struct, frozen=True):
    """A page as it is given to the index."""

    url: str
    title: str = ""
    text: str = ""
    """As in Page: the title, a line break, the text of the body."""
    headings: str = ""
    language: str = ""
    """The language that the page declares; the index detects it if there is none."""
    category: str = ""
    relevance: float | None = None
    """How relevant it is to the topic of the crawl when it is indexed; None if that is not known."""
    at: float = 0.0
    """When it was fetched."""
    links: tuple[tuple[str, Span], ...] = ()
    """The URL of each link, and the span of its anchor in the text."""
    type: str = "html"
    """What kind of file it is, such as html or pdf."""


class Filters(Struct, frozen=True):
    """Conditions on results; an empty field sets no condition."""

    hosts: tuple[str, ...] = ()
    """Hosts, or domains with everything under them."""
    languages: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None
    relevance: float | None = None
    """At least this relevant to the topic of the crawl."""
    types: tuple[str, ...] = ()
    """Kinds of files, such as html or pdf."""

    @property
    def any(self) -> bool:
        """Whether there is any condition."""
        return self != Filters()


class Question(Struct, frozen=True):
    """A search query with its options."""

    text: str
    by: str = "hybrid"
    limit: int = 10
    start: int = 0
    """How many results to skip, for later pages of results."""
    filters: Filters = Filters()
    twins: bool = False
    """Whether near-duplicates are shown too."""
    facets: bool = False
    """Whether to count all results by host, category, language, type and year."""
    sort: str = "relevance"
    """`relevance`: by score; `time`: latest fetched first."""
    verbatim: bool = False
    """Whether the words are searched as they are typed, with no spelling corrected."""


class Hit(Struct):
    """One result."""

    url: str
    score: float
    title: str = ""
    host: str = ""
    language: str = ""
    category: str = ""
    relevance: float | None = None
    """How relevant it is to the topic of the crawl, by the latest word of the crawl; None if that is not known."""
    at: float = 0.0
    fetched: bool = True
    """False for a page that is known only from other pages' words."""
    snippet: str = ""
    marks: tuple[Span, ...] = ()
    """Where the query's words are in the snippet."""
    pages: tuple[int, ...] = ()
    """The pages of the document on which these words are, counted from 1; empty if it has no pages."""
    parts: dict[str, float] = {}
    """The parts of the score, which add up to it."""
    votes: dict[str, int] = {}
    """How many pages use each of the query's terms when they link here."""
    twins: tuple[str, ...] = ()
    """Near-duplicates that are folded into this result."""


class Answer(Struct):
    """The answer to a query."""

    hits: list[Hit]
    total: int
    """How many results there are in all, including near-duplicates."""
    corrected: str = ""
    """The query that was searched instead, because words of the other one are found nowhere."""
    suggestion: str = ""
    """The query with misspelt words corrected, if that would find more."""
    facets: dict[str, dict[str, int]] = {}
    """The number of results by host, category, language, type and year."""
    remark: str = ""
    """What part of the query was left out, and why."""


class Joint(Struct, frozen=True):
    """The combined answer of several indexes."""

    answer: Answer
    homes: dict[str, tuple[int, ...]]
    """The indexes that have each result or near-duplicate, by URL; the one whose copy is shown is first."""
    exact: bool
    """Whether the total and the facets count a page that is in several indexes only once."""
    more: bool
    """Whether there are further results."""


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
    """How many pages of the collection a hub links to, or how many link to an authority."""
