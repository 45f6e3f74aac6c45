"""Anchor texts of links, read again from the archived pages that hold them, a few at a time."""

from __future__ import annotations

import time
from collections.abc import Iterable

from lycosa.core.nouns import Ticket
from lycosa.engine.archived import archived
from lycosa.store.collection import Collection
from lycosa.system.errors import Damaged

_PAGES = 128
"""Pages whose anchor texts are remembered, at most."""
_LONGEST = 120
"""Characters kept of an anchor text, at most."""
_LARGE = 300_000
"""Bytes of a page, above which it is not read again for its anchor texts."""


class Anchors:
    """Anchor texts, as far as they are known or can be read in time; later calls find more."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._pages: dict[str, dict[str, str]] = {}

    def of(self, tickets: Iterable[Ticket], seconds: float = 0.15) -> dict[str, str]:
        """The anchor texts of the links to these URLs; empty ones are left out."""
        until = time.monotonic() + seconds
        found: dict[str, str] = {}
        for ticket in tickets:
            if ticket.via is None:
                continue
            if ticket.via not in self._pages and time.monotonic() < until:
                self._read(ticket.via)
            if words := self._pages.get(ticket.via, {}).get(ticket.url):
                found[ticket.url] = words
        return found

    def _read(self, url: str) -> None:
        while len(self._pages) >= _PAGES:
            del self._pages[next(iter(self._pages))]
        words = self._pages[url] = {}
        row = self._collection.log.page(url)
        if row is None or row.where is None or row.size > _LARGE:
            return
        try:
            page = archived(self._collection.repository, url, row.where, context=True)
        except Damaged:
            return
        for link in page.links:
            text = " ".join(page.anchor(link).split())[:_LONGEST]
            if len(text) > len(words.get(link.url, "")):
                words[link.url] = text
