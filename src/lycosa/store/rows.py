"""What a reader of the log gets: events with their numbers, rows of pages, counts."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypedDict, TypeVar

from lycosa.core.events import Event
from lycosa.core.nouns import Where

E = TypeVar("E", bound=Event, covariant=True)


class LogEntry(NamedTuple, Generic[E]):
    """One event as stored in the log."""

    seq: int
    at: float
    event: E


class PageRow(NamedTuple):
    """One page of the collection: the latest visit of its URL."""

    seq: int
    url: str
    host: str
    relevance: float | None
    """How likely it is on topic, by the latest word of the crawl or of a person; None if nothing is known."""
    title: str
    status: int
    mime: str
    language: str
    digest: str
    size: int
    at: float
    file: str | None
    offset: int | None
    length: int | None
    etag: str
    modified: str
    score: float
    """What the judge says, whatever the crawl has learned."""

    @property
    def where(self) -> Where | None:
        """Where the page is in the repository, if it was archived."""
        if self.file is None or self.offset is None or self.length is None:
            return None
        return Where(self.file, self.offset, self.length)


class Counts(TypedDict):
    """How often each kind of event happened, up to the last event."""

    events: int
    leases: int
    visits: int
    redirects: int
    misses: dict[str, int]
    """Tickets that brought no page and are not retried, by reason."""
    retries: dict[str, int]
    """Misses that are retried, by reason."""
    withheld: dict[str, int]
    """Visited pages that are kept out of search and exports, by reason."""
    statuses: dict[int, int]
    """Responses by HTTP status, including redirects."""
    pages_outside: dict[str, int]
    """Visits of pages that are out of the scope, by the kind of rule; they are no pages of the collection."""
    bytes: int
    """Decoded bytes of all other visits."""
    rendering: dict[str, int]
    """What rendering pages has cost (`core.rendering`)."""
    pages: int
    """Different URLs visited, without those."""
    harvest: float | None
    """The mean relevance of those of which anything is known; None if there are none."""
    hosts: int
