"""Recent maps, so that asking again is cheap and the pages of a growing map keep their places."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from lycosa.app.communities import current_collection
from lycosa.app.maps.layout import check, choose, lay_out
from lycosa.app.maps.map_data import Drawn, Kind, Layout
from lycosa.app.maps.survey import Survey, survey
from lycosa.store.collection import Collection

_SURVEYS, _MAPS = 3, 16


class MapCache:
    """Keeps the last surveys and maps; safe to use from several threads, of which one works at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._surveys: OrderedDict[tuple[Path, str], tuple[Path, Survey]] = OrderedDict()
        self._maps: OrderedDict[tuple[object, ...], tuple[Survey, Drawn]] = OrderedDict()

    def survey(self, folder: Path, keywords: str = "") -> Survey:
        """The survey of a collection as it is now."""
        with self._lock:
            return self._survey(folder, keywords)

    def draw(
        self,
        folder: Path,
        *,
        kind: Kind | None = None,
        site: str = "",
        keywords: str = "",
        layout: Layout | None = None,
        limit: int = 2000,
        links: int,
    ) -> tuple[Survey, Drawn]:
        """As `layout.draw`, with the survey that it was drawn from."""
        check(kind, site, layout, limit)
        key = (folder, kind, site, keywords, layout, limit, links)
        with self._lock:
            found = self._survey(folder, keywords)
            before = self._maps.get(key)
            if before and before[0] is found:
                self._maps.move_to_end(key)
                return before
            sheet = choose(found, kind=kind, site=site, limit=limit, links=links)
            places = None
            if before and before[1].sheet.kind == sheet.kind and before[1].layout == "graph":
                old = before[1]
                places = dict(zip(old.sheet.urls, zip(old.x.tolist(), old.y.tolist(), strict=True), strict=True))
            self._maps[key] = found, lay_out(sheet, layout, places)
            _bound(self._maps, _MAPS)
            return self._maps[key]

    def _survey(self, folder: Path, keywords: str) -> Survey:
        key = (folder, keywords)
        known = self._surveys.get(key)
        if known:
            with current_collection(folder) as place, Collection.open(place) as collection:
                if (place.resolve(), collection.log.last_seq()) == (known[0], known[1].seq):
                    self._surveys.move_to_end(key)
                    return known[1]
        with current_collection(folder) as place:
            self._surveys[key] = place.resolve(), survey(folder, keywords)
        _bound(self._surveys, _SURVEYS)
        return self._surveys[key][1]


def _bound(kept: OrderedDict[Any, Any], most: int) -> None:
    """Drop the least recently used entries."""
    while len(kept) > most:
        kept.popitem(last=False)
