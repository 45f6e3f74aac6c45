"""The login of a proxy is in no file, no answer, no message and no list of processes, whoever crawls through it."""

import asyncio
import base64
import contextlib
import gzip
import json
import sqlite3
import subprocess
import sys
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import typer
from mcp.client import Client
from starlette.testclient import TestClient

import lycosa
from lycosa.app import hunts
from lycosa.app.community_refresh import CommunityRefresh
from lycosa.app.community_start import CommunityStart
from lycosa.app.insight import questions
from lycosa.app.jobs import HuntJobs
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.app.rounds import Rounds
from lycosa.community.home import Home
from lycosa.community.refresh import refresh
from lycosa.community.refresh_state import make_loop
from lycosa.community.revisit import revisit
from lycosa.core.events import Began
from lycosa.core.urls import canonical
from lycosa.face.cli import app
from lycosa.face.mcp.agent_budget import AgentBudget
from lycosa.face.mcp.tool_context import ToolContext
from lycosa.face.mcp.tool_server import ToolServer as Tools
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused
from lycosa.web.source_names import open_made

USER, PASSWORD = "mallory-4711", "hush-hush-0815"
TOLD = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
WEB = "made:pages=200,topics=4,seed=5"
SECRETS = (USER, PASSWORD, TOLD)


class Proxy(ThreadingHTTPServer):
    """The made web behind a proxy that lets nobody pass who does not say the login."""

    daemon_threads = True

    def __init__(self, web):
        super().__init__(("127.0.0.1", 0), Passing)
        self.web = web
        self.look = None
        """Called with the eighth request that passes from now on: then everybody is at work who ever is."""
        self.passed = 0
        self.place = f"127.0.0.1:{self.server_port}"
        self.bare, self.url = f"http://{self.place}", f"http://{USER}:{PASSWORD}@{self.place}"

    def pass_by(self):
        self.passed += 1
        if self.look and self.passed == 8:
            self.look()

    @contextlib.contextmanager
    def watching(self, folder):
        """What somebody sees meanwhile who looks at all processes and into a folder: a list that is filled."""
        seen = []
        self.passed, self.look = 0, lambda: seen.append((leaks(command_lines()), leaking(folder)))
        try:
            yield seen
        finally:
            self.look = None


