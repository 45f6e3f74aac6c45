"""A collection that cannot be written, or whose path is not UTF-8, is searched like any other."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import httpx
import pytest

from lycosa.app.hunts import hunt
from lycosa.store.folders import INDEX
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]
NOBODY = 65534
MOUNTS = shutil.which("unshare") and not subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode
needs_mounts = pytest.mark.skipif(not MOUNTS, reason="only root may mount a folder read-only")


def crawled(folder, **options):
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, **{"pages": 30, **options}) as running:
        list(running)
    return folder


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    return crawled(tmp_path_factory.mktemp("searched") / "c")


ASK = """
import json, sys, msgspec
from lycosa.app.search import hubs, search, similar, votes
folder, words, url = sys.argv[1:]
said = [search(folder, words), search(folder, words, by="reference"), similar(folder, url)]
for answer in said:
    answer.took_ms = 0.0
said += [hubs(folder), votes(folder, url)]
print(json.dumps(msgspec.to_builtins(said)))
"""
"""All questions at once: to start a process takes longer than to answer them."""


def on(said, read_only=None):
    """A command for a process of its own, for which a folder may be read-only."""
    mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", mounted, read_only, *said] if read_only else said


def command(*arguments, read_only=None):
    return on([sys.executable, "-m", "lycosa", *arguments], read_only)


def everything_asked(folder, read_only=None):
    """All answers; where the folder is read-only, from a process of its own."""
    words = ["-c", folder, TOPIC.keywords, TOPIC.examples[0]]
    if not read_only:
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as said:
            patch.setattr(sys, "argv", words)
            exec(ASK, {})
        return json.loads(said.getvalue())
    asked = on([sys.executable, "-c", ASK, *words[1:]], read_only)
    done = subprocess.run(asked, capture_output=True, text=True, errors="surrogateescape")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def answers(collection):
    """What the collection says where nothing is in the way."""
    found = everything_asked(str(collection))
    assert found[0]["results"] and found[2]["results"]
    return found


@needs_mounts
def test_a_collection_on_a_read_only_disk_answers_every_question_as_before(collection, answers):
    files = sorted(collection.rglob("*"))
    assert everything_asked(str(collection), read_only=str(collection)) == answers
    assert sorted(collection.rglob("*")) == files


def test_a_collection_under_a_path_that_is_not_utf_8_answers_every_question(run, collection, answers, tmp_path):
    odd = os.fsdecode(os.fsencode(tmp_path / "caf") + b"\xe9/" + os.fsencode(collection.name))
    shutil.copytree(collection, odd)
    assert everything_asked(odd) == answers
    # Its index can be made there as well.
    assert run("index", odd, "--anew").returncode == 0
    assert run("search", odd, TOPIC.keywords).returncode == 0


@needs_mounts
def test_a_read_only_collection_under_such_a_path_answers(apart, collection, tmp_path):
    odd = os.fsdecode(os.fsencode(tmp_path / "caf") + b"\xe9/" + os.fsencode(collection.name))
    shutil.copytree(collection, odd)
    ((code, found, _),) = apart(("search", odd, TOPIC.keywords, "--json"), read_only=odd)
    assert code == 0 and json.loads(found)["total"]


@needs_mounts
def test_a_read_only_collection_without_an_index_or_with_a_damaged_one_says_so_in_one_line(apart, collection, tmp_path):
    damaged, old, without = (shutil.copytree(collection, tmp_path / name) for name in ("damaged", "old", "without"))
    for path in (damaged / INDEX / "content").glob("*.idx"):
        path.write_bytes(b"x" + path.read_bytes()[1:])
    (old / INDEX / "state.json").write_text('{"version":1}')
    shutil.rmtree(without / INDEX)
    told = apart(*(("search", one, TOPIC.keywords) for one in (damaged, old, without)), read_only=tmp_path)
    assert [(code, out) for code, out, _ in told] == [(2, "")] * 3
    # What makes an index anew elsewhere is of no use here.
    for (_, _, said), why in zip(told, (".idx is damaged", "by another version"), strict=False):
        assert why in said and "copy the collection to where you may write" in said and said.count("\n") == 1
    assert "cannot write to" in told[2][2].splitlines()[-1] and "Traceback" not in told[2][2]


@needs_mounts
def test_what_a_read_only_index_lacks_is_said(run, apart, collection, tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(collection, folder)
    with Path(folder / INDEX / "coming").open("r+b") as file:
        file.write(b"?")
    asked = ("search", folder, TOPIC.keywords, "--json")
    ((code, found, said),) = apart(asked, read_only=folder)
    assert code == 0 and json.loads(found)["total"] and "cannot be written" in said
    assert "cannot be written" not in run(*asked).stderr
    ((code, found, said),) = apart(asked, read_only=folder)
    assert (code, said) == (0, "") and json.loads(found)["total"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_another_user_who_may_read_a_collection_may_search_it(collection):
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        shutil.copytree(collection, Path(home) / "c")
        # What has to be imported is imported before: the program itself may be where nobody else can read.
        work = "import os, sys; from lycosa.app import search; ask = lambda: search.search(*sys.argv[1:3]).total; "
        work += "ask(); os.setuid(int(sys.argv[3])); print(ask())"
        told = [sys.executable, "-c", work, str(Path(home) / "c"), TOPIC.keywords, str(NOBODY)]
        done = subprocess.run(told, capture_output=True, text=True)
        assert done.returncode == 0 and int(done.stdout) > 0, done.stderr


@needs_mounts
def test_a_server_searches_read_only_collections_and_such_paths(collection, tmp_path):
    odd = os.fsdecode(os.fsencode(tmp_path / "caf") + b"\xe9/" + os.fsencode(collection.name))
    shutil.copytree(collection, odd)
    serve = command("serve", str(collection), odd, f"--home={tmp_path / 'home'}", "--port=0", read_only=str(collection))
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, errors="surrogateescape") as server:
        try:
            url = re.search(r"http://127[\d.:]+", server.stdout.readline()).group()
            names = {each["name"] for each in httpx.get(f"{url}/api/collections").json()["collections"]}
            found = httpx.get(f"{url}/api/search", params={"query": TOPIC.keywords}).json()
            assert len(names) == 2 and set(found["asked"]) == names and found["results"] and not found["left_out"]
            for name in names:
                for what in ("similar", "votes", "hubs"):
                    asked = {"url": TOPIC.examples[0]} if what != "hubs" else {}
                    answer = httpx.get(f"{url}/api/collections/{name}/{what}", params=asked)
                    assert answer.status_code == 200, answer.text
        finally:
            server.terminate()
