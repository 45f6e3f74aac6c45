"""A hunt of a site that is empty without JavaScript: found whole, archived, replayed, its cost shown."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
import warcio
from tests.fixtures import CHROMIUM
from tests.web.rendering.script_site import ScriptSite

import lycosa
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import check_remote
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused
from lycosa.web.rendering.render_options import RenderOptions
from lycosa.web.source_server import SourceServer

PAGES, PLAIN = 12, 4
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None,
    reason="there is no Chromium with Playwright here: apt-get install chromium",
)


@contextmanager
def served(site):
    """A site on loopback, in a thread; gives what to add to a hunt so that it can reach nothing else."""
    ready, done = threading.Event(), threading.Event()
    ports = []

    async def serve():
        async with SourceServer(site) as server:
            ports.append(server.port)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(20)
        yield {"*": f"127.0.0.1:{ports[0]}"}
    finally:
        done.set()
        thread.join()


@pytest.fixture(scope="module")
def site():
    return ScriptSite(PAGES, PLAIN)


@pytest.fixture(scope="module")
def rendered(site, tmp_path_factory):
    """The collection of a hunt that renders what it must."""
    if CHROMIUM is None or find_spec("playwright") is None:
        pytest.skip("there is no Chromium with Playwright here: apt-get install chromium")
    folder = tmp_path_factory.mktemp("rendered") / "hunt"
    options = {"delay": 0, "strategy": "breadth-first", "render": "auto"}
    with served(site) as here, lycosa.hunt("wolf spider", [site.seed], out=folder, resolve=here, **options) as hunt:
        list(hunt)
    return folder


def test_every_page_is_found_and_only_shells_are_rendered(rendered, site):
    with Collection.open(rendered) as collection:
        visits = [collection.log.visit_of(url).event.visit for url in site.urls()]
    plain = {visit.url.rpartition("/")[2] for visit in visits if visit.rendering is None}
    assert len(visits) == PAGES and plain == site.plain and not any(visit.shell for visit in visits)
    assert {visit.title for visit in visits} == {page["title"] for page in site.pages.values()}


def test_the_cost_is_told(rendered, site, run):
    cost = lycosa.status(rendered).rendering
    assert (cost.pages, cost.shells, cost.advice) == (PAGES - len(site.plain), 0, "")
    assert cost.requests == cost.pages + 1, "one each for its data, and one for the script that all have"
    assert cost.seconds > 0 and cost.slower and cost.slower > 1
    said = run("status", rendered).stdout
    assert "9 pages rendered in" in said and "times as slow" in said


def test_what_was_rendered_can_be_found_and_the_collection_is_sound(rendered, site, run):
    words = site.pages["page-7"]["text"]
    assert lycosa.search(rendered, f'"{" ".join(words.split()[:6])}"').results[0].url == "http://app.test/page-7"
    assert run("check", rendered).returncode == 0


def test_the_archive_replays_without_a_browser(rendered, site, tmp_path):
    options = {"replay": str(rendered), "strategy": "breadth-first", "index": False}
    with lycosa.hunt("wolf spider", [site.seed], out=tmp_path / "again", **options) as hunt:
        again = {visit.url: (visit.title, visit.digest) for visit in hunt}
    with Collection.open(rendered) as collection:
        assert again == {row.url: (row.title, row.digest) for row in collection.log.pages()}


def test_other_tools_find_the_page_its_plain_answer_and_what_it_loaded(rendered, site, run, tmp_path):
    exported = tmp_path / "pages.warc.gz"
    assert run("export", rendered, exported).returncode == 0
    kinds, conversions, ids = {}, [], {}
    with exported.open("rb") as file:
        for record in warcio.ArchiveIterator(file):
            url, head = record.rec_headers.get_header("WARC-Target-URI"), record.rec_headers
            if url:
                kinds.setdefault(url, []).append(record.rec_type)
                ids[head.get_header("WARC-Record-ID")] = (url, record.content_stream().read())
            if record.rec_type == "conversion":
                conversions.append((url, head.get_header("WARC-Refers-To")))
    assert kinds["http://app.test/page-1"] == ["conversion", "response"]
    assert kinds["http://app.test/page-3"] == kinds["http://app.test/app.js"] == ["response"]
    assert {f"http://app.test/api/{name}.json" for name in site.pages.keys() - site.plain} <= kinds.keys()
    for url, source in conversions:
        assert ids[source][0] == url and b"enable JavaScript" in ids[source][1]


def test_a_hunt_that_renders_nothing_says_how_many_pages_were_empty(site, run, tmp_path):
    with served(site) as here:
        options = {"out": tmp_path / "plain", "resolve": here, "delay": 0}
        with lycosa.hunt("wolf spider", [f"http://app.test/page-{number}" for number in range(4)], **options) as hunt:
            list(hunt)
    cost = lycosa.status(tmp_path / "plain").rendering
    assert cost.shells >= 3 and cost.pages == 0 and "render" in cost.advice
    assert "empty without JavaScript" in run("status", tmp_path / "plain").stdout


@needs_browser
def test_a_crawl_that_is_killed_leaves_no_browser(tmp_path):
    site = ScriptSite(200)
    with served(site) as here:
        command = ["crawl", "wolf spider", "--seed", site.seed, "--out", tmp_path / "killed", "--delay", "0"]
        command += ["--render", "always", "--resolve", f"*={here['*']}"]
        crawl = subprocess.Popen([sys.executable, "-m", "lycosa", *map(str, command)], stdout=subprocess.DEVNULL)
        try:
            for _ in range(600):
                family = descendants(crawl.pid)
                if any("type=renderer" in name for name in family.values()):
                    break
                time.sleep(0.1)
            else:
                pytest.fail("no browser was started")
        finally:
            crawl.send_signal(signal.SIGKILL)
            crawl.wait()
        for _ in range(200):
            if not (left := [pid for pid, name in family.items() if command_of(pid) == name]):
                return
            time.sleep(0.1)
        pytest.fail(f"still there: {[family[pid] for pid in left]}")


def descendants(pid):
    """The command lines of a process's descendants."""
    found, left = {}, [pid]
    while left:
        for task in Path(f"/proc/{left.pop()}/task").glob("*"):
            try:
                children = [int(child) for child in (task / "children").read_text().split()]
            except OSError:
                continue
            found.update({child: command_of(child) for child in children})
            left += children
    return {child: name for child, name in found.items() if name}


