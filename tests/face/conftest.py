"""What tests of the faces share: a made web on loopback, the real server in its own process, a real browser."""

import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import lycosa
from lycosa.web.made import Made
from lycosa.web.serve import spawn

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
SCREENSHOTS = Path(__file__).resolve().parents[2] / "artefacts" / "screenshots"


class Running:
    """A `lycosa serve` in a process of its own."""

    def __init__(self, home, folders, options, port):
        self.home, self.folders, self.options, self.port = home, folders, options, port
        self.url = self.process = None

    def start(self):
        """Start it, or start it again on the same port."""
        command = [sys.executable, "-m", "lycosa", "serve", *map(str, self.folders)]
        command += ["--home", str(self.home), "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+?:(\d+)/", line)
        assert found, f"the server did not start: {line!r}"
        self.port, self.url = int(found[1]), found[0].rstrip("/")
        return self

    def kill(self):
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        self.process.stdout.close()

    def stop(self):
        """End it as Ctrl-C would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(30)
        self.process.stdout.close()


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
    """A home with a bit of everything: a hunt by spiders, a community that was asked things, a small experiment."""
    home, topic = tmp_path_factory.mktemp("furnished"), made.topics[0]
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
    _lycosa("lab", "run", "made:pages=200,topics=3,seed=1", "--strategy", "best-first", "--strategy", "breadth-first",
            "--pages", 20, "--out", home / "experiment", "--processes", 1)  # fmt: skip
    return home


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
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    """A tab of its own; whatever it complains about, and whatever it asks elsewhere, is in `page.complaints`."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.complaints = []
    tab.on("pageerror", lambda error: tab.complaints.append(f"error: {error}"))
    tab.on("dialog", lambda dialog: (tab.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    tab.on("request", lambda asked: _elsewhere(tab, asked.url))
    yield tab
    context.close()


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

    def wait(ask, what="it", seconds=20.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if answer := ask():
                return answer
            time.sleep(0.05)
        raise AssertionError(f"{what} did not happen within {seconds:g} s")

    return wait


@pytest.fixture(scope="session")
def collected():
    """Makes a collection of pages that a test writes: collected(folder, {url: html}, keywords, seeds); none leaves."""

    def crawl(folder, web, keywords="spiders", seeds=(), types=None, **wishes):
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
            how = {"delay": 0.0, "http": {"proxy": f"http://127.0.0.1:{server.server_port}"}, "index": False}
            how |= {"strategy": "breadth-first", **wishes}
            with lycosa.hunt(keywords, list(seeds) or [next(iter(web))], out=folder, **how) as hunt:
                for _ in hunt:
                    pass
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
        return folder

    return crawl
