"""A folder is there whole or not at all, and is made again where it is not."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from lycosa.system import atomic_dir
from lycosa.system.atomic_dir import SEAL, kept
from lycosa.system.errors import Refused


class Opened:
    def __init__(self, folder):
        self.folder = folder
        self.text = (folder / "text").read_text()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def writing(made, text="whole"):
    def write(folder):
        made.append(folder)
        (folder / "text").write_text(text)
        (folder / "more").write_bytes(b"x" * 100)

    return write


def test_it_is_made_once(home):
    made = []
    assert kept(home / "a", writing(made), Opened).text == "whole"
    assert kept(home / "a", writing(made), Opened).folder == home / "a"
    assert len(made) == 1
    assert sorted(file.name for file in home.iterdir()) == ["a"]


@pytest.mark.parametrize("damage", ["cut", "other", "gone", "seal", "no seal"])
def test_what_is_damaged_is_made_again(home, damage):
    made = []
    kept(home / "a", writing(made), Opened)
    more, seal = home / "a" / "more", home / "a" / SEAL
    {
        "cut": lambda: more.write_bytes(b"x" * 50),
        "other": lambda: more.write_bytes(b"\0" * 100),
        "gone": more.unlink,
        "seal": lambda: seal.write_text("{"),
        "no seal": seal.unlink,
    }[damage]()
    assert kept(home / "a", writing(made), Opened).text == "whole"
    assert len(made) == 2
    assert more.read_bytes() == b"x" * 100
    assert [file.name for file in home.iterdir()] == ["a"]


def test_who_comes_second_takes_what_the_first_one_made(home):
    made = []

    def slowly(folder):
        writing(made, "slow")(folder)
        kept(home / "a", writing(made, "quick"), Opened)  # somebody else, meanwhile

    # The same process would share a draft; another one does not.
    original, atomic_dir._draft = (
        atomic_dir._draft,
        lambda folder: folder.with_name(f".{folder.name}.{len(made)}.1.partial"),
    )
    try:
        assert kept(home / "a", slowly, Opened).text == "quick"
    finally:
        atomic_dir._draft = original
    assert [file.name for file in home.iterdir()] == ["a"]


def test_many_processes_make_one_folder(tmp_path):
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom lycosa.system.atomic_dir import kept\n"
        "def write(folder):\n    time.sleep(0.2)\n    (folder / 'text').write_text('whole')\n"
        "print(kept(Path(sys.argv[1]), write, lambda folder: (folder / 'text').read_text()))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "home" / "a")]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [run.communicate(timeout=60)[0] for run in runs] == ["whole\n"] * 4
    assert [file.name for file in (tmp_path / "home").iterdir()] == ["a"]


def test_what_a_killed_process_left_is_swept_away_and_what_a_living_one_writes_is_not(home):
    home.mkdir()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (home / f".a.{dead.pid}.partial").mkdir()
    (home / f".b.{os.getppid()}.partial").mkdir()
    kept(home / "c", writing([]), Opened)
    assert sorted(file.name for file in home.iterdir()) == [f".b.{os.getppid()}.partial", "c"]


def test_what_nobody_opens_for_a_month_goes_when_something_else_is_made(home):
    kept(home / "old", writing([]), Opened)
    kept(home / "used", writing([]), Opened)
    long_ago = time.time() - 40 * 86400
    for name in ("old", "used"):
        os.utime(home / name / SEAL, (long_ago, long_ago))
    kept(home / "used", writing([]), Opened)
    kept(home / "new", writing([]), Opened)
    assert sorted(file.name for file in home.iterdir()) == ["new", "used"]


def test_where_nothing_can_be_kept_it_lives_as_long_as_it_is_used(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = kept(Path("/dev/null/no"), writing([]), Opened)
    assert found.text == "whole"
    assert list(tmp_path.iterdir()) == [found.folder]
    del found
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said(tmp_path, monkeypatch):
    def full(folder):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    with pytest.raises(Refused, match=r"no place for parsed pages \(No space left"):
        kept(tmp_path / "home" / "a", full, Opened)
    assert list((tmp_path / "home").iterdir()) == list((tmp_path / "temp").iterdir()) == []
