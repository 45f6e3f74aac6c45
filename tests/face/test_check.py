"""`lycosa check` as its users meet it, and looking at collections that cannot be written or have an odd name."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from lycosa.face.service import hunt
from lycosa.store.graph import Graph
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]
MOUNTS = shutil.which("unshare") and not subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode
needs_mounts = pytest.mark.skipif(not MOUNTS, reason="only root may mount a folder read-only")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checked") / "c"
    wishes = {"replay": WEB, "strategy": "best-first", "pages": 15}
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, **wishes) as running:
        list(running)
    return folder


@pytest.fixture
def folder(crawled, tmp_path):
    return shutil.copytree(crawled, tmp_path / "c")


def lycosa(*arguments, read_only=None):
    said = [sys.executable, "-m", "lycosa", *arguments]
    mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    said = ["unshare", "--mount", "sh", "-c", mounted, read_only, *said] if read_only else said
    done = subprocess.run(said, capture_output=True, text=True, errors="surrogateescape", timeout=120)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def damage(folder):
    content = bytearray((folder / "log.sqlite").read_bytes())
    content[20000] ^= 4
    (folder / "log.sqlite").write_bytes(content)


def test_a_sound_collection_has_exit_code_0(folder):
    done = lycosa("check", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Sound: ") and "15 pages" in done.stdout
    report = json.loads(lycosa("check", folder, "--json").stdout)
    assert report["sound"] and report["pages"] == 15 and report["damages"] == []


def test_a_damaged_collection_has_exit_code_1_and_every_other_command_says_so_in_one_line(folder):
    damage(folder)
    done = lycosa("check", folder)
    assert done.returncode == 1
    assert "log.sqlite is damaged at byte 16384 (page 3)" in done.stdout
    for command in (("status",), ("why", TOPIC.examples[0]), ("export", folder.parent / "x.jsonl"), ("resume",)):
        told = lycosa(command[0], folder, *command[1:])
        assert told.returncode == 2 and len(told.stderr.splitlines()) == 1, told.stderr
        assert "log.sqlite is damaged at byte 16384 (page 3)" in told.stderr
        assert f"lycosa check {folder} --repair" in told.stderr


def test_repair_says_what_was_repaired(folder):
    sums = folder / "log.sqlite-sums"
    sums.write_bytes(sums.read_bytes()[:-8])
    done = lycosa("check", folder, "--repair")
    assert done.returncode == 0, done.stdout
    assert "repaired  log.sqlite: log.sqlite-sums is damaged" in done.stdout
    assert lycosa("check", folder).returncode == 0


def test_what_is_no_collection_has_exit_code_2(tmp_path):
    done = lycosa("check", tmp_path)
    assert done.returncode == 2
    assert "is not a collection: name a folder that `lycosa crawl` made" in done.stderr


def everything(folder, scratch, read_only=None):
    """What the commands that only look have to say."""
    scratch.mkdir()
    export = lycosa("export", folder, scratch / "pages.jsonl", read_only=read_only)
    assert export.returncode == 0, export.stderr
    said = [(scratch / "pages.jsonl").read_text()]
    for command in (("status",), ("why", TOPIC.examples[0]), ("check",)):
        done = lycosa(command[0], folder, *command[1:], "--json", read_only=read_only)
        assert done.returncode == 0, done.stderr
        said.append({key: value for key, value in json.loads(done.stdout).items() if key != "folder"})
    return said


@needs_mounts
def test_a_collection_on_a_read_only_disk_is_looked_at_like_any_other(folder, tmp_path):
    for beside in ("-wal", "-shm"):
        folder.joinpath(f"log.sqlite{beside}").unlink(missing_ok=True)
    right = everything(folder, tmp_path / "one")
    for beside in ("-wal", "-shm"):
        folder.joinpath(f"log.sqlite{beside}").unlink(missing_ok=True)
    assert everything(folder, tmp_path / "two", read_only=folder) == right
    # A page that was never fetched is looked for in the graph, which is not there and cannot be written.
    done = lycosa("why", folder, "https://nowhere.test/", read_only=folder)
    assert done.returncode == 2 and "is not in this collection" in done.stderr
    done = lycosa("check", folder, "--repair", read_only=folder)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_a_collection_whose_path_is_not_utf_8_is_looked_at_like_any_other(folder, tmp_path):
    right = everything(folder, tmp_path / "one")
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    folder.rename(odd)
    assert everything(odd, tmp_path / "two") == right


@needs_mounts
def test_a_graph_that_cannot_be_written_is_made_in_memory(folder, tmp_path):
    script = (
        "import sys; from pathlib import Path; from lycosa.store.graph import Graph\n"
        "with Graph(Path(sys.argv[1])) as graph: graph.catch_up(); print(graph.size())"
    )
    mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    run = ["unshare", "--mount", "sh", "-c", mounted, folder, sys.executable, "-c", script, folder]
    said = [subprocess.run(run, capture_output=True, text=True, check=True).stdout]
    assert not (folder / "graph.sqlite").exists()
    with Graph(folder) as graph:
        graph.catch_up()
        said.append(f"{graph.size()}\n")
    said.append(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    assert len(set(said)) == 1
