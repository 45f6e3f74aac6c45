"""Checks that the index of a collection agrees with its store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lycosa.core.damage import Damage
from lycosa.core.events import Visited
from lycosa.engine.archived import Documents
from lycosa.engine.indexing import follows_relevance
from lycosa.engine.spool import damaged_frames
from lycosa.index.index import Index
from lycosa.index.index_errors import ANEW
from lycosa.index.schema import whole
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX
from lycosa.system.progress import Progress

PARSED_AGAIN = "nothing needs to be done: what it held is parsed again from the archive"


def compare_with_store(folder: Path, progress: Progress | None = None) -> Iterator[Damage]:
    """Where the index of a collection differs from its pages, each of which is parsed again from the archive.

    Pages that are not indexed yet are skipped, and so are those whose record is damaged.
    """
    place = folder / INDEX
    with Collection.open(folder) as collection, Index.open(place) as index:
        documents, left = Documents(collection), set(index.urls())
        seen, current = index.progress[0], follows_relevance(collection.log, index)
        count = collection.log.page_count()
        for done, row in enumerate(collection.log.pages(order="time"), 1):
            left.discard(row.url)
            entry = collection.log.entry(row.seq) if row.seq <= seen else None
            if entry and isinstance(entry.event, Visited):
                damaged = documents.damaged
                document = documents.of(entry.event.visit, entry.at, row.relevance)
                if documents.damaged == damaged:
                    expected = whole(document)[1].decode() if document else None
                    found = index.text(row.url)
                    if found != expected:
                        yield Damage(f"{place}, {row.url}", _difference(found, expected), ANEW)
                    elif current and document and index.content.relevance(row.url) != row.relevance:
                        yield Damage(f"{place}, {row.url}", "the relevance is another one in the store", ANEW)
            if progress and (done % 50 == 0 or done == count):
                progress(done, count)
        for url in sorted(left):
            yield Damage(f"{place}, {url}", "it is in the index and not in the store", ANEW)


def spool_damage(folder: Path) -> Iterator[Damage]:
    """Damaged frames among the parsed pages that wait for the index; they are not used, and nothing is lost."""
    for path, at in damaged_frames(folder):
        yield Damage(f"{path}, byte {at}", "the sum of a parsed page is wrong", PARSED_AGAIN)


def remove_damaged_spools(folder: Path) -> None:
    """Remove the files in which `spool_damage` finds something; no crawl may be writing them."""
    for path in {path for path, _ in damaged_frames(folder)}:
        path.unlink()


def _difference(found: str | None, expected: str | None) -> str:
    if found is None:
        return "it is in the store and not in the index"
    return "it is in the index, though it holds no text" if expected is None else "the text is another one in the store"
