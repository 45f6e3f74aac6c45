"""The texts of pages by URL: from collections and recordings that hold them, else from the Web."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from lycosa.core.nouns import Moved, Page
from lycosa.engine.archived import archived
from lycosa.engine.inlink_sources import InlinkSource, kind_of
from lycosa.store.collection import Collection
from lycosa.system.closable import Closable
from lycosa.web.http_options import HttpOptions
from lycosa.web.parsed_pages import ParsedPages

BODY = 1 << 20
HOPS = 5
"""Redirects in a row that are followed."""

Read = Callable[[str], str | None]


class Texts(Closable):
    """Reads pages, one after the other; close it, or use it in a `with` statement.

    `sources` are named as for in-links; those that hold no pages are skipped. Pages that none of them holds are
    fetched if there are HTTP options, with the same politeness and guards as in any crawl.
    """

    def __init__(self, sources: Sequence[str] = (), http: HttpOptions | None = None) -> None:
        self._closing = ExitStack()
        self._readers: list[Read] = []
        for kind, text in map(kind_of, dict.fromkeys(sources)):
            if kind is InlinkSource.COLLECTION:
                self._readers.append(collected(self._closing.enter_context(Collection.open(Path(text)))))
            elif kind is InlinkSource.RECORDING:
                from lycosa.web.parsed_cache import open_parsed

                self._readers.append(parsed_reader(open_parsed(text)))
        if http:
            live = _Live(http)
            self._closing.callback(live.close)
            self._readers.append(live)

    def __call__(self, url: str) -> str | None:
        """The text of the page at a URL, redirects followed; None if it cannot be fetched."""
        return next((text for read in self._readers if (text := read(url)) is not None), None)

    def close(self) -> None:
        """Close all sources."""
        self._closing.close()


def parsed_reader(parsed: ParsedPages) -> Read:
    """A function that reads parsed pages."""

    def read(url: str) -> str | None:
        for _ in range(HOPS):
            row = parsed.row(url)
            if 0 <= row < parsed.pages:
                return parsed.text(row)
            moved = parsed.other(row).moved if row >= 0 else None
            if moved is None:
                return None
            url = moved.to
        return None

    return read


def collected(collection: Collection) -> Read:
    """A function that reads the pages of a collection."""

    def read(url: str) -> str | None:
        row = collection.log.page(url)
        return archived(collection.repository, url, row.where).text if row and row.where else None

    return read


class _Live:
    """Fetches pages; nothing is opened before the first fetch."""

    def __init__(self, options: HttpOptions) -> None:
        self._options = options
        self._runner: asyncio.Runner | None = None

    def __call__(self, url: str) -> str | None:
        if self._runner is None:
            from lycosa.web.http import Http

            self._runner, self._web = asyncio.Runner(), Http(self._options)
        return self._runner.run(self._text(url))

    async def _text(self, url: str) -> str | None:
        for _ in range(HOPS):
            answer = await self._web.get(url, BODY)
            if isinstance(answer, Page):
                return answer.text
            if not isinstance(answer, Moved):
                if trouble := self._options.trouble(answer.reason):
                    raise trouble
                return None
            url = answer.to
        return None

    def close(self) -> None:
        if self._runner:
            self._runner.run(self._web.close())
            self._runner.close()
