"""Export of a collection's pages, in the format given by the target's name; completely or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lycosa.store.collection import Collection
from lycosa.store.export_formats import as_csv, as_warc, jsonl, markdown, parquet, wacz
from lycosa.store.page_selection import Conditions, PageSelection, Parse
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import Progress

FORMATS: dict[str, Callable[[PageSelection, Path], None]] = {
    ".jsonl": jsonl,
    ".csv": as_csv,
    ".parquet": parquet,
    ".warc.gz": as_warc,
    ".wacz": wacz,
}
"""Writers by suffix; a target without a suffix is a folder of Markdown files."""


class Exported(NamedTuple):
    """How many pages were written, and how many were not because their record is missing or damaged."""

    pages: int
    skipped: int


def export(
    collection: Collection,
    target: str | os.PathLike[str],
    parse: Parse,
    *,
    conditions: Conditions | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write the pages of a collection, best first, to a file or a folder of Markdown."""
    path = Path(target).resolve()
    write = _format(os.fspath(target))
    if write is markdown and path.is_dir() and any(path.iterdir()):
        raise Refused(f"{path} is not empty", "choose another folder", code=Code.NOT_EMPTY, field="target")
    if write is not markdown and path.is_dir():
        fix = "name a file, or a folder without a suffix for Markdown"
        raise Refused(f"{path} is a folder", fix, code=Code.NOT_EMPTY, field="target")
    selection = PageSelection(collection, parse, conditions or Conditions(), progress)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        write(selection, partial)
        partial.replace(path)
    except OSError as error:
        problem, fix = f"cannot write {path} ({error.strerror or error})", "free space or choose another place"
        raise Refused(problem, fix, code=Code.UNWRITABLE, field="target") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    return Exported(selection.done, selection.skipped)


def _format(target: str) -> Callable[[PageSelection, Path], None]:
    path = Path(target)
    if target.endswith(("/", os.sep)):
        return markdown
    for suffix, write in FORMATS.items():
        if path.name.lower().endswith(suffix):
            return write
    if path.is_dir() or not path.suffix:
        return markdown
    fix = f"use one of {', '.join(FORMATS)}, or a folder for Markdown"
    raise Refused(f"unknown format {path.suffix!r}", fix, code=Code.UNKNOWN_NAME, field="format")
