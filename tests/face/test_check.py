"""`lycosa check` as its users meet it, and looking at collections that cannot be written or have an odd name."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from lycosa.app.hunts import hunt
from lycosa.store.link_graph import Graph
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]
MOUNTS = shutil.which("unshare") and not subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode
needs_mounts = pytest.mark.skipif(not MOUNTS, reason="only root may mount a folder read-only")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checked") / "c"
    options = {"replay": WEB, "strategy": "best-first", "pages": 15}
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, **options) as running:
        list(running)
    return folder


@pytest.fixture
def folder(crawled, tmp_path):
    return shutil.copytree(crawled, tmp_path / "c")


def damage(folder):
    content = bytearray((folder / "log.sqlite").read_bytes())
    content[20000] ^= 4
    (folder / "log.sqlite").write_bytes(content)


def test_a_sound_collection_has_exit_code_0(run, folder):
    done = run("check", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Sound: ") and "15 pages" in done.stdout
    report = json.loads(run("check", folder, "--json").stdout)
    assert report["sound"] and report["pages"] == 15 and report["damages"] == []


def test_a_damaged_collection_has_exit_code_1_and_every_other_command_says_so_in_one_line(run, folder):
    damage(folder)
    done = run("check", folder)
    assert done.returncode == 1
    assert "log.sqlite is damaged at byte 16384 (page 3)" in done.stdout
    for command in (("status",), ("why", TOPIC.examples[0]), ("export", folder.parent / "x.jsonl"), ("resume",)):
        told = run(command[0], folder, *command[1:])
        assert told.returncode == 2 and len(told.stderr.splitlines()) == 1, told.stderr
        assert "log.sqlite is damaged at byte 16384 (page 3)" in told.stderr
        assert "repair the collection" in told.stderr


def test_repair_says_what_was_repaired(run, folder):
    sums = folder / "log.sqlite-sums"
    sums.write_bytes(sums.read_bytes()[:-8])
    done = run("check", folder, "--repair")
    assert done.returncode == 0, done.stdout
    assert "repaired  log.sqlite: log.sqlite-sums is damaged" in done.stdout
    assert run("check", folder).returncode == 0


def test_what_is_no_collection_has_exit_code_2(run, tmp_path):
    done = run("check", tmp_path)
    assert done.returncode == 2
    assert "is not a collection: name the folder of a collection" in done.stderr


def looking(folder, target):
    """The commands that only look."""
    yield "export", folder, target
    yield "status", folder, "--json"
    yield "why", folder, TOPIC.examples[0], "--json"
    yield "check", folder, "--json"


def everything(answers, target):
    """What they have to say."""
    for code, _, complaints in answers:
        assert (code, complaints) == (0, "")
    told = [json.loads(out) for _, out, _ in answers[1:]]
    return target.read_text(), [
        {key: value for key, value in one.items() if key not in ("folder", "name", "collection")} for one in told
    ]


@needs_mounts
def test_a_collection_on_a_read_only_disk_is_looked_at_like_any_other(run, apart, folder, tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    for beside in ("-wal", "-shm"):
        folder.joinpath(f"log.sqlite{beside}").unlink(missing_ok=True)
    right = everything([run(*words) for words in looking(folder, one)], one)
    for beside in ("-wal", "-shm"):
        folder.joinpath(f"log.sqlite{beside}").unlink(missing_ok=True)
    # A page that was never fetched is looked for in the graph, which is not there and cannot be written.
    refused = [("why", folder, "https://nowhere.test/"), ("check", folder, "--repair")]
    *told, missing, repair = apart(*looking(folder, two), *refused, read_only=folder)
    assert everything(told, two) == right
    assert missing[0] == 2 and "is not in this collection" in missing[2]
    assert repair[0] == 2 and len(repair[2].splitlines()) == 1


def test_a_collection_whose_path_is_not_utf_8_is_looked_at_like_any_other(run, apart, folder, tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    right = everything([run(*words) for words in looking(folder, one)], one)
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    folder.rename(odd)
    assert everything(apart(*looking(odd, two)), two) == right


@needs_mounts
def test_a_graph_that_cannot_be_written_is_made_in_memory(folder, tmp_path):
    script = (
        "import sys; from pathlib import Path; from lycosa.store.link_graph import Graph\n"
        "with Graph(Path(sys.argv[1])) as graph: graph.catch_up(); print(len(graph.arrays()[2]))"
    )
    mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    run = ["unshare", "--mount", "sh", "-c", mounted, folder, sys.executable, "-c", script, folder]
    said = [subprocess.run(run, capture_output=True, text=True, check=True).stdout]
    assert not (folder / "graph.sqlite").exists()
    with Graph(folder) as graph:
        graph.catch_up()
        said.append(f"{len(graph.arrays()[2])}\n")
    said.append(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    assert len(set(said)) == 1
