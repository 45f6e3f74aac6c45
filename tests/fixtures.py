"""What tests of app and face share: a made web on loopback, the real server in its own process, a real browser."""

import fcntl
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from inspect import signature
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import httpx
import pytest

import lycosa
from lycosa.face import server
from lycosa.face.server.run_server import serve
from lycosa.face.server.server_settings import ServerSettings
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = {"pages": 1200, "topics": 4, "seed": 5}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    # Not even a name is asked for: everything but this machine's own address is nowhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
VIEW = {"width": 1280, "height": 900}
PATIENCE = 60.0
"""Seconds that whatever is promised may take on a machine that is busy with other tests."""
SCREENSHOTS = Path(__file__).resolve().parents[1] / "artefacts" / "screenshots"
FORKS = multiprocessing.get_context("forkserver")
"""A process that has imported the server once: each server is a fork of it, and starts in a quarter of the time."""
FORKS.set_forkserver_preload(
    ["lycosa.face.mcp.http_transport", "lycosa.face.mcp.stdio_transport"]
    + [module.name for module in walk_packages(server.__path__, f"{server.__name__}.")]
)
# Five seconds are not enough for everybody who asks a server of a busy machine.
vars(httpx._config.DEFAULT_TIMEOUT_CONFIG).update(dict.fromkeys(("connect", "read", "write", "pool"), PATIENCE))
# Every httpx.get would read all certificates of authorities anew, which takes ten times as long as the request.
transport: Any = httpx._transports.default
transport.create_ssl_context = cache(transport.create_ssl_context)


class Running:
    """The real server in a process of its own, told what to do in the words of `lycosa serve`."""

    def __init__(self, home, folders, options, port):
        self.home, self.folders, self.port = Path(home), folders, port
        self.settings, self.limits = _meant(dict(zip(options[::2], options[1::2], strict=True)))
        self.url = self.process = None

    def start(self):
        """Start it, or start it again on the same port."""
        told, tell = FORKS.Pipe(duplex=False)
        where = (self.home, list(self.folders), ServerSettings(port=self.port, **self.settings))
        self.process = FORKS.Process(target=serve, args=where, kwargs={**self.limits, "ready": tell.send})
        self.process.start()
        tell.close()
        with told:
            assert told.poll(2 * PATIENCE), "the server did not start"
            settings = told.recv()
        self.port, self.url = settings.port, settings.url.rstrip("/")
        return self

    def kill(self):
        """End it as a power cut would."""
        self.process.kill()
        self.process.join(PATIENCE)

    def stop(self):
        """End it as Ctrl-C would."""
        if self.process and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGINT)
            self.process.join(PATIENCE)
            self.kill()


def _meant(said):
    """Words of the command line as the server itself takes them: its settings, and everything else."""
    usual: dict[str, Any] = {one.name: one.default for one in fields(ServerSettings)}
    limits = {name: one.default for name, one in signature(serve).parameters.items()}
    settings, others = {}, {"http": {"proxy": said.pop("--proxy")}}
    if "--finder" in said:
        others["finders"] = dict([said.pop("--finder").split("=", 1)])
    for word, value in said.items():
        name = word.removeprefix("--").replace("-", "_")
        if name in usual:
            settings[name] = type(usual[name])(value)
        else:
            others[name] = type(limits[name])(value)
    return settings, others


@pytest.fixture(scope="session")
def made():
    """The little web as data: its topics, pages and what is wanted."""
    return Made(**WEB)


@pytest.fixture(scope="session")
def made_web():
    """The same, served on loopback; `.proxy` leads to it, whatever the name."""
    with spawn("made:" + ",".join(f"{key}={value}" for key, value in WEB.items()), preload=True) as served:
        yield served


