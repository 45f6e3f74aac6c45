"""Whether symbolic links lead out of a folder; checked again only when something in it has changed."""

from __future__ import annotations

import os
import time
from pathlib import Path

from lycosa.system.safe_paths import inside, leads_out

_Dated = tuple[tuple[str, int], ...]
"""Folders, and when an entry was last added to or removed from each."""
_TICK = 100_000_000
"""Nanoseconds within which two changes of a folder may have the same time stamp."""
_NEVER = -2


class LinksOut:
    """Caches the answers, because every request asks for its folder."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[_Dated, Path | None]] = {}

    def out_of(self, folder: Path) -> Path | None:
        """A link anywhere in a folder that leads out of it; None if there is none."""
        known = self._known.get(folder)
        if known is None or not all(_changed(place) == at for place, at in known[0]):
            known = self._known[folder] = _walked(folder)
        return known[1]

    def refuse_out_of(self, folder: Path) -> None:
        """Refuse a folder with such a link."""
        if (link := self.out_of(folder)) is not None:
            raise leads_out(link, folder)


def _walked(folder: Path) -> tuple[_Dated, Path | None]:
    places, found = [], None
    waiting = [str(folder)]
    while waiting:
        place = waiting.pop()
        # Taken before the folder is read, so that a change meanwhile is noticed the next time.
        at = _changed(place)
        places.append((place, at if time.time_ns() - at > _TICK else _NEVER))
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif entry.is_symlink() and not inside(folder, Path(entry.path)):
                        found = found or Path(entry.path)
        except OSError:
            continue  # it was deleted just now
    return tuple(places), found


def _changed(place: str) -> int:
    try:
        return Path(place).lstat().st_mtime_ns
    except OSError:
        return -1
