"""A community's folder: one generation answers at any time, whatever is killed when."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from lycosa.community.home import Home
from lycosa.community.settings import CommunitySettings, read_settings
from lycosa.system.errors import Refused


@pytest.fixture
def home(tmp_path):
    return Home.create(tmp_path / "home", CommunitySettings())


def make(home, text="", how="refresh", **report):
    """A new generation: a folder with a file in it."""
    folder = home.next_folder()
    folder.mkdir()
    (folder / "content").write_text(text or folder.name)
    return home.swap(folder, how, report, pages=1)


def grown(home, count):
    for _ in range(count):
        with home.changing():
            make(home)
    return home


def test_settings_are_kept_as_people_can_edit_them(home):
    file = home.folder / "community.json"
    assert read_settings(home.folder) == home.settings
    file.write_text(file.read_text().replace('"max_in_index": 10000', '"max_in_index": 500'))
    assert Home.open(home.folder).settings.max_in_index == 500


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('"max_iter": 3', '"max_iter": 0', "max iter cannot be 0: give 1 or more"),
        ('"max_iter": 3', '"max_iter": "three"', "max_iter"),
        ('"theta": null', '"theta": 2.0', "theta cannot be 2.0: give 0 to 1"),
        ('"strategy": "best-first"', '"strategy": "worst"', "worst"),
        ('"judge": "cosine"', '"judge": "nobody"', "nobody"),
        ('"version": 1', '"version": 9', "version 9"),
        ('"seed": 1', '"sead": 1', "sead"),
        ('"delay": 1.0', '"delay": -1.0', "delay cannot be -1.0"),
        ('"leave_out": [', '"leave_out": ["(", ', "not a pattern"),
        ('"proxy": null', '"proxy": "nowhere"', "is not the address of a proxy"),
        ("{", "", "cannot be read"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(home, before, after, says):
    file = home.folder / "community.json"
    assert before in file.read_text()
    file.write_text(file.read_text().replace(before, after, 1))
    with pytest.raises(Refused, match=r"^[^\n]+$") as refused:
        Home.open(home.folder)
    assert says in str(refused.value) and "community.json" in str(refused.value)


def test_a_folder_that_is_in_use_otherwise_is_refused(tmp_path, home):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for folder in (tmp_path / "full", home.folder, tmp_path / "full" / "file"):
        with pytest.raises(Refused):
            Home.create(folder, CommunitySettings())
    for folder in (tmp_path / "none", tmp_path / "full", tmp_path / "full" / "file"):
        assert not Home.is_one(folder)
        with pytest.raises(Refused, match="is not a community"):
            Home.open(folder)


def test_there_is_nothing_to_ask_before_the_first_generation(home):
    for ask in (home.current, lambda: home.holding().__enter__()):
        with pytest.raises(Refused, match="no collection yet"):
            ask()
    assert home.generations() == []


def test_generations_follow_each_other_and_are_kept(home):
    grown(home, 3)
    assert home.current().name == "0003"
    assert [(each.number, each.current, each.folder.is_dir()) for each in home.generations()] == [
        (1, False, True),
        (2, False, True),
        (3, True, True),
    ]


def test_the_record_says_when_how_and_what_changed(home):
    with home.changing():
        make(home, how="init", new=7)
        (only,) = home.generations()
    assert (only.record.how, only.record.pages, only.record.report) == ("init", 1, {"new": 7})
    assert abs(only.record.at - time.time()) < 60


def test_a_moved_community_answers_elsewhere(home, tmp_path):
    grown(home, 2)
    moved = Home.open(home.folder.rename(tmp_path / "else where"))
    with moved.holding() as folder:
        assert (folder / "content").read_text() == "0002"


def test_only_one_changes_at_a_time(home):
    with home.changing():
        assert home.running()
        with pytest.raises(Refused, match="in use by process"), Home.open(home.folder).changing():
            pass
    assert not home.running()


def test_what_was_left_unfinished_gives_way_or_is_gone_on_with(home):
    grown(home, 1)
    with home.changing():
        home.next_folder().mkdir()
        (home.next_folder(keep=True) / "half").touch()
        assert home.current().name == "0001" and len(home.generations()) == 1
        assert (home.next_folder(keep=True) / "half").exists()
        assert not home.next_folder().exists()
        assert make(home).number == 2


def test_one_that_was_finished_but_never_current_is_swapped_in_again(home, monkeypatch):
    grown(home, 1)
    with home.changing(), monkeypatch.context() as patch:
        patch.setattr(home, "_point_to", lambda number: None)
        make(home, "killed before the swap")
    home = Home.open(home.folder)
    assert [each.number for each in home.generations()] == [1]
    with home.changing():
        left = home.next_folder(keep=True)
        assert (left / "content").read_text() == "killed before the swap"
        assert home.swap(left, "refresh", pages=1).number == 2
    assert home.current() == left


def test_the_current_one_is_safe_also_without_its_record(home):
    grown(home, 2)
    home.current().with_suffix(".json").write_text("damaged")
    with home.changing():
        assert home.next_folder().name == "0003"
        assert home.forget(keep=1) == ([], [])
        assert home.current().is_dir()
        assert home.undo().number == 1


def test_undo_goes_back_and_what_was_undone_stays_known(home):
    grown(home, 3)
    with home.changing():
        assert home.undo().number == 2
        assert home.undo().number == 1
        with pytest.raises(Refused, match="no earlier generation"):
            home.undo()
        assert [(each.number, each.current, each.record.undone) for each in home.generations()] == [
            (1, True, False),
            (2, False, True),
            (3, False, True),
        ]
        assert make(home).number == 4
        assert home.undo().number == 1


def test_forgetting_leaves_the_latest_the_current_and_the_records(home):
    grown(home, 5)
    with home.changing():
        deleted, in_use = home.forget(keep=2)
        assert [each.number for each in deleted] == [1, 2, 3] and in_use == []
        assert [each.number for each in home.generations() if each.record.forgotten] == [1, 2, 3]
        home.undo()
        assert [each.number for each in home.forget(keep=1)[0]] == [5]
        assert home.current().name == "0004" and home.current().is_dir()
        with pytest.raises(Refused, match="keep cannot be 0"):
            home.forget(keep=0)


def test_a_generation_that_somebody_reads_is_not_forgotten(home):
    grown(home, 1)
    with home.holding() as folder:
        with home.changing():
            make(home)
            deleted, in_use = home.forget(keep=1)
        assert deleted == [] and [each.number for each in in_use] == [1]
        assert (folder / "content").read_text() == "0001"
        with Home.open(home.folder).holding() as now:
            assert now.name == "0002"
    with home.changing():
        assert [each.number for each in home.forget(keep=1)[0]] == [1]


def test_an_error_of_the_reader_is_the_readers(home):
    grown(home, 1)
    with pytest.raises(FileNotFoundError), home.holding() as folder:
        (folder / "nothing").read_text()


CHANGER = """
import sys
from pathlib import Path
from lycosa.community.home import Home
home = Home.open(sys.argv[1])
print("ready", flush=True)
while True:
    with home.changing():
        folder = home.next_folder()
        folder.mkdir()
        for part in range(5):
            (folder / f"part-{part}").write_text(folder.name)
        home.swap(folder, "refresh", pages=1)
        if int(folder.name) % 5 == 0:
            home.undo()
        home.forget(keep=2)
