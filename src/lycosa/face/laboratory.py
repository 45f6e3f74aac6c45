"""What the laboratory has to show: reports that are written, and experiments that are running."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lycosa.core.errors import Refused

REPORT = "report.html"
_BESIDE = ("figures", "tables")
_heading = re.compile(r"<title>([^<]{1,300})", re.IGNORECASE)


def about(folder: Path) -> dict[str, Any]:
    """One experiment: its report, what is beside it, and how many crawls it has made."""
    report = folder / REPORT
    return {
        "title": _title(report),
        "report": report.is_file(),
        "at": _changed(report if report.is_file() else folder),
        "crawls": sum(1 for _ in (folder / "crawls").glob("*")) if (folder / "crawls").is_dir() else 0,
        "files": files(folder),
    }


def files(folder: Path) -> list[str]:
    """The figures and tables beside a report, by their names within its folder."""
    found = (each for part in _BESIDE for each in (folder / part).rglob("*"))
    return sorted(each.relative_to(folder).as_posix() for each in found if each.is_file() and not each.is_symlink())


def file(folder: Path, name: str) -> Path:
    """The report or what is beside it; nothing that is not listed can be had."""
    if name == REPORT and (folder / REPORT).is_file():
        return folder / REPORT
    if name not in files(folder):
        raise Refused("there is no such file beside the report", "choose one of the list")
    return folder / name


def _title(report: Path) -> str:
    try:
        with report.open(encoding="utf-8", errors="replace") as opened:
            found = _heading.search(opened.read(20_000))
    except OSError:
        return ""
    return " ".join(found[1].split()) if found else ""


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
