"""Archived pages, parsed again: what the store keeps and the web understands."""

from __future__ import annotations

from lycosa.core.nouns import Page, Where
from lycosa.store.repository import Repository


def archived(repository: Repository, url: str, where: Where, *, context: bool = False) -> Page:
    """The page of a record; with `context`, its links say where they stand."""
    from lycosa.web.parse import parse

    raw = repository.read(where)
    return parse(url, raw.body, raw.content_type, context=context)