"""
READER = """
import sys
from lycosa.community.home import Home
home = Home.open(sys.argv[1])
asked, seen = 0, set()
print("ready", flush=True)
while not (home.folder / "enough").exists():
    with home.holding() as folder:
        parts = {(folder / f"part-{part}").read_text() for part in range(5)}
        assert parts == {folder.name}, parts
        seen |= parts
    asked += 1
print(asked, len(seen))
"""


def started(code, *arguments):
    process = subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return process


def until_swapped(home):
    """Wait until somebody else has made another generation current."""
    before, deadline = home.current(), time.monotonic() + 60.0
    while home.current() == before and time.monotonic() < deadline:
        time.sleep(0.005)


def test_a_client_in_a_loop_sees_whole_generations_while_those_who_make_them_are_killed(home):
    with home.changing():
        folder = home.next_folder()
        folder.mkdir()
        for part in range(5):
            (folder / f"part-{part}").write_text(folder.name)
        home.swap(folder, "init", pages=1)
    reader = started(READER, home.folder)
    dice = random.Random(1)
    try:
        for _ in range(4):
            with started(CHANGER, home.folder) as changer:
                until_swapped(home)
                time.sleep(dice.uniform(0.0, 0.25))
                os.kill(changer.pid, signal.SIGKILL)
            with home.changing():  # the lock of the dead is free, and the current one whole
                assert {(home.current() / f"part-{part}").read_text() for part in range(5)} == {home.current().name}
                assert [each.number for each in home.generations() if each.current] == [int(home.current().name)]
                home.next_folder()
    finally:
        (home.folder / "enough").touch()
        said, _ = reader.communicate(timeout=30)
    assert reader.returncode == 0
    asked, seen = map(int, said.split())
    assert asked > 50 and seen > 2
    left = {entry.name for entry in home.folder.iterdir()}
    assert left <= {"community.json", "current", "generations", "lock", "enough"}