def command_of(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return "" if state == "Z" else Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def test_without_a_browser_nothing_is_begun(run, tmp_path, monkeypatch):
    crawl = ["crawl", "wolf spider", "--seed", "http://app.test/", "--resolve", "*=127.0.0.1:9", "--render", "auto"]
    crawl += ["--out", tmp_path / "hunt"]
    done = run(*crawl, "--browser", tmp_path / "no-browser")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "no-browser" in done.stderr
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run(*crawl)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "needs a browser" in done.stderr and "--browser" in done.stderr
    assert not (tmp_path / "hunt").exists()


def test_without_the_package_nothing_is_begun(monkeypatch):
    monkeypatch.setattr("lycosa.web.rendering.render_options.find_spec", lambda name: None)
    with pytest.raises(Refused, match=r"pip install 'lycosa\[render\]'") as refused:
        RenderOptions(mode="auto", browser=sys.executable).must_be_ready()
    assert refused.value.code == Code.NEEDS_PACKAGE


@pytest.mark.parametrize(
    "options",
    [{"browser": "/bin/sh"}, {"render_seconds": 3000.0}, {"render_requests": 900}, {"render_memory": 4096}],
    ids=lambda options: next(iter(options)),
)
def test_another_machine_may_ask_for_rendering_but_not_choose_the_program_or_its_limits(options):
    check_remote(HuntRequest("wolf spider", ["http://app.test/"], render="auto"))
    with pytest.raises(Refused) as refused:
        check_remote(HuntRequest("wolf spider", ["http://app.test/"], render="auto", **options))
    assert refused.value.code == Code.NOT_ALLOWED


def test_a_browser_that_cannot_start_stops_the_hunt_in_one_line(site, tmp_path, run):
    if find_spec("playwright") is None:
        pytest.skip("Playwright is not installed")
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no such library >&2\nexit 127\n")
    broken.chmod(0o755)
    with served(site) as here:
        done = run(
            *("crawl", "wolf spider", "--seed", site.seed, "--out", tmp_path / "hunt", "--render", "auto"),
            *("--browser", broken, "--resolve", f"*={here['*']}", "--delay", 0),
        )
    assert done.returncode == 2 and f"the browser {broken} cannot be started" in done.stderr.splitlines()[-1]