class Passing(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.headers.get("Proxy-Authorization") != f"Basic {TOLD}":
            return self.answer(407, b"", ("Proxy-Authenticate", "Basic"))
        self.server.pass_by()
        found = self.server.web.response(canonical(self.path))
        return self.answer(found.status, found.body, *found.headers) if found else self.answer(404, b"")

    def answer(self, status, body, *headers):
        self.send_response(status)
        for header in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def proxy(made):
    with Proxy(made) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def leaks(text):
    data = text if isinstance(text, bytes) else text.encode()
    return [secret for secret in SECRETS if secret.encode() in data]


def leaking(folder):
    """Every file beneath a folder in which a part of the login stands, as it is and unpacked; events as told."""
    found = {}
    for file in (path for path in sorted(Path(folder).rglob("*")) if path.is_file()):
        try:
            data = file.read_bytes()
            if file.suffix == ".gz":
                data += gzip.decompress(data)
            if file.name == "log.sqlite":
                with Collection.open(file.parent) as collection:
                    data += repr([entry.event for entry in collection.log.read()]).encode()
        except (OSError, EOFError, zlib.error, sqlite3.Error, Refused):
            # It was just being written, or just removed.
            continue
        if seen := leaks(data):
            found[str(file)] = seen
    return found


def command_lines():
    """What anybody on this machine can see of all processes."""
    seen = b""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            seen += (process / "cmdline").read_bytes() + b"\n"
    return seen


def plan_in(folder):
    with Collection.open(folder) as collection:
        return collection.log.last(Began).event.plan


def options(proxy, **more):
    return {"proxy": proxy, "delay": 0.0, "strategy": "best-first", "pages": 12, "index": False, **more}


def test_a_crawl_through_a_proxy_with_a_password_leaves_no_trace_of_it(run, proxy, made, tmp_path, monkeypatch):
    topic, folder = made.topics[0], tmp_path / "crawl"
    words = ["crawl", topic.keywords, "--seed", topic.examples[0], "--out", str(folder)]
    words += ["--pages", "12", "--delay", "0", "--no-index", "--json"]
    monkeypatch.setenv("LYCOSA_PROXY", proxy.url)
    with proxy.watching(folder) as seen:
        # In a process of its own, so that there is a list of processes to look at.
        begun = subprocess.run(
            [sys.executable, "-m", "lycosa", *words], capture_output=True, text=True, timeout=60, check=False
        )
    assert (begun.returncode, begun.stderr, json.loads(begun.stdout)["pages"]) == (0, "", 12)
    assert seen == [([], {})]
    assert plan_in(folder)["http"]["proxy"] == f"http://****@{proxy.place}/"

    with monkeypatch.context() as patch:
        patch.delenv("LYCOSA_PROXY")
        refused = run("resume", folder, "--pages", 16)
    assert refused.returncode == 2
    assert f"password of the proxy {proxy.bare} are not stored" in refused.stderr
    assert f"LYCOSA_PROXY=http://USER:PASSWORD@{proxy.place}" in refused.stderr
    resumed = run("resume", folder, "--pages", 16, "--json")
    assert not any(leaks(done.stdout + done.stderr) for done in (begun, refused, resumed))
    assert (resumed.returncode, json.loads(resumed.stdout)["pages"]) == (0, 16)

    with Collection.open(folder) as collection:
        best = next(collection.log.pages(limit=1)).url
    assert not leaks(str([hunts.status(folder), hunts.why(folder, best)]))
    for name in ("pages.jsonl", "pages.csv", "pages.warc.gz", "pages.wacz"):
        hunts.export(folder, tmp_path / name)
    assert leaking(tmp_path) == {}


def test_a_proxy_that_lets_nobody_pass_ends_a_hunt_with_one_line_and_nothing_is_lost(proxy, made, tmp_path):
    topic, folder = made.topics[0], tmp_path / "c"
    hunt = lycosa.hunt(topic.keywords, topic.examples[:1], out=folder, **options(f"http://{USER}:wrong@{proxy.place}"))
    with pytest.raises(Refused, match=r"the proxy refuses this user name and password \(407\)") as refused, hunt:
        list(hunt)
    assert not leaks(str(refused.value))
    with lycosa.resume(folder, proxy=proxy.url) as resumed:
        assert len(list(resumed)) == 12
        assert not resumed.crawl.tally.misses
    assert leaking(folder) == {}


def test_every_command_that_takes_a_proxy_takes_it_from_the_environment_too():
    found = {}

    def walk(command, name):
        for key, value in getattr(command, "commands", {}).items():
            walk(value, f"{name} {key}".strip())
        for param in command.params:
            if "--proxy" in param.opts:
                found[name] = param.envvar

    walk(typer.main.get_command(app), "")
    assert {"crawl", "resume", "rounds", "seeds", "map", "serve", "mcp"} < found.keys()
    assert {"community init", "community refresh", "community revisit"} < found.keys()
    assert set(found.values()) == {"LYCOSA_PROXY"}


def test_a_proxy_in_the_environment_is_no_reason_to_refuse_the_map_of_a_collection(tmp_path, monkeypatch):
    topic = open_made(WEB).topics[0]
    with lycosa.hunt(topic.keywords, topic.examples[:1], out=tmp_path / "c", pages=5, replay=WEB, index=False) as hunt:
        list(hunt)
    monkeypatch.setenv("LYCOSA_PROXY", f"http://{USER}:{PASSWORD}@127.0.0.1:1")
    app(["map", str(tmp_path / "c"), "--out", str(tmp_path / "map.svg"), "--json"], standalone_mode=False)
    assert not leaking(tmp_path)
    with pytest.raises(Refused, match="--proxy says nothing of a collection"):
        app(["map", str(tmp_path / "c"), "--proxy", "http://127.0.0.1:1"], standalone_mode=False)


def test_a_hunt_without_the_login_is_refused_before_there_is_a_folder(proxy, made, tmp_path):
    topic = made.topics[0]
    with pytest.raises(Refused, match="are not stored"):
        lycosa.hunt(topic.keywords, topic.examples, out=tmp_path / "c", **options(f"http://****@{proxy.place}"))
    assert not (tmp_path / "c").exists()


def test_later_rounds_know_the_login_that_the_first_was_begun_with(proxy, made, tmp_path):
    topic = made.topics[0]
    plan = make_plan(HuntRequest(topic.keywords, topic.examples, **options(proxy.url)))
    for hunt in Rounds(tmp_path / "rounds", rounds=2, plan=plan, hubs=5):
        with hunt:
            assert list(hunt)
    assert leaking(tmp_path) == {}
    with pytest.raises(Refused, match="are not stored"):
        next(iter(Rounds(tmp_path / "rounds", rounds=3, hubs=5)))
    (third,) = Rounds(tmp_path / "rounds", rounds=3, hubs=5, proxy=proxy.url)
    third.close()


def test_a_community_keeps_its_proxy_but_not_the_login(proxy, made, tmp_path):
    topic, folder = made.topics[0], tmp_path / "club"
    (tmp_path / "bookmarks.txt").write_text("\n".join(topic.examples[:3]))
    few = {"max_in_index": 12, "max_pages": 6, "max_iter": 1, "workers": 4}
    beginning = CommunityStart(
        folder,
        [tmp_path / "bookmarks.txt"],
        keywords=topic.keywords,
        http={"proxy": proxy.url},
        rules={"delay": 0.0},
        **few,
    )
    with beginning as hunt:
        with hunt:
            list(hunt)
        beginning.complete()
    assert json.loads((folder / "community.json").read_bytes())["http"]["proxy"] == f"http://****@{proxy.place}/"
    assert leaking(tmp_path) == {}

    for change in (CommunityRefresh(folder, query=[topic.keywords]), lambda: revisit(Home.open(folder), 2)):
        with pytest.raises(Refused, match="are not stored"):
            change()
    known = Home.open(folder, proxy=proxy.url)
    # What was interrupted goes on with the login of now.
    with pytest.raises(KeyboardInterrupt):
        refresh(known, make_loop(known, {"query": [topic.keywords]}), interrupt)
    assert leaking(tmp_path) == {}
    assert CommunityRefresh(folder, proxy=proxy.url)().number == 2
    assert leaking(tmp_path) == {}


def interrupt(what, done, total):
    if what == "pages" and done:
        raise KeyboardInterrupt


def test_a_desk_passes_the_login_on_and_writes_none_down(proxy, made, tmp_path, until):
    topic, home = made.topics[0], tmp_path / "home"

    def desk_with(given):
        return HuntJobs(home, http={"proxy": given}, delay=0.0)

    def state(jobs):
        return jobs.status("mine").state

    jobs = desk_with(proxy.url)
    try:
        with proxy.watching(home) as seen:
            jobs.begin()
            jobs.start(HuntRequest(topic.keywords, list(topic.examples), strategy="best-first", pages=12, name="mine"))
            until(lambda: state(jobs) == "finished")
        assert seen == [([], {})]
    finally:
        jobs.close()
    assert leaking(home) == {}

    # Another server of the same home that was not told the login says so, and loses nothing.
    poor = desk_with(None)
    try:
        poor.begin()
        poor.extend("mine", pages=3)
        until(lambda: state(poor) == "failed")
        status = poor.status("mine")
        assert "are not stored" in status.problem and "LYCOSA_PROXY" in status.fix
    finally:
        poor.close()

    jobs = desk_with(proxy.url)
    try:
        jobs.begin()
        jobs.resume("mine")
        until(lambda: state(jobs) == "finished")
        assert jobs.status("mine").pages == 15
        answers = asyncio.run(agents(jobs)) + rest(jobs)
    finally:
        questions.close()
        jobs.close()
    assert "mine" in answers and not leaks(answers)
    assert leaking(home) == {}


def rest(jobs):
    """What a program and a person are shown of a hunt."""
    with TestClient(make_app(jobs, ServerSettings(port=8125)), base_url="http://127.0.0.1:8125") as client:
        mine = [f"/api/hunts/mine{path}" for path in ("", "/pages", "/frontier", "/hosts", "/misses", "/paths")]
        found = [client.get(path) for path in ("/", "/hunts/mine", "/api/hunts", "/api/openapi.json", *mine)]
    assert {answer.status_code for answer in found} == {200}
    return "".join(answer.text + str(answer.headers) for answer in found)


async def agents(jobs):
    """What an agent is told of it."""
    async with Client(Tools(ToolContext(jobs, AgentBudget(jobs, 100, 1 << 30)))) as client:
        return str(await client.call_tool("hunt_status", {"name": "mine"}))


def test_the_companion_scouts_through_the_proxy_and_keeps_nothing_of_the_login(proxy, made, tmp_path, until):
    from lycosa.app.companion.scouting import Scouting, ScoutRun, new_name
    from lycosa.system.private_files import PrivateFolder

    topic, back = made.topics[0], []
    scouting = Scouting(PrivateFolder(tmp_path / ".companion"), {"proxy": proxy.url}, 0.0, back.append)
    links = [(url, topic.keywords) for url in topic.examples[:2]]
    try:
        scouting.send(ScoutRun(new_name(1.0), "http://read.test/", "read", 1.0, topic.keywords, links, pages=2))
        until(lambda: back)
        assert not scouting.problems
    finally:
        scouting.close()
    with Collection.open(scouting.found(back[0].name)) as collection:
        assert collection.log.counts()["pages"] == 3
    assert leaking(tmp_path) == {}
