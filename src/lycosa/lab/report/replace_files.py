"""The files beside a page: the next report in the same folder removes those that it no longer writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

LIST = "report.files.json"

_ours = re.compile(r"figures/[\w-]+\.(svg|png)|tables/([\w-]+/)?[\w-]+\.(csv|tex)")


def replace_files(folder: Path, names: Sequence[str]) -> None:
    """Write a list of this report's files; remove those that are on the last report's list and not on this one."""
    for name in sorted(_listed(folder) - {*names}):
        file = folder / name
        # The list is not trusted, since the folder may come from anywhere: nothing outside of it is removed.
        if file.is_file() and file.resolve() == folder.resolve() / name:
            file.unlink()
            with suppress(OSError):  # not empty
                file.parent.rmdir()
    (folder / LIST).write_bytes(msgspec.json.format(msgspec.json.encode(names), indent=1) + b"\n")


def _listed(folder: Path) -> set[str]:
    try:
        names = msgspec.json.decode((folder / LIST).read_bytes(), type=list[str])
    except (OSError, ValueError, msgspec.DecodeError):
        return set()
    return {*filter(_ours.fullmatch, names)}
