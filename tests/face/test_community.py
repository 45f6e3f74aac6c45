"""`lycosa community` from end to end: begun, interrupted, killed, asked, and looked at."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from lycosa.app import communities, hunts
from lycosa.app import search as searching
from lycosa.app.community_start import CommunityStart
from lycosa.community.home import Home
from lycosa.store.collection import Collection
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=600,topics=3,seed=5"
TOPIC = Made(pages=600, topics=3, seed=5).topics[0]


def bookmarks_in(folder, urls=TOPIC.examples):
    file = folder / "bookmarks.html"
    lines = [f'<DT><A HREF="{url}">About {TOPIC.keywords}</A>' for url in urls]
    file.write_text("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n" + "\n".join(lines) + "\n</DL>\n")
    return file


def made(folder, web=WEB, pages=40):
    """A community with one generation, made in this process."""
    beginning = CommunityStart(folder, [bookmarks_in(folder.parent)], recorded=web, max_in_index=pages)
    with beginning as hunt:
        with hunt:
            for _ in hunt:
                pass
        beginning.complete()
    return beginning.home


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A community to be copied, beside its bookmarks."""
    return made(tmp_path_factory.mktemp("sample") / "home").folder.parent


@pytest.fixture
def home(sample, tmp_path):
    shutil.copytree(sample, tmp_path, symlinks=True, dirs_exist_ok=True)
    return Home.open(tmp_path / "home")


def test_init_makes_a_community_that_answers_and_remembers_the_question(run, tmp_path):
    folder = tmp_path / "our team"
    words = ["--bookmarks", bookmarks_in(tmp_path), "--max-in-index", 40, "--n-hits", 7, "--replay", WEB]
    done = run("community", "init", folder, *words, "--leave-out", "falcon")
    assert done.returncode == 0, done.stderr
    assert f"{len(TOPIC.examples)} bookmarks about: tax consulting" in done.stdout
    assert "40/40 pages" in done.stdout
    settings = Home.open(folder).settings
    assert (settings.max_in_index, settings.n_hits, settings.workers) == (40, 7, 1)
    assert settings.leave_out[-1] == "falcon" and len(settings.leave_out) > 1

    found = run("search", folder, "Tax", "consulting", "--json")
    assert json.loads(found.stdout)["results"]
    for private in (("secret", "tax", "--private"), ("falcon", "tax"), ("jane@example.org",)):
        assert run("search", folder, *private).returncode == 0
    shown = json.loads(run("community", "queries", folder, "--json").stdout)
    assert [(one["text"], one["times"]) for one in shown["questions"]] == [("tax consulting", 1)]
    assert shown["questions"][0]["results"] == json.loads(found.stdout)["total"]


def test_a_question_is_logged_from_python_too_and_can_be_forgotten(run, home):
    for text, private in (("tax audit", False), ("Tax  AUDIT", False), ("bike", False), ("mine", True)):
        searching.search(home.folder, text, private=private)
    searching.search(home.folder, "tax audit", page=2, limit=5)  # no new question
    assert communities.questions(home.folder)["different"] == 2
    done = run("community", "queries", home.folder)
    assert "2 ×" in done.stdout and "tax audit" in done.stdout and "3 questions, 2 different ones" in done.stdout
    assert run("community", "queries", home.folder, "--forget", "TAX audit").stdout == "2 forgotten\n"
    assert run("community", "queries", home.folder, "--pattern", "^b", "--json").stdout == '{"forgotten": 1}\n'
    assert communities.questions(home.folder)["asked"] == 0


def test_a_generation_is_not_crawled_on_and_its_index_can_be_made_anew(run, home):
    refused = run("resume", home.folder / "current", "--pages", "500")
    assert refused.returncode == 2
    assert "is a generation of the community" in refused.stderr and "refresh the community" in refused.stderr
    question = ("search", home.folder, TOPIC.keywords, "--private", "--json")
    before = json.loads(run(*question).stdout)["results"]
    assert run("index", home.folder, "--anew").returncode == 0
    assert json.loads(run(*question).stdout)["results"] == before != []


def test_its_pages_can_be_explained_and_exported_by_its_own_name(run, home, tmp_path):
    url = searching.search(home.folder, TOPIC.keywords, private=True).results[0].url
    assert hunts.why(home.folder, url)[-1].url == url
    assert run("export", home.folder, tmp_path / "pages.jsonl").returncode == 0
    assert url in (tmp_path / "pages.jsonl").read_text()


def test_a_community_that_logs_nothing_logs_nothing(run, tmp_path):
    words = ["--bookmarks", bookmarks_in(tmp_path), "--max-in-index", 20, "--replay", WEB, "--no-log-queries", "--json"]
    assert run("community", "init", tmp_path / "home", *words).returncode == 0
    searching.search(tmp_path / "home", "tax")
    assert not (tmp_path / "home" / "queries.jsonl").exists()


def test_a_log_that_cannot_be_written_fails_no_search(home):
    home.queries.file.mkdir()
    assert searching.search(home.folder, "tax").total > 0


