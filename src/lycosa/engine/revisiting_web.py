"""A web that remembers: what earlier collections hold is asked for only if it has changed, or not at all.

A page that its server says is unchanged is taken from the archive and parsed again, so that strategy and judge see what
they would have been sent and the new collection keeps it too; its status is 304, for it was confirmed and not sent. A
page of a trusted collection, one that was fetched the same night, is taken as it is, with the status it had.
Where the archive is damaged the page is asked for as if nobody had known it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.nouns import Failure, Moved, Page, Raw, Since, Unchanged
from lycosa.engine.plan import Sources
from lycosa.system.errors import Refused
from lycosa.web.conditions import conditions

if TYPE_CHECKING:
    from lycosa.store.collection import Collection


class Lookup(Protocol):
    """A web that can be asked for a page only if it has changed, and that parses what was kept as what is sent."""

    async def get(self, url: str, limit: int, since: Since | None) -> Page | Moved | Failure | Unchanged: ...

    def parsed(self, url: str, raw: Raw) -> Page: ...

    async def close(self) -> None: ...


class Kept(NamedTuple):
    """A page as a collection holds it."""

    since: Since
    raw: Raw


class RevisitingWeb:
    """A web around a web; both lists of collections are latest first, and are opened when first needed."""

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
        """The page in the first of these collections where it can be read and is as much as is wanted.

        `conditional` passes over pages of which their servers said nothing by which they would know them again.
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
                # An archive is a help and no need; the scouts' log tells what is the matter with it.
                print(refused, file=sys.stderr)
                continue
            if len(raw.body) > limit:
                raw = replace(raw, body=raw.body[:limit], truncated=True)
            elif (raw.truncated or raw.damaged) and len(raw.body) < limit:
                continue
            return Kept(since, raw)
        return None

    def _collection(self, folder: Path) -> Collection | None:
        """The collection in a folder, opened once; None where that failed."""
        from lycosa.store.collection import Collection

        if folder not in self._open:
            self._open[folder] = None
            self._open[folder] = Collection.open(folder)
        return self._open[folder]


def remembering(web: Web, sources: Sources) -> Web:
    """A web that remembers the collections of a plan; where there are none, or on a recording, the web itself.

    A recording has no conditions, and its pages cost no more than archived ones.
    """
    from lycosa.web.http import Http

    if not isinstance(web, Http) or not (sources.known or sources.trusted):
        return web
    return RevisitingWeb(web, sources.known, sources.trusted)
