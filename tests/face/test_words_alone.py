"""Words alone: each face begins a hunt without a URL where a source is named, and says how to name one where not."""

import asyncio
import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mcp.client import Client
from starlette.testclient import TestClient
from tests.chat_peer import unused_port
from tests.search_peer import SearchPeer, results, searxng

import lycosa
from lycosa.app.jobs import HuntJobs
from lycosa.face.cli.found_seeds import numbers_in
from lycosa.face.mcp.agent_budget import AgentBudget
from lycosa.face.mcp.tool_context import ToolContext
from lycosa.face.mcp.tool_server import ToolServer
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Code, Refused
from lycosa.web.made import Made

WEB = "made:pages=1200,topics=4,seed=5"
TOPIC = Made(pages=1200, topics=4, seed=5).topics[0]
WORDS = TOPIC.keywords
KEY = "sesame-4711-0815"


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The answers of a SearXNG that knows a part of the made web."""
    folder = tmp_path_factory.mktemp("known") / "web"
    with lycosa.hunt(WORDS, TOPIC.examples, replay=WEB, pages=150, strategy="best-first", out=folder) as hunt:
        hunt.run()
    return searxng(folder)


@pytest.fixture
def peer(engine):
    with SearchPeer(engine) as peer:
        yield peer


@pytest.fixture(autouse=True)
def no_files_of_the_user(tmp_path, monkeypatch):
    (tmp_path / "config" / "lycosa").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def one_line(done):
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1
    return done.stderr


# The command line


def test_words_without_a_source_are_refused_in_one_line_that_shows_how_to_name_one(run, tmp_path):
    said = one_line(run("crawl", "wolf", "spiders", cwd=tmp_path))
    assert said.startswith("lycosa: no seeds") and "searxng:url=https://search.example.org (--seed, --find)" in said
    assert "--find" in one_line(run("seeds", "find", "wolf spiders", cwd=tmp_path))
    assert not (tmp_path / "wolf-spiders").exists()


def test_a_hunt_begins_where_a_search_engine_says_and_shows_where(run, peer, tmp_path):
    done = run("crawl", WORDS, "--find", f"searxng:{peer.url}", "--replay", WEB, "--pages", 30, "--out", tmp_path / "c")
    assert done.returncode == 0, done.stderr
    status = lycosa.status(tmp_path / "c")
    assert status.pages == 30 and len(status.seeds) == 20
    for number, url in enumerate(status.seeds, 1):
        assert f"{number:>2}  {url}\n" in done.stdout
    assert f"20 places to begin, found by searxng at {peer.url[7:]}, then for «{WORDS} " in done.stdout
    assert status.examples == () and status.on_topic is False
    assert peer.queries[0] == WORDS and 1 < len(peer.queries) <= 3
    assert (status.harvest or 0) > 0.4


def test_a_preview_begins_nothing_and_writes_a_file_of_seeds(run, peer, tmp_path):
    given = ["seeds", "find", WORDS, "--find", f"searxng:{peer.url}", "--find-queries", 1, "--limit", 5]
    done = run(*given, "--out", tmp_path / "seeds.txt", cwd=tmp_path)
    assert done.returncode == 0 and f"5 start pages in {tmp_path / 'seeds.txt'}" in done.stdout
    found = json.loads(run(*given, "--json", cwd=tmp_path).stdout)
    assert found.keys() == {"seeds", "asked", "queries", "remarks"} and found["queries"] == [WORDS]
    lines = (tmp_path / "seeds.txt").read_text().splitlines()
    assert [line.split("  # ")[0] for line in lines] == [seed["url"] for seed in found["seeds"]]
    assert [path.name for path in tmp_path.iterdir() if path.name != "config"] == ["seeds.txt"]


def test_collections_and_bookmarks_are_sources_like_others(run, tmp_path):
    with lycosa.hunt(WORDS, TOPIC.examples, replay=WEB, pages=40, out=tmp_path / "hunts" / "a") as hunt:
        hunt.run()
    marks = {"children": [{"title": f"All about {WORDS}", "uri": "http://marked.test/"}, {"uri": "http://other.test/"}]}
    (tmp_path / "marks.json").write_text(json.dumps(marks))
    (tmp_path / "config" / "lycosa" / "lycosa.toml").write_text(
        f'[finders]\nmarks = "bookmarks:file={tmp_path}/marks.json"\nmine = "collection:folder={tmp_path}/hunts"\n'
    )
    given = ["seeds", "find", WORDS, "--find-queries", 1, "--json"]
    by_name = json.loads(run(*given).stdout)
    assert by_name["asked"] == ["marks", "mine"]
    found = {seed["url"]: seed for seed in by_name["seeds"]}
    assert found["http://marked.test/"]["reason"] == "a bookmark" and "http://other.test/" not in found
    assert {seed["collection"] for seed in found.values()} == {"", "a"}
    alone = json.loads(run(*given, "--collection", tmp_path / "hunts" / "a").stdout)
    assert alone["asked"] == ["a"] and {seed["url"] for seed in alone["seeds"]} >= {*found} - {"http://marked.test/"}


def test_json_is_one_object_and_nobody_is_asked(run, peer, tmp_path):
    done = run("crawl", WORDS, "--find", f"searxng:{peer.url}", "--replay", WEB, "--pages", 5, "--json",
               "--out", tmp_path / "c")  # fmt: skip
    assert json.loads(done.stdout)["pages"] == 5


def test_found_seeds_can_be_left_out_on_a_terminal(peer, tmp_path):
    leader, follower = pty.openpty()
    command = ["crawl", WORDS, "--find", f"searxng:{peer.url}", "--find-queries", "1", "--replay", WEB, "--pages", "5"]
    process = subprocess.Popen([sys.executable, "-m", "lycosa", *command, "--out", str(tmp_path / "c")],
                               stdin=follower, stdout=follower, stderr=follower, close_fds=True)  # fmt: skip
    os.close(follower)
    said = b""
    try:
        for answer in (b"2 99\n", b"1 3-18\n"):
            while b"q ends: " not in said:
                said += os.read(leader, 4096)
            said = said.partition(b"q ends: ")[2]
            os.write(leader, answer)
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            try:
                os.read(leader, 4096)
            except OSError:
                break
        assert process.wait(60) == 0
    finally:
        process.kill()
        os.close(leader)
    assert len(lycosa.status(tmp_path / "c").seeds) == 3


def test_numbers_to_leave_out_are_numbers_of_the_list():
    assert numbers_in("2 5-7, 9", 9) == {2, 5, 6, 7, 9}
    assert numbers_in("", 9) == set()
    for wrong in ("0", "10", "7-5", "x", "1-", "-1", "1 2 ten", "9" * 50):
        assert numbers_in(wrong, 9) is None


@pytest.mark.parametrize("more", [(), ("--found-on-topic",)])
def test_typed_seeds_are_examples_and_found_ones_only_if_a_person_says_so(run, peer, tmp_path, more):
    typed, place = TOPIC.examples[:2]
    done = run("crawl", WORDS, "--seed", typed, "--begin-at", place, "--find", f"searxng:{peer.url}",
               "--find-queries", 1, *more, "--replay", WEB, "--pages", 5, "--out", tmp_path / "c")  # fmt: skip
    assert done.returncode == 0, done.stderr
    status = lycosa.status(tmp_path / "c")
    assert status.seeds[:2] == (typed, place) and len(status.seeds) > 15
    assert status.examples == ((typed, *status.seeds[2:]) if more else (typed,))


def test_seeds_of_collections_are_places_to_begin_too(tmp_path):
    with lycosa.hunt(WORDS, TOPIC.examples, replay=WEB, pages=40, out=tmp_path / "a") as hunt:
        hunt.run()
    with lycosa.hunt(WORDS, seeds_from=[str(tmp_path / "a")], replay=WEB, pages=5, out=tmp_path / "b") as hunt:
        assert hunt.plan.topic.examples == () and len(hunt.plan.seeds) == 20


@pytest.mark.parametrize("status", [401, 403, 429, 500, 302])
def test_a_source_that_does_not_answer_is_one_line_and_nothing_is_begun(run, tmp_path, status):
    headers = {"Retry-After": "300", "Location": "/other"}
    with SearchPeer(lambda _: (status, headers, "{}")) as peer:
        said = one_line(run("crawl", "wolf spiders", "--find", f"lycosa:{peer.url}", "--out", tmp_path / "c"))
    assert f"{status}" in said and "(--find)" in said and "resume" not in said
    assert not (tmp_path / "c").exists()


def test_a_server_that_is_down_or_knows_nothing_is_one_line(run, peer, tmp_path):
    with unused_port() as url:
        assert "does not answer" in one_line(run("crawl", "wolf", "--find", f"searxng:{url}", cwd=tmp_path))
    peer.engine = results()
    assert "nothing about these keywords was found by searxng" in one_line(
        run("crawl", "wolf", "--find", f"searxng:{peer.url}", cwd=tmp_path)
    )


def test_found_addresses_outside_the_scope_or_of_private_machines_are_left_out(tmp_path):
    private = ("http://127.0.0.1/admin", "http://10.0.0.7/", "http://router.lan/", "http://[::1]/", "ftp://a.test/")
    with SearchPeer(results(*private, "http://not.test/", "http://a.test/", "http://b.a.test/")) as peer:
        options = {"find": [f"searxng:{peer.url}"], "find_queries": 1, "without": [".not.test"]}
        with lycosa.hunt("wolf spiders", out=tmp_path / "c", **options) as hunt:
            assert hunt.plan.seeds == ("http://a.test/", "http://b.a.test/")


def test_a_key_is_in_no_file_no_output_and_no_command_line(run, tmp_path, monkeypatch, engine):
    monkeypatch.setenv("LYCOSA_BRAVE_KEY", KEY)
    seen = []

    def brave(asked):
        assert asked.headers["X-Subscription-Token"] == KEY
        seen.extend(path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if readable(path))
        found = engine(asked._replace(path="/search", query={"q": asked.query["q"], "format": "json"}))
        return {"web": {"results": [{"url": one["url"], "title": KEY[:3]} for one in found["results"]]}}

    def readable(path):
        try:
            return bool(path.read_bytes())
        except OSError:
            return False

    with SearchPeer(brave) as peer:
        done = run(
            "crawl", WORDS, "--find", f"brave:{peer.url}", "--replay", WEB, "--pages", 5, "--out", tmp_path / "c"
        )
    assert done.returncode == 0, done.stderr
    told = [done.stdout, done.stderr, *(run(*words).stdout for words in (("status", tmp_path / "c", "--json"),))]
    assert seen and not any(KEY.encode() in line for line in seen)
    assert not any(KEY in each for each in told)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


# lycosa.toml


def test_named_sources_are_asked_if_there_are_no_seeds_and_only_then(run, peer, tmp_path):
    toml = tmp_path / "config" / "lycosa" / "lycosa.toml"
    toml.write_text(f'[finders]\nmine = "searxng:{peer.url}"\n[crawl]\npages = 4\nfind_queries = 1\n')
    done = run("crawl", WORDS, "--replay", WEB, "--out", tmp_path / "a")
    assert done.returncode == 0 and "found by mine" in done.stdout
    asked = len(peer.asked)
    assert run("crawl", WORDS, "--seed", TOPIC.examples[0], "--replay", WEB, "--out", tmp_path / "b").returncode == 0
    assert len(peer.asked) == asked
    done = run("crawl", WORDS, "--seed", TOPIC.examples[0], "--find", "mine", "--replay", WEB, "--out", tmp_path / "d")
    assert done.returncode == 0 and len(peer.asked) > asked
    assert "found by mine" in run("seeds", "find", WORDS, "--find-queries", 1).stdout
    for command in ("crawl", "rounds", "seeds find", "serve", "mcp"):
        rows = {row["option"]: row for row in json.loads(run("config", *command.split(), "--json").stdout)["options"]}
        assert rows["finders"]["value"] == {"mine": f"searxng:{peer.url}"}, command
        assert rows["finders"]["from"].endswith("/lycosa.toml:1")


@pytest.mark.parametrize(
    "text", ['[finders]\nmine = "searxng:http://a.test"\n', '[crawl]\nfind = ["brave:key=PATH"]\n']
)
def test_a_folder_that_somebody_unpacked_names_no_source(run, tmp_path, text):
    (tmp_path / "lycosa.toml").write_text(text)
    said = one_line(run("crawl", "wolf spiders", cwd=tmp_path))
    assert "can only be set in the file of a user" in said


def test_a_table_of_sources_that_is_none_is_one_line(run, tmp_path):
    (tmp_path / "config" / "lycosa" / "lycosa.toml").write_text("[finders]\nmine = 7\n")
    assert "[finders] has the wrong type" in one_line(run("crawl", "wolf spiders", cwd=tmp_path))


def test_the_table_of_seeds_has_its_own_keys_and_those_of_find(run, tmp_path):
    toml = tmp_path / "config" / "lycosa" / "lycosa.toml"
    toml.write_text("[seeds]\nlimit = 3\n[seeds.find]\nlimit = 4\n")
    rows = json.loads(run("config", "--json").stdout)["options"]
    assert [(row["command"], row["value"]) for row in rows] == [("seeds", 3), ("seeds find", 4)]
    done = run("seeds", "--bed", WEB, "--topic", TOPIC.id)
    assert done.stdout.count("  added  ") == 3
    toml.write_text("[seeds]\nfnd = 3\n")
    assert "unknown" in one_line(run("seeds", "--bed", WEB, "--topic", TOPIC.id))


# Python


def test_python_finds_seeds_over_real_http_and_inside_an_event_loop(engine, made_web, made, tmp_path):
    topic = made.topics[0]
    with SearchPeer(results(*topic.examples[:3])) as peer:

        async def main():
            options = {"find": [f"searxng:{peer.url}"], "proxy": made_web.proxy, "pages": 5, "delay": 0.0}
            with lycosa.hunt(topic.keywords, out=tmp_path / "c", **options) as hunt:
                return hunt.plan.seeds, [visit.url async for visit in hunt]

        seeds, visited = asyncio.run(main())
    assert seeds == topic.examples[:3] and len(visited) == 5
    # The found pages were read, and what they say was asked for next.
    assert len(peer.queries) > 1 and all(query.startswith(topic.keywords) for query in peer.queries)


def test_python_without_seeds_is_refused(tmp_path):
    with pytest.raises(Refused, match="name a source that finds some") as refused:
        lycosa.hunt("wolf spiders", out=tmp_path / "c")
    assert (refused.value.code, refused.value.field) == (Code.MISSING, "seeds")


# REST and agents


@pytest.fixture
def jobs(peer, made_web, tmp_path):
    http = {"proxy": made_web.proxy}
    jobs = HuntJobs(tmp_path / "home", http=http, delay=0.0, finders={"mine": f"searxng:{peer.url}"})
    yield jobs
    jobs.close()


@pytest.fixture
def client(jobs):
    with TestClient(make_app(jobs, ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:
        yield client


def test_rest_previews_and_begins_with_the_sources_of_the_server(client, until):
    assert client.get("/api/finders").json() == {"finders": ["mine"]}
    found = client.post("/api/seeds", json={"keywords": WORDS, "limit": 4, "find_queries": 1}).json()
    assert len(found["seeds"]) == 4 and found["asked"] == ["mine"] and found["seeds"][0]["sources"] == ["mine"]
    for more in ({"find": ["mine"]}, {"begin_at": [found["seeds"][0]["url"]]}):
        begun = client.post("/api/hunts", json={"keywords": WORDS, "pages": 2, "find_queries": 1, **more})
        assert begun.status_code == 201, begun.text
        assert begun.json()["examples"] == [] and len(begun.json()["seeds"]) == (1 if "begin_at" in more else 20)
        path = f"/api/hunts/{begun.json()['name']}"
        until(lambda path=path: client.get(path).json()["state"] == "finished")


def test_another_machine_can_only_name_what_the_owner_has_set_up(client, peer):
    asked = len(peer.asked)
    for find in (f"searxng:{peer.url}", "lycosa:url=http://127.0.0.1:1", "collection:folder=/etc", "other"):
        for path in ("/api/hunts", "/api/seeds"):
            answer = client.post(path, json={"keywords": WORDS, "find": [find]})
            assert (answer.status_code, answer.json()["field"]) == (400, "find"), answer.text
            assert answer.json()["fix"].endswith("mine")
    for path in ("/api/hunts", "/api/seeds"):
        body = {"keywords": WORDS, "finders": {"x": f"searxng:{peer.url}"}}
        assert client.post(path, json=body).status_code == 422
    assert len(peer.asked) == asked


def test_a_server_without_sources_refuses_words_alone(tmp_path):
    jobs = HuntJobs(tmp_path / "home")
    with TestClient(make_app(jobs, ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:
        answer = client.post("/api/hunts", json={"keywords": "wolf spiders"}).json()
        assert (answer["code"], answer["field"]) == ("missing", "seeds")
        assert client.post("/api/seeds", json={"keywords": "wolf spiders"}).json()["code"] == "empty"


def test_a_server_whose_source_cannot_be_asked_does_not_start(tmp_path, run):
    with pytest.raises(Refused, match="needs its option url"):
        HuntJobs(tmp_path / "home", finders={"mine": "searxng"})
    said = one_line(run("serve", "--home", tmp_path / "home", "--finder", "mine"))
    assert "'mine' is not NAME=SOURCE" in said


def test_an_agent_previews_and_begins_with_words_alone(jobs):
    async def main():
        async with Client(ToolServer(ToolContext(jobs, AgentBudget(jobs, 100, 1 << 24)))) as client:
            found = await client.call_tool("find_seeds", {"keywords": WORDS, "limit": 3, "find_queries": 1})
            begun = await client.call_tool("start_hunt", {"keywords": WORDS, "pages": 3, "wait_seconds": 60})
            return found, begun

    found, begun = asyncio.run(main())
    assert not found.is_error and not begun.is_error, begun.content[0].text
    assert len(found.structured_content["seeds"]) == 3 and found.structured_content["asked"] == ["mine"]
    assert begun.structured_content["pages"] == 3
