"""A new generation that differs from the current one in some pages: some are replaced, some are left out.

A page keeps the relevance and the path of the crawl that found it. The index is copied along, and only what is new in
the collection is added to it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lycosa.community.home import Generation, Home
from lycosa.core.events import Began, Leased, Visited
from lycosa.store.collection import INDEX, Collection
from lycosa.store.log import Log
from lycosa.store.merge import Share, merge
from lycosa.store.rows import LogEntry
from lycosa.system.errors import Refused


def renew(
    home: Home, current: Path, checked: Path, instead: Mapping[str, str], gone: Sequence[str], report: dict[str, Any]
) -> tuple[Generation, list[str]]:
    """Make the new generation, and make it current; returns it with the pages whose records are damaged.

    `instead` maps pages of the collection `checked` to the pages that they replace; these and `gone` are left out.
    """
    folder = home.next_folder()
    out = {*gone, *instead.values()}
    with Collection.open(current) as source:
        began = source.log.last(Began)
        kept = [row.url for row in source.log.pages(order="time") if row.url not in out]
        if instead:
            _as_before(source, checked, instead)
    shares = [Share(current, kept), *([Share(checked, list(instead))] if instead else ())]
    with Collection.create(folder) as into:
        merged = merge(shares, into, began.event.plan if began else {}, time.time())
    _carry_index(current, folder, {*kept} - {*merged.lost})
    report = {**report, "lost": len(merged.lost), "pages": merged.pages}
    return home.swap(folder, "revisit", report, pages=merged.pages), merged.lost


def _as_before(source: Collection, checked: Path, instead: Mapping[str, str]) -> None:
    """Copy the relevance and the path of pages from the current generation into the collection of the revisit."""
    with Collection.open(checked, write=True) as collection:
        log = collection.log
        for url, before in instead.items():
            found, row = log.visit_of(url), source.log.page(before)
            assert found and row
            for lease in _path_to(source.log, before):
                log.append(lease.event, lease.at)
            visit = replace(found.event.visit, relevance=row.score)
            log.append(Visited(visit, relevance=row.relevance), found.at)
        log.commit()


def _path_to(log: Log, url: str) -> list[LogEntry[Leased]]:
    """The leases that led from a seed to a page."""
    path: dict[str, LogEntry[Leased]] = {}
    hop: str | None = url
    while hop is not None and hop not in path and (lease := log.lease_of(hop)):
        path[hop] = lease
        hop = lease.event.ticket.via
    return list(path.values())[::-1]


def _carry_index(current: Path, folder: Path, kept: set[str]) -> None:
    """Give a generation the index of the one before; `kept` are the pages of both, which come first in the new log."""
    from lycosa.engine.indexing import bring_up_to_date
    from lycosa.index.index import Index
    from lycosa.index.index_copy import copy_index

    if kept and _has_index(current):
        with Collection.open(folder) as collection:
            last = max(row.seq for row in collection.log.pages(order="time") if row.url in kept)
            mark = collection.log.mark(last)
        copy_index(current / INDEX, folder / INDEX)
        with Index.write(folder / INDEX) as index:
            for url in index.urls():
                if url not in kept:
                    index.remove(url)
            index.commit(last, mark)
    bring_up_to_date(folder)


def _has_index(generation: Path) -> bool:
    from lycosa.engine.indexing import is_up_to_date
    from lycosa.index.index import Index

    try:
        with Index.open(generation / INDEX) as index:
            return is_up_to_date(generation, index)
    except Refused:
        return False
