"""A page that a hunt has fetched, with its text and its HTML, for callbacks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lycosa.core.nouns import Raw, Visit
from lycosa.engine.archived import archived
from lycosa.store.repository import Repository

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from lycosa.core.nouns import Page


class FetchedPage:
    """A page as it was fetched; its text, links and HTML are read from the archive when they are asked for."""

    def __init__(self, visit: Visit, relevance: float | None, repository: Repository) -> None:
        self.visit = visit
        self.relevance = relevance
        """How likely it is on topic, by what the hunt knew when it was fetched; None if nothing was known."""
        self._repository = repository

    def __repr__(self) -> str:
        return f"<FetchedPage {self.url}>"

    @property
    def url(self) -> str:
        """Its URL."""
        return self.visit.url

    @property
    def via(self) -> str | None:
        """The page on which the link to it was found; None for a seed."""
        return self.visit.ticket.via

    @property
    def title(self) -> str:
        """Its title."""
        return self.visit.title

    @property
    def text(self) -> str:
        """Its text."""
        return self._page.text if self._page else ""

    @cached_property
    def links(self) -> list[tuple[str, str]]:
        """Its links in the order of the page: the URL and the words of each."""
        page = self._page
        return [(link.url, " ".join(page.anchor(link).split())) for link in page.links] if page else []

    @property
    def body(self) -> bytes:
        """The bytes of the response, without content coding."""
        return self._raw.body if self._raw else b""

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers of the response."""
        return self._raw.headers if self._raw else ()

    @cached_property
    def html(self) -> LexborHTMLParser:
        """Its HTML as a tree: `page.html.css_first("h1").text()`."""
        from selectolax.lexbor import LexborHTMLParser

        from lycosa.web.charset import decode

        return LexborHTMLParser(decode(self.body, self._raw.content_type if self._raw else "")[0])

    @cached_property
    def _page(self) -> Page | None:
        where = self.visit.where
        return archived(self._repository, self.url, where, context=True) if where else None

    @cached_property
    def _raw(self) -> Raw | None:
        return self._repository.read(self.visit.where) if self.visit.where else None
