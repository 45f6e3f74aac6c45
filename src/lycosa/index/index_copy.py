"""A copy of an index that can be written to while the original is still used for answers."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from lycosa.system.os_errors import of_system

_PARTS = ("content/*", "references/*", "popularity", "templates", "state.json")
"""The files of an index (index.py); files that others put beside them belong to the original alone."""
_WRITTEN_ONCE = {".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term", ".del", ".seg"}
"""Files of tantivy and segments of references: they are only ever read or unlinked, so both copies can share them."""
_OF_WRITERS = (".lock", ".new")


def copy_index(source: Path, target: Path) -> None:
    """Copy the index in a folder into a new folder; no process may be writing the index."""
    try:
        for file in (found for part in _PARTS for found in sorted(source.glob(part))):
            if file.name.endswith(_OF_WRITERS):
                continue
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix not in _WRITTEN_ONCE or not _linked(file, place):
                shutil.copyfile(file, place)
    except OSError as error:
        raise of_system(target, error) from error


def _linked(file: Path, place: Path) -> bool:
    try:
        os.link(file, place)
    except OSError:
        # Some file systems do not support links.
        return False
    return True
