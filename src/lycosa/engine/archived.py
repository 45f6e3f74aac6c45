"""Archived pages, parsed again: joins the store, which keeps responses, and the web, which parses them."""

from __future__ import annotations

from lycosa.core.nouns import Page, Where
from lycosa.store.repository import Repository


def archived(repository: Repository, url: str, where: Where, *, context: bool = False) -> Page:
    """The page of a record; with `context`, its links have their spans and rings."""
    from lycosa.web.parse import parse

    raw = repository.read(where)
    return parse(url, raw.body, raw.content_type, context=context)
