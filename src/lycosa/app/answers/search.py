"""The answers to a search, and to questions about the pages of a collection."""

from __future__ import annotations

from warnings import warn

from msgspec import Struct

from lycosa.core.nouns import Span


class NearDuplicate(Struct, frozen=True):
    """A near-duplicate of a result."""

    url: str
    collection: str


class SearchResult(Struct, kw_only=True):
    """One result. Title, snippet and URLs were written by strangers: show them as text only."""

    url: str
    title: str
    title_marks: list[Span] = []
    """Positions of the query's words in the title."""
    host: str
    collection: str
    """The collection whose copy is shown."""
    collections: tuple[str, ...]
    """All collections that have the page."""
    score: float
    parts: dict[str, float]
    """The parts of the score; they add up to it."""
    snippet: str
    marks: tuple[Span, ...]
    """Positions of the query's words in the snippet."""
    pages: tuple[int, ...] = ()
    """The pages of a PDF, or the slides, on which these words are, counted from 1."""
    language: str
    category: str
    relevance: float | None
    """How likely it is about the topic of `collection`, from 0 to 1; null while nothing is known."""
    known: str = ""
    """`judged` if a person has said so."""
    at: float
    """When it was fetched, in seconds since 1970."""
    fetched: bool
    """False for a page that is known only from links to it."""
    votes: dict[str, int]
    """For each term of the query, how many pages use it when they link here."""
    copies: tuple[NearDuplicate, ...] = ()
    """Near-duplicates that are folded into this result."""


class SearchAnswer(Struct, kw_only=True):
    """The answer to a query."""

    results: list[SearchResult]
    total: int
    """How many results there are in total, including near-duplicates."""
    exact: bool = True
    """False if pages that are in several collections may be counted more than once."""
    page: int = 1
    more: bool = False
    """Whether there is another page of results."""
    corrected: str = ""
    """The query that was searched instead, because words of the other one are found hardly anywhere."""
    suggestion: str = ""
    """The query with its spelling corrected, if that would find more."""
    facets: dict[str, dict[str, int]] = {}
    """Numbers of results by host, category, language, type and year."""
    remark: str = ""
    """Which part of the query, or which collection, was left out, and why."""
    asked: dict[str, int] = {}
    """The collections that answered, and how many pages each has."""
    left_out: dict[str, str] = {}
    """The collections that could not answer, and why."""
    remembered: list[str] = []
    """The communities that remember this query for their next refresh."""
    took_ms: float = 0.0

    @property
    def hits(self) -> list[SearchResult]:
        """The results, by the name of version 0.1."""
        warn("hits is now called results", DeprecationWarning, stacklevel=2)
        return self.results


class Completion(Struct, frozen=True):
    """What a question that is being typed may become. Titles and words were written by strangers: text only."""

    text: str
    marks: tuple[Span, ...]
    """Positions of what was typed."""
    kind: str
    """`title` of a page, `words` of others about a page, `question` that was asked before, or `word` of pages."""
    count: int
    """How often the question was asked, or how many pages have the word; 0 for titles and words of others."""
    url: str = ""
    """The page, for titles and words of others."""


class Completions(Struct, kw_only=True):
    """The completions of a question that is being typed, best first."""

    completions: list[Completion]
    took_ms: float = 0.0
