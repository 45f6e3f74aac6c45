"""What a list shows of a collection, a community or a laboratory; read again only when it has changed."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lycosa.app.communities import history
from lycosa.app.jobs.catalog import COLLECTION, COMMUNITY
from lycosa.store.listing import Ending, Listing
from lycosa.system.errors import Refused
from lycosa.system.file_stamps import Stamp, log_stamp


class FolderSummary(NamedTuple):
    """One line of the list, without the name and the state."""

    title: str = ""
    pages: int = 0
    harvest: float | None = None
    at: float = 0.0
    ending: Ending = Ending()


class Summaries:
    """Summaries by folder."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Stamp, FolderSummary]] = {}

    def of(self, folder: Path, kind: str) -> FolderSummary:
        """The summary of a folder; empty if it cannot be read."""
        try:
            if kind == COMMUNITY:
                return _of_community(folder)
            if kind != COLLECTION:
                return FolderSummary(folder.name, at=_changed(folder / "report.html"))
            signs = log_stamp(folder)
            if folder not in self._known or self._known[folder][0] != signs:
                self._known[folder] = signs, _of_collection(folder)
            return self._known[folder][1]
        except Refused:
            return FolderSummary()


def _of_collection(folder: Path) -> FolderSummary:
    log = Listing(folder)
    try:
        ending, counts = log.ending(), log.counts()
        title = ending.plan["topic"]["keywords"] if ending.plan else ""
        return FolderSummary(title, counts["pages"], counts["harvest"], log.last_time(), ending)
    finally:
        log.close()


def _of_community(folder: Path) -> FolderSummary:
    current = next((each for each in reversed(history(folder)) if each["current"]), None)
    return FolderSummary(folder.name, current["pages"] if current else 0, at=current["at"] if current else 0.0)


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
