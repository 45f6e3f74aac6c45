"""Lines for cron and systemd, read back as those two read them."""

import re
import shlex
from pathlib import Path

import pytest

from lycosa.community.schedule import Schedule
from lycosa.system.errors import Refused

COMMAND = ("/usr/bin/python3", "-m", "lycosa", "community", "refresh")
FOLDERS = [
    "/srv/team",
    "/srv/our team",
    "/srv/100% sure",
    "/srv/it's",
    '/srv/a "b"',
    "/srv/$HOME",
    "/srv/ü;rm -rf",
    "/a&b>c",
]


def cron_reads(line):
    """Six fields; an escaped percent sign is one, any other ends the command."""
    *when, command = line.split(" ", 5)
    assert not re.search(r"(?<!\\)%", command)
    return when, shlex.split(command.replace("\\%", "%"))


def systemd_reads(line):
    """Quotes as in C; doubled percent and dollar signs are single ones, single ones would be expanded."""
    words = shlex.split(line)
    assert all(not re.search(r"(?<!%)%(?:%%)*(?!%)", word) for word in words)
    assert all(not re.search(r"(?<!\$)\$(?:\$\$)*(?!\$)", word) for word in words)
    return [word.replace("%%", "%").replace("$$", "$") for word in words]


@pytest.mark.parametrize("folder", FOLDERS)
def test_cron_runs_the_refresh_of_that_folder(folder):
    when, words = cron_reads(Schedule(Path(folder), "03:05", command=COMMAND).cron())
    assert when == ["5", "3", "*", "*", "*"]
    assert words == [*COMMAND, folder, ">>", f"{folder}/refresh.log", "2>&1"]


@pytest.mark.parametrize("folder", [*FOLDERS, "/srv/back\\slash"])
def test_systemd_runs_the_refresh_of_that_folder(folder):
    files = Schedule(Path(folder), "23:59", command=COMMAND).systemd()
    service, timer = files.values()
    (line,) = re.findall(r"^ExecStart=(.*)$", service, re.M)
    assert systemd_reads(line) == [*COMMAND, folder]
    assert "OnCalendar=*-*-* 23:59:00" in timer
    assert [re.fullmatch(r"lycosa-[\w-]+\.(service|timer)", name, re.ASCII)[1] for name in files] == [
        "service",
        "timer",
    ]


def test_once_a_week_is_possible():
    schedule = Schedule(Path("/srv/team"), "4:00", "Sunday")
    assert schedule.cron().startswith("0 4 * * 0 ")
    assert "OnCalendar=Sun *-*-* 04:00:00" in schedule.systemd()["lycosa-team.timer"]


def test_the_folder_is_absolute_and_the_program_this_one(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(Schedule(Path("team")).cron())
    assert Path(words[5]).is_file() and str(tmp_path / "team") in words


@pytest.mark.parametrize(
    ("folder", "at", "on"),
    [("/x", "25:00", ""), ("/x", "soon", ""), ("/x", "3:0", ""), ("/x", "03:00", "someday"), ("/a\nb", "03:00", "")],
)
def test_what_cannot_be_scheduled_is_refused(folder, at, on):
    with pytest.raises(Refused, match=r"^[^\n]+$"):
        Schedule(Path(folder), at, on)


def test_cron_is_not_given_what_it_may_misread():
    with pytest.raises(Refused, match="use systemd"):
        Schedule(Path("/srv/back\\slash")).cron()