def test_recent_questions_are_those_of_the_last_time(run, home):
    now = time.time()
    home.queries.add("old", 1, at=now - 10 * 86400)
    home.queries.add("new", 1, at=now - 3600)
    assert [one["text"] for one in communities.questions(home.folder, recent="7d")["questions"]] == ["new"]
    assert communities.questions(home.folder, recent="2w")["different"] == 2
    assert "1 forgotten" in run("community", "queries", home.folder, "--older", "7d").stdout


def test_history_undo_and_forget_tell_what_they_did(run, home):
    assert run("community", "undo", home.folder).returncode == 2
    for number in (2, 3):
        with home.changing():
            folder = home.next_folder()
            folder.mkdir()
            home.swap(folder, "refresh", {"new": 1200 * number, "of": "text"}, pages=5)
    done = run("community", "history", home.folder)
    lines = done.stdout.splitlines()
    assert len(lines) == 3 and "init" in lines[0] and "40 pages" in lines[0]
    assert "current" in lines[2] and "new 3,600" in lines[2]
    assert json.loads(run("community", "undo", home.folder, "--json").stdout) == {"current": 2}
    assert "generation 1" in run("community", "undo", home.folder).stdout
    assert searching.search(home.folder, "tax").total > 0
    done = run("community", "forget", home.folder, "--keep", 1, "--json")
    assert json.loads(done.stdout) == {"deleted": [2, 3], "open": []}
    plain = json.loads(run("community", "history", home.folder, "--json").stdout)
    assert [(one["number"], one["current"], one["forgotten"]) for one in plain] == [
        (1, True, False),
        (2, False, True),
        (3, False, True),
    ]


def test_the_schedule_can_be_pasted(run, home):
    line = run("community", "schedule", home.folder, "--at", "04:30").stdout
    at_three = run("community", "schedule", home.folder).stdout
    assert run("community", "refresh", home.folder, "--schedule").stdout == at_three
    assert line.startswith("30 4 * * * ") and line.count("\n") == 1 and str(home.folder) in line
    units = run("community", "schedule", home.folder, "--systemd", "--on", "sun").stdout
    assert "[Timer]\nOnCalendar=Sun *-*-* 03:00:00" in units and "ExecStart=" in units


