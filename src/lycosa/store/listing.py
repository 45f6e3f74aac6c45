"""A log as lists for people: its pages filtered, ordered and paged, and the pages since the last look."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lycosa.core.events import Began, Stopped, Visited
from lycosa.core.nouns import Visit
from lycosa.store.log import Log
from lycosa.store.rows import PageRow

_WORDS = 20
"""Most words that are searched in titles and URLs."""
_AMONG = "url IN (SELECT value FROM json_each(?))"
_SHOWN = f"CASE WHEN {_AMONG} THEN 1.0 WHEN {_AMONG} THEN 0.0 ELSE relevance END"
"""The relevance of a page: what a person said of it, as two lists of URLs, comes first."""


class Ending(NamedTuple):
    """When the crawl last began, and how it has ended since, if it has."""

    began: int = 0
    """The number of the event with which it last began; 0 if it never did."""
    first: float = 0.0
    """When it began for the first time."""
    plan: dict[str, Any] | None = None
    stopped: Stopped | None = None


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
        among: Collection[str] | None = None,
        besides: Collection[str] = (),
        order: str = "relevance",
        said: Mapping[str, bool] | None = None,
        start: int = 0,
        limit: int = 50,
    ) -> tuple[list[PageRow], int]:
        """Pages that came after an event, best or latest first, and how many there are in all.

        `host` is their host or a parent domain; title or URL contain each word of `text`; only URLs in `among` and none
        in `besides` are listed. What a person has `said` of a page counts, even if the log does not follow it yet.
        """
        yes = [url for url, relevant in (said or {}).items() if relevant]
        no = [url for url, relevant in (said or {}).items() if not relevant]
        where = ["seq > ?"]
        values: list[object] = [after]
        if min_relevance > 0:  # otherwise also those of which nothing is known
            where.append(f"{_SHOWN} >= ?")
            values += [json.dumps(yes), json.dumps(no), min_relevance]
        if host:
            where.append("(host = ? OR host LIKE ? ESCAPE '\\')")
            values += [host, f"%.{_plain(host)}"]
        for word in text.split()[:_WORDS]:
            where.append("(title LIKE ? ESCAPE '\\' OR url LIKE ? ESCAPE '\\')")
            values += [f"%{_plain(word)}%"] * 2
        if among is not None:
            where.append(_AMONG)
            values.append(json.dumps(list(among)))
        if besides:
            where.append("url NOT IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(list(besides)))
        best = f"{_SHOWN} DESC NULLS LAST, {self._columns.best}, seq DESC"
        by = {"relevance": best, "time": "seq DESC"}[order]
        first = [json.dumps(yes), json.dumps(no)] if order == "relevance" else []
        chosen = f"FROM pages WHERE {' AND '.join(where)}"
        select = f"SELECT {self._columns.page} {chosen} ORDER BY {by} LIMIT ? OFFSET ?"
        rows = self._rows(select, *values, *first, limit, start)
        return [PageRow(*row) for row in rows], self._rows(f"SELECT count(*) {chosen}", *values)[0][0]

    def since(self, after: int, limit: int) -> list[PageRow]:
        """The pages that came after an event, in order."""
        rows = self._rows(f"SELECT {self._columns.page} FROM pages WHERE seq > ? ORDER BY seq LIMIT ?", after, limit)
        return [PageRow(*row) for row in rows]

    def visit(self, seq: int) -> Visit | None:
        """The visit with this number; None if the event is none."""
        entry = self.entry(seq)
        return entry.event.visit if entry and isinstance(entry.event, Visited) else None

    def ending(self) -> Ending:
        """When and how the crawl last began, and how it ended since."""
        began, stopped = self.last(Began), self.last(Stopped)
        if began is None:
            return Ending()
        first = self._one("SELECT at FROM events ORDER BY seq LIMIT 1")
        over = stopped.event if stopped and stopped.seq > began.seq else None
        return Ending(began.seq, first, began.event.plan, over)


def _plain(text: str) -> str:
    """A text escaped so that LIKE takes it literally."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
