"""A refresh every night: a line for cron, or a service and a timer for systemd."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from msgspec import Struct

from lycosa.system.errors import Code, Refused

DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_time = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


class Schedule(Struct, frozen=True):
    """When a community is refreshed."""

    folder: Path
    at: str = "03:00"
    on: str = ""
    """A day of the week; empty for every day."""
    command: tuple[str, ...] = (sys.executable, "-m", "lycosa", "community", "refresh")
    """The command line, without the folder at its end."""

    def __post_init__(self) -> None:
        if not _time.fullmatch(self.at):
            raise Refused(f"{self.at!r} is not a time of day", "write it like 03:00", code=Code.BAD_VALUE, field="at")
        if self.on and self.on.lower()[:3] not in DAYS:
            fix = f"choose one of: {', '.join(DAYS)}"
            raise Refused(f"{self.on!r} is not a day of the week", fix, code=Code.BAD_VALUE, field="on")
        if not str(self._place).isprintable():
            problem = f"the folder {str(self._place)!r} cannot be scheduled"
            raise Refused(problem, "give it a printable name", code=Code.BAD_VALUE, field="folder")

    def cron(self) -> str:
        """A line for `crontab -e`; the output of the refresh goes to a log file in the folder."""
        hour, minute = self._clock
        log = self._place / "refresh.log"
        line = f"{shlex.join([*self.command, str(self._place)])} >> {shlex.quote(str(log))} 2>&1"
        if "\\" in line:
            problem = f"cron may misread the backslash in {self._place}"
            raise Refused(problem, "use systemd, or rename the folder", code=Code.BAD_VALUE, field="folder")
        # To cron an unescaped percent sign is a line break, even within quotes.
        line = line.replace("%", "\\%")
        return f"{minute} {hour} * * {DAYS.index(self._day) if self._day else '*'} {line}"

    def systemd(self) -> dict[str, str]:
        """The files of a service and its timer, by name."""
        hour, minute = self._clock
        name = re.sub(r"[^\w-]+", "-", self._place.name, flags=re.ASCII).strip("-") or "community"
        about = f"Lycosa refreshes the community {str(self._place).replace('%', '%%')}"
        command = " ".join(map(_for_systemd, [*self.command, str(self._place)]))
        day = f"{self._day.capitalize()} " if self._day else ""
        service = f"[Unit]\nDescription={about}\n\n[Service]\nType=oneshot\nNice=10\nExecStart={command}\n"
        timer = (
            f"[Unit]\nDescription={about}\n\n[Timer]\nOnCalendar={day}*-*-* {hour:02}:{minute:02}:00\n"
            "Persistent=true\n\n[Install]\nWantedBy=timers.target\n"
        )
        return {f"lycosa-{name}.service": service, f"lycosa-{name}.timer": timer}

    @property
    def _place(self) -> Path:
        return self.folder.absolute()

    @property
    def _day(self) -> str:
        return self.on.lower()[:3]

    @property
    def _clock(self) -> list[int]:
        return list(map(int, self.at.split(":")))


def _for_systemd(word: str) -> str:
    """A word of a command line as systemd reads it: specifiers and variables are doubled, quotes as in C."""
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return word if re.fullmatch(r"[\w@:+=,./%-]+", word, re.ASCII) else f'"{word}"'