@pytest.mark.parametrize(
    "words",
    [
        ("init", "{new}"),
        ("init", "{new}", "--bookmarks", "{none}"),
        ("init", "{new}", "--bookmarks", "{bookmarks}", "--max-in-index", "0"),
        ("init", "{new}", "--bookmarks", "{bookmarks}", "--theta", "7"),
        ("init", "{new}", "--bookmarks", "{bookmarks}", "--strategy", "nobody"),
        ("init", "{new}", "--bookmarks", "{bookmarks}", "--resolve", "x"),
        ("init", "{new}", "--bookmarks", "{bookmarks}", "--leave-out", "("),
        ("init", "{new}", "--bookmarks", "{bookmarks}", "--recent", "soon"),
        ("init", "{home}", "--bookmarks", "{bookmarks}"),
        ("init", "{bookmarks}", "--bookmarks", "{bookmarks}"),
        ("queries", "{none}"),
        ("queries", "{home}", "--pattern", "("),
        ("queries", "{home}", "--limit", "0"),
        ("history", "{none}"),
        ("forget", "{home}", "--keep", "0"),
        ("undo", "{home}"),
        ("schedule", "{home}", "--at", "24:00"),
        ("schedule", "{none}"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_said_in_one_line(run, home, tmp_path, words):
    names = {"new": tmp_path / "new", "none": tmp_path / "none", "home": home.folder}
    names["bookmarks"] = tmp_path / "bookmarks.html"
    done = run("community", *(word.format(**names) for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("lycosa: ") and done.stderr.count("\n") == 1
    assert not (tmp_path / "new").exists()


def wait_for(what, seconds=100.0):
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def pages_in(folder):
    try:
        with Collection.open(folder / "generations" / "0001") as collection:
            return collection.log.page_count()
    except Exception:
        return 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_an_interrupted_init_goes_on_with_the_same_command(run, tmp_path, number):
    folder = tmp_path / "home"
    with spawn(WEB, latency=(0.005, 0.01), log=str(tmp_path / "asked")) as served:
        words = ["community", "init", folder, "--bookmarks", bookmarks_in(tmp_path), "--max-in-index", 50]
        words += ["--proxy", served.proxy, "--delay", 0.02, "--workers", 4]
        command = [sys.executable, "-m", "lycosa", *map(str, words)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            wait_for(lambda: pages_in(folder) > 15)
            os.kill(process.pid, number)
            said, complained = process.communicate(timeout=100)
        if number == signal.SIGINT:
            assert process.returncode == 130, complained
            assert f"go on with: lycosa community init {folder}" in said
        assert run("search", folder, "tax").returncode == 2
        done = run(*words)
        assert done.returncode == 0, done.stderr
        pages = [asked for asked in served.asked() if asked.path != "/robots.txt"]
    assert pages_in(folder) == 50
    twice = len(pages) - len({(asked.host, asked.path) for asked in pages})
    assert twice <= 8  # what was under way when it was killed, and nothing else
    assert searching.search(folder, "tax").total > 0


CLIENT = """
import sys, time
from pathlib import Path
from lycosa.app import search as searching
folder = Path(sys.argv[1])
print("ready", flush=True)
asked, seen = 0, set()
while not (folder.parent / "enough").exists():
    hits = searching.search(folder, sys.argv[2], by="content", limit=30, private=asked > 0).results
    sides = {(folder.parent / "odd" / hit.url.split("/")[2]).exists() for hit in hits if hit.fetched}
    assert hits and len(sides) == 1, sides
    seen |= sides
    asked += 1
print(asked, len(seen))
"""
SWAPPER = """
import os, shutil, sys
from lycosa.community.home import Home
home = Home.open(sys.argv[1])
print("ready", flush=True)
while True:
    with home.changing():
        folder = home.next_folder()
        source = home.folder.parent / ("odd-home" if int(folder.name) % 2 else "even-home")
        shutil.copytree(source / "generations" / "0001", folder)
        home.swap(folder, "refresh")
        home.forget(keep=1)
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


def test_answers_are_of_one_generation_while_generations_are_swapped_by_processes_that_are_killed(sample, tmp_path):
    for name in ("odd-home", "home"):
        shutil.copytree(sample / "home", tmp_path / name, symlinks=True)
    odd, home = Home.open(tmp_path / "odd-home"), Home.open(tmp_path / "home")
    other = Made(pages=600, topics=3, seed=8)
    bookmarks = bookmarks_in(tmp_path, [url for topic in other.topics for url in topic.examples])
    beginning = CommunityStart(
        tmp_path / "even-home", [bookmarks], recorded="made:pages=600,topics=3,seed=8", max_in_index=40
    )
    with beginning as hunt:
        with hunt:
            list(hunt)
        beginning.complete()
    with Collection.open(odd.current()) as collection:
        hosts = {row.url.split("/")[2] for row in collection.log.pages()}
    with Collection.open(beginning.home.current()) as collection:
        assert not hosts & {row.url.split("/")[2] for row in collection.log.pages()}
    (tmp_path / "odd").mkdir()
    for host in hosts:
        (tmp_path / "odd" / host).touch()

    client = started(CLIENT, home.folder, " ".join([TOPIC.keywords, *(topic.keywords for topic in other.topics)]))
    dice = random.Random(3)
    try:
        for _ in range(3):
            with started(SWAPPER, home.folder) as swapper:
                until_swapped(home)
                time.sleep(dice.uniform(0.0, 0.3))
                swapper.kill()
        time.sleep(0.2)
    finally:
        (tmp_path / "enough").touch()
        said, _ = client.communicate(timeout=100)
    assert client.returncode == 0
    asked, sides = map(int, said.split())
    assert asked > 10 and sides == 2


def test_bookmarks_are_added_listed_and_removed(run, home, tmp_path):
    (tmp_path / "more.txt").write_text("http://one.test/ The first\nhttp://two.test/ The second\n")
    done = run("community", "bookmarks", "add", home.folder, "http://three.test/", "--file", tmp_path / "more.txt")
    assert done.returncode == 0, done.stderr
    assert "3 bookmarks added" in done.stdout
    listed = json.loads(run("community", "bookmarks", "list", home.folder, "--json").stdout)
    waiting = [one["url"] for one in listed if one["state"] == "waiting"]
    assert waiting == ["http://three.test/", "http://one.test/", "http://two.test/"]
    assert "3 not fetched yet" in run("community", "bookmarks", "list", home.folder).stdout
    assert run("community", "bookmarks", "remove", home.folder, *waiting).stdout == "3 bookmarks removed\n"
    refused = run("community", "bookmarks", "remove", home.folder, "http://one.test/")
    assert refused.returncode == 2 and "is not a bookmark" in refused.stderr
    refused = run("community", "bookmarks", "add", home.folder, "http://127.0.0.1/")
    assert refused.returncode == 0, "a made web has every address"
    assert run("community", "bookmarks", "add", home.folder).returncode == 2


def test_what_would_leave_is_shown_and_a_heavy_loss_waits_for_acceptance(run, home):
    options = ("--query", TOPIC.keywords, "--no-fill", "--keep-share", "0", "--max-loss", "0", "--max-pages", "8")
    shown = run("community", "refresh", home.folder, *options, "--dry-run").stdout
    assert "may leave at most" in shown
    done = run("community", "refresh", home.folder, *options)
    assert done.returncode == 0, done.stderr
    assert "make it current with: lycosa community accept" in done.stdout
    assert home.current().name == "0001"
    assert "held" in run("community", "history", home.folder).stdout
    assert "generation 2" in run("community", "accept", home.folder).stdout
    assert home.current().name == "0002"
