"""The experiments of the laboratory: finished reports, and experiments that are running."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from lycosa.system.errors import Code, Refused
from lycosa.system.safe_paths import files_inside, open_inside

REPORT = "report.html"
_BESIDE = ("figures", "tables")
_heading = re.compile(rb"<title>([^<]{1,300})", re.IGNORECASE)


def about(folder: Path) -> dict[str, Any]:
    """One experiment: its report, the files beside it, and how many crawls it has made."""
    report = folder / REPORT
    written = report.is_file() and not report.is_symlink()
    crawls = folder / "crawls"
    return {
        "title": _title(folder),
        "report": written,
        "at": _changed(report if written else folder),
        "crawls": sum(1 for _ in crawls.glob("*")) if crawls.is_dir() and not crawls.is_symlink() else 0,
        "files": files(folder),
    }


def files(folder: Path) -> list[str]:
    """The figures and tables beside a report, as paths relative to its folder; symbolic links are not followed."""
    found = (each for part in _BESIDE for each in files_inside(folder / part))
    return sorted(each.relative_to(folder).as_posix() for each in found)


def open_file(folder: Path, name: str) -> BinaryIO:
    """Open the report or a file beside it; only listed files can be opened."""
    if name == REPORT or name in files(folder):
        # It may not exist, or have been replaced by a link just now.
        with suppress(OSError):
            return open_inside(folder, name)
    raise Refused("there is no such file beside the report", "choose a listed file", code=Code.NOT_FOUND, field="file")


def _title(folder: Path) -> str:
    try:
        with open_inside(folder, REPORT) as opened:
            found = _heading.search(opened.read(20_000))
    except OSError:
        return ""
    return " ".join(found[1].decode("utf-8", "replace").split()) if found else ""


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
