"""What can be done with a community, and what a search needs to know about communities."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from lycosa.community.home import Generation, Home
from lycosa.community.schedule import Schedule
from lycosa.system.errors import Code, Refused

_UNITS = {"h": 1 / 24, "d": 1.0, "w": 7.0, "": 1.0}
_age = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)\s*([hdw]?)(?:ours?|ays?|eeks?)?")


def is_community(folder: str | Path) -> bool:
    """Whether a folder holds a community."""
    return Home.is_one(folder)


@contextmanager
def current_collection(folder: str | Path) -> Iterator[Path]:
    """The collection a folder stands for: itself, or a community's current generation, kept from deletion meanwhile."""
    if not is_community(folder):
        yield Path(folder)
        return
    with Home.open(folder, searching=True).holding() as generation:
        yield generation


def log_query(folder: str | Path, text: str, results: int, *, private: bool = False) -> bool:
    """Log a query if the folder is a community and the query is not private; returns whether it did, never fails."""
    if private or not is_community(folder):
        return False
    try:
        return Home.open(folder, searching=True).queries.add(text, results)
    except Refused:
        return False


def history(folder: str | Path) -> list[dict[str, Any]]:
    """Every generation that was ever current, oldest first, as plain data."""
    home = Home.open(folder, searching=True)
    return [
        {"number": each.number, "folder": str(each.folder), **to_builtins(each.record), "current": each.current}
        for each in home.generations()
    ]


def questions(folder: str | Path, *, recent: str | None = None, limit: int | None = None) -> dict[str, Any]:
    """The logged queries as plain data: how often and when last each was asked, and how many results it had."""
    days = None if recent is None else days_of(recent)
    found = Home.open(folder, searching=True).queries.interests(days)
    total = sum(one.times for one in found)
    return {"asked": total, "different": len(found), "questions": to_builtins(found[:limit])}


def about(folder: str | Path, *, limit: int | None = None) -> dict[str, Any]:
    """A summary of a community: its queries, and every generation with what it changed, latest first."""
    from lycosa.app.community_refresh import sentences

    home = Home.open(folder, searching=True)
    generations = [
        {
            **{name: value for name, value in to_builtins(each.record).items() if name != "report"},
            "number": each.number,
            "current": each.current,
            "sentences": list(sentences(each.record.report)) if each.record.how == "refresh" else [],
        }
        for each in reversed(home.generations())
    ]
    return {
        "remembering": home.settings.log_queries,
        "begun": home.begun,
        "busy": home.running(),
        "generations": generations,
        **questions(folder, limit=limit),
    }


def remember(folder: str | Path, on: bool) -> None:
    """Switch the query log on or off."""
    home = Home.open(folder)
    with home.changing():
        home.settle(replace(home.settings, log_queries=on))


def forget_questions(
    folder: str | Path, *, texts: Sequence[str] = (), patterns: Sequence[str] = (), older: str | None = None
) -> int:
    """Delete queries from the log for good; returns how many."""
    log = Home.open(folder, searching=True).queries
    gone = sum(log.forget(text) for text in texts) + sum(log.forget(pattern=pattern) for pattern in patterns)
    if older is not None:
        gone += log.forget(before=time.time() - days_of(older) * 86400)
    return gone


def undo(folder: str | Path) -> Generation:
    """Make the generation before the current one current again."""
    home = Home.open(folder)
    with home.changing():
        return home.undo()


def accept(folder: str | Path) -> Generation:
    """Make the latest generation current that was held back or undone."""
    home = Home.open(folder)
    with home.changing():
        return home.accept()


def forget(folder: str | Path, keep: int) -> tuple[list[Generation], list[Generation]]:
    """Delete old generations; returns those deleted, and those kept because a process has them open."""
    home = Home.open(folder)
    with home.changing():
        return home.forget(keep)


def schedule(folder: str | Path, *, at: str = "03:00", on: str = "", systemd: bool = False) -> str:
    """The cron line or systemd files for a nightly or weekly refresh."""
    home = Home.open(folder)
    when = Schedule(home.folder, at, on)
    if not systemd:
        return when.cron()
    files = when.systemd()
    timer = next(name for name in files if name.endswith(".timer"))
    parts = [f"# ~/.config/systemd/user/{name}\n{content}" for name, content in files.items()]
    return "\n".join([*parts, f"# then: systemctl --user daemon-reload && systemctl --user enable --now {timer}"])


def days_of(text: str) -> float:
    """The number of days in a duration such as 7d, 12h, 2w or 30."""
    found = _age.fullmatch(text.strip().lower())
    if not found or not float(found[1]):
        raise Refused(f"{text!r} is not a length of time", "write it like 7d, 12h or 2w", code=Code.BAD_VALUE)
    return float(found[1]) * _UNITS[found[2]]
