"""The working index of a refresh: a copy of the old index, to which what is fetched in this refresh is added."""

from __future__ import annotations

import shutil
from pathlib import Path

from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.core.events import Visited
from lycosa.engine.archived import Documents
from lycosa.engine.indexing import index_collection
from lycosa.index.index import Index
from lycosa.index.index_copy import copy_index
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX
from lycosa.system.errors import Refused


class WorkingIndex:
    """Indexes what the refresh fetches. What the old index already holds unchanged is left as it is."""

    def __init__(self, folder: Path, old: Path, fetches: RefreshFetches) -> None:
        self._log = fetches.collection.log
        if not folder.exists():
            _make(folder, old)
        self.index = Index.write(folder)
        self._seen, mark = self.index.progress
        if self._seen and self._log.mark(self._seen) != mark:
            # A power cut has lost a part of what it follows.
            self.index.close()
            _make(folder, old)
            self.index, self._seen = Index.write(folder), 0
        with Collection.open(old) as collection:
            self._digests = {row.url: row.digest for row in collection.log.pages(order="time")}
        self._documents = Documents(fetches.collection)

    def follow(self) -> None:
        """Index what was fetched since the last call; searches find it once `commit` returns."""
        for entry in self._log.read(self._seen, kinds=(Visited,)):
            assert isinstance(entry.event, Visited)
            visit = entry.event.visit
            self._seen = entry.seq
            if self._digests.get(visit.url) == visit.digest:
                continue
            if document := self._documents.of(visit, entry.at, entry.event.shown):
                self.index.add(document)

    def commit(self) -> None:
        """Make what was indexed searchable."""
        if self._seen != self.index.progress[0]:
            self.index.commit(self._seen, self._log.mark(self._seen))
            self.index.reload()

    def close(self) -> None:
        """Close every file; what was not committed is indexed again next time."""
        self.index.close()


def _make(folder: Path, old: Path) -> None:
    made = folder.with_name(folder.name + ".new")
    for place in (made, folder):
        shutil.rmtree(place, ignore_errors=True)
    copied = _is_index(old / INDEX)
    if copied:
        copy_index(old / INDEX, made)
    with Index.write(made) as index:
        if not copied:
            index_collection(old, index)
            index.settle()
        # From now on it follows another log.
        index.commit(0, 0)
    made.rename(folder)


def _is_index(folder: Path) -> bool:
    try:
        Index.open(folder).close()
    except Refused:
        return False
    return True
