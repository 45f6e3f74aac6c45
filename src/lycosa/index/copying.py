"""A copy of an index that can be written to while the original goes on answering."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from lycosa.core.errors import Refused

_IMMUTABLE = {".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term", ".del"}
"""Files of tantivy that are written once and then only ever read or unlinked: both copies may share them."""
_DATABASE = ".sqlite"
_BESIDE = ("-wal", "-shm", "-journal")
_OF_WRITERS = (".lock", ".new", "lock")


def copy_index(source: Path, target: Path) -> None:
    """Copy the index in a folder, which nobody may be writing, into a new folder."""
    try:
        for file in sorted(source.rglob("*")):
            if file.is_dir() or file.name.endswith((*_BESIDE, *_OF_WRITERS)):
                continue
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == _DATABASE:
                _copy_database(file, place)
            elif file.suffix not in _IMMUTABLE or not _linked(file, place):
                shutil.copyfile(file, place)
    except (OSError, sqlite3.Error) as error:
        raise Refused(f"cannot copy {source} to {target} ({error})", "free space, or delete the index") from error


def _linked(file: Path, place: Path) -> bool:
    try:
        os.link(file, place)
    except OSError:
        # Some file systems know no links.
        return False
    return True


def _copy_database(file: Path, place: Path) -> None:
    """With what SQLite keeps beside it."""
    with (
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(place)) as new,
    ):
        old.backup(new)
