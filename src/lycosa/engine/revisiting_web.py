"""A web that remembers: pages of earlier collections are fetched only if they have changed, or not at all.

A page that its server reports as unchanged is taken from the archive and parsed again, so that strategy and judge see
what the server would have sent, and the new collection keeps it too; its status is 304, because it was confirmed, not
sent. A page of a trusted collection, one that was fetched in the same refresh, is taken as it is, with the status it
had. If the archive is damaged, the page is requested as if it were unknown.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, overload

from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.nouns import Failure, Moved, Page, Raw, Since, Unchanged
from lycosa.engine.plan import Sources
from lycosa.system.errors import Refused
from lycosa.web.response_head import conditions

if TYPE_CHECKING:
    from lycosa.store.collection import Collection


class Lookup(Protocol):
    """A web with conditional requests, which parses archived responses like new ones."""

    @overload
    async def get(self, url: str, limit: int) -> Page | Moved | Failure: ...
    @overload
    async def get(self, url: str, limit: int, since: Since | None) -> Page | Moved | Failure | Unchanged: ...

    def parsed(self, url: str, raw: Raw) -> Page: ...

    def longest(self, mime: str, limit: int) -> int: ...

    async def close(self) -> None: ...


class Kept(NamedTuple):
    """A page as a collection holds it."""

    since: Since
    raw: Raw


class RevisitingWeb:
    """A wrapper around a web; both lists of collections are latest first, and are opened when first needed."""

    def __init__(self, web: Lookup, known: Sequence[str | Path] = (), trusted: Sequence[str | Path] = ()) -> None:
        self.web = web
        self._known = [Path(folder) for folder in known]
        self._trusted = [Path(folder) for folder in trusted]
        self._open: dict[Path, Collection | None] = {}

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The page at a canonical URL, with at most `limit` decoded body bytes."""
        if kept := self._kept(self._trusted, url, limit):
            return self._page(url, kept.raw, kept.since)
        kept = self._kept(self._known, url, limit, conditional=True)
        answer = await self.web.get(url, limit, kept and kept.since)
        if not isinstance(answer, Unchanged):
            return answer
        assert kept
        page = self._page(url, kept.raw, Since(answer.etag, answer.modified))
        page.status = 304
        return page

    async def close(self) -> None:
        """Close the web and every collection."""
        for collection in self._open.values():
            if collection:
                collection.close()
        self._open = {}
        await self.web.close()

    def _page(self, url: str, raw: Raw, since: Since) -> Page:
        page = self.web.parsed(url, raw)
        page.etag, page.modified = since
        return page

    def _kept(self, folders: Sequence[Path], url: str, limit: int, *, conditional: bool = False) -> Kept | None:
        """The page from the first of these collections where it can be read and is as complete as requested.

        `conditional` skips pages without validators (ETag, Last-Modified).
        """
        for folder in folders:
            try:
                collection = self._collection(folder)
                row = collection.log.page(url) if collection else None
                if not collection or not row or not row.where:
                    continue
                since = Since(row.etag, row.modified)
                if conditional and not conditions(since):
                    continue
                raw = collection.repository.read(row.where)
            except Refused as refused:
                # The archive is optional; scouts.log says what is wrong with it.
                print(refused, file=sys.stderr)
                continue
            most = self.web.longest(row.mime, limit)
            if len(raw.body) > most:
                raw = replace(raw, body=raw.body[:most], truncated=True)
            elif (raw.truncated or raw.damaged) and len(raw.body) < most:
                continue
            return Kept(since, raw)
        return None

    def _collection(self, folder: Path) -> Collection | None:
        """The collection in a folder, opened once; None if that failed before."""
        from lycosa.store.collection import Collection

        if folder not in self._open:
            self._open[folder] = None
            self._open[folder] = Collection.open(folder)
        return self._open[folder]


def remembering(web: Lookup, sources: Sources) -> Web:
    """A web that remembers the collections of a plan; the web itself if there are none."""
    return RevisitingWeb(web, sources.known, sources.trusted) if sources.known or sources.trusted else web