@pytest.fixture(scope="session")
def furnished(made, tmp_path_factory):
    """A home with a bit of everything; copy it. It is made once, whatever the number of processes that test."""
    place = tmp_path_factory.getbasetemp()
    place = place.parent if "PYTEST_XDIST_WORKER" in os.environ else place
    with (place / "furnished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "furnished").exists():
            _furnish(place / "half-furnished", made.topics[0])
            (place / "half-furnished").rename(place / "furnished")
    return place / "furnished"


def _furnish(home, topic):
    """A hunt by spiders, a community that was asked things, a small experiment."""
    web = "made:" + ",".join(f"{key}={value}" for key, value in WEB.items())
    hunt = lycosa.hunt(
        topic.keywords,
        topic.neighbors,
        out=home / "spiders",
        pages=150,
        replay=web,
        strategy="infospiders",
        on_topic=False,
    )
    with hunt:
        list(hunt)
    bookmarks = home / "bookmarks.txt"
    bookmarks.write_text("\n".join(topic.neighbors))
    _lycosa("community", "init", home / "club", "--bookmarks", bookmarks, "--keywords", topic.keywords, "--replay", web,
            "--max-in-index", 60, "--max-pages", 20, "--max-iter", 1)  # fmt: skip
    for question in (topic.keywords, topic.keywords.split()[0]):
        lycosa.search(home / "club", question)
    _lycosa("lab", "run", "made:pages=120,topics=2,seed=1", "--strategy", "best-first", "--strategy", "breadth-first",
            "--pages", 10, "--out", home / "experiment", "--processes", 1)  # fmt: skip


def _lycosa(*words):
    subprocess.run([sys.executable, "-m", "lycosa", *map(str, words)], check=True, capture_output=True)


@pytest.fixture(scope="session")
def serving(made_web):
    """Runs the real server over the made web: `with serving(home, [folders], "--option", ...) as running`."""

    @contextmanager
    def run(home, folders=(), *options, port=0, delay="0.02"):
        running = Running(home, folders, ["--proxy", made_web.proxy, "--delay", delay, *options], port)
        try:
            yield running.start()
        finally:
            running.stop()

    return run


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, driven by Playwright; module-scoped, because its event loop must not meet others."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET), timeout=2000 * PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def tab(browser):
    """One tab for all tests of a module: each one of its own would cost a process that begins anew."""
    context = browser.new_context(viewport=VIEW)
    context.set_default_timeout(1000 * PATIENCE)
    tab = context.new_page()
    tab.complaints = []
    tab.on("pageerror", lambda error: tab.complaints.append(f"error: {error}"))
    tab.on("dialog", lambda dialog: (tab.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    tab.on("request", lambda asked: _elsewhere(tab, asked.url))
    yield tab
    context.close()


@pytest.fixture
def page(tab):
    """A tab that remembers nothing; what it complains about, and what it asks elsewhere, is in `page.complaints`."""
    yield tab
    for other in tab.context.pages:
        if other is not tab:
            other.close()
    tab.evaluate("() => { try { localStorage.clear(); } catch { /* a page without a memory */ } stop(); }")
    tab.context.clear_cookies()
    tab.mouse.move(0, 0)
    tab.emulate_media(color_scheme="light", reduced_motion="no-preference")
    tab.set_viewport_size(VIEW)
    tab.complaints.clear()


def _elsewhere(tab, url):
    if not re.match(r"(http://(127\.0\.0\.1|localhost)[:/]|data:|about:|blob:)", url):
        tab.complaints.append(f"asked {url}")


@pytest.fixture(scope="session")
def screenshot():
    """Keeps a picture for people to look at: screenshot(page, "search-dark")."""

    def keep(tab, name, **options):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        tab.screenshot(path=SCREENSHOTS / f"{name}.png", **options)

    return keep


@pytest.fixture(scope="session")
def until():
    """Waits for something to become true: until(lambda: ..., "what is awaited")."""

    def wait(ask, what="it", seconds=PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if answer := ask():
                return answer
            time.sleep(0.05)
        raise AssertionError(f"{what} did not happen within {seconds:g} s")

    return wait


COMMANDS = """
import contextlib, io, json, sys
from lycosa.face.cli import main
told = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["lycosa", *words]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            main()
        except SystemExit as ended:
            told.append([ended.code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""


@pytest.fixture(scope="session")
def apart():
    """Commands, one after the other, in a process of their own, for which a folder may be on a read-only disk."""

    def run(*commands, read_only=None):
        said = [sys.executable, "-c", COMMANDS, json.dumps([list(map(str, words)) for words in commands])]
        mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
        said = ["unshare", "--mount", "sh", "-c", mounted, read_only, *said] if read_only else said
        done = subprocess.run(said, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        told = json.loads(done.stdout)
        assert len(told) == len(commands)
        return told

    return run


@pytest.fixture(scope="session")
def collected():
    """Makes a collection of pages that a test writes: collected(folder, {url: html}, keywords, seeds); none leaves."""

    def crawl(folder, web, keywords="spiders", seeds=(), types=None, **options):
        class Site(BaseHTTPRequestHandler):
            def do_GET(self):
                body = web.get(self.path)
                data = body.encode() if isinstance(body, str) else body or b""
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", (types or {}).get(self.path, "text/html; charset=utf-8"))
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            how = {"delay": 0.0, "proxy": f"http://127.0.0.1:{server.server_port}", "index": False}
            how |= {"strategy": "breadth-first", **options}

            def hunt_all():
                with lycosa.hunt(keywords, list(seeds) or [next(iter(web))], out=folder, **how) as hunt:
                    for _ in hunt:
                        pass

            # In a thread of its own: a browser that was started before has an event loop in this one.
            with ThreadPoolExecutor(1) as elsewhere:
                elsewhere.submit(hunt_all).result()
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
        return folder

    return crawl
