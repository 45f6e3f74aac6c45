"""A log as lists for people: its pages filtered and ordered, piece by piece, and what has come since the last look."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lycosa.core.events import Began, Stopped, Visited
from lycosa.store.log import Log
from lycosa.store.rows import PageRow

ORDERS = {"relevance": "relevance DESC, seq", "time": "seq DESC"}


class Ending(NamedTuple):
    """The last time a crawl began, by the number of its event, and how it ended since, if it has."""

    began: int
    stopped: Stopped | None


class Listing(Log):
    """A reader of a collection's log; close it in the thread that opened it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "log.sqlite")

    def some(
        self,
        *,
        after: int = 0,
        min_relevance: float = 0.0,
        host: str = "",
        text: str = "",
        order: str = "relevance",
        start: int = 0,
        limit: int = 50,
    ) -> tuple[list[PageRow], int]:
        """Pages that came after an event, best or latest first, and how many there are; `text` is in title or URL."""
        where = ["seq > ?", "relevance >= ?"]
        values: list[object] = [after, min_relevance]
        if host:
            where, values = [*where, "host = ?"], [*values, host]
        if text:
            pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            where, values = [*where, "(title LIKE ? ESCAPE '\\' OR url LIKE ? ESCAPE '\\')"], [*values, *[pattern] * 2]
        chosen = f"FROM pages WHERE {' AND '.join(where)}"
        rows = self._rows(f"SELECT * {chosen} ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?", *values, limit, start)
        return [PageRow(*row) for row in rows], self._rows(f"SELECT count(*) {chosen}", *values)[0][0]

    def since(self, after: int, limit: int) -> list[PageRow]:
        """The pages that came after an event, in order."""
        rows = self._rows("SELECT * FROM pages WHERE seq > ? ORDER BY seq LIMIT ?", after, limit)
        return [PageRow(*row) for row in rows]

    def via(self, seq: int) -> str | None:
        """The page on which the link to a visited page was found; None for a seed."""
        entry = self.entry(seq)
        return entry.event.visit.ticket.via if entry and isinstance(entry.event, Visited) else None

    def ending(self) -> Ending:
        """When the crawl last began, and how it ended since; 0 where it never did."""
        began, stopped = self.last(Began), self.last(Stopped)
        at = began.seq if began else 0
        return Ending(at, stopped.event if stopped and stopped.seq > at else None)
