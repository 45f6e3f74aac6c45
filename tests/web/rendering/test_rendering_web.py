"""A real Chromium renders what must be rendered; it reaches nothing except through the crawl's own client."""

import asyncio
import os
import signal
import socket
import time
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import pairwise

import pytest
from msgspec.structs import replace
from tests.fixtures import CHROMIUM
from tests.web.rendering.script_site import SHELL, ScriptSite, answer

from lycosa.engine.scope.scope import Scope
from lycosa.engine.scope.scope_rules import ScopeRules
from lycosa.web.http import Http, HttpOptions
from lycosa.web.rendering.render_options import RenderOptions
from lycosa.web.rendering.rendering_web import RenderingWeb
from lycosa.web.source_server import SourceServer

LIMIT = 1 << 20
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: apt-get install chromium"),
    pytest.mark.skipif(find_spec("playwright") is None, reason="Playwright is not installed"),
]


class Rendered:
    """A site, and a web that renders it, in an event loop of its own."""

    def __init__(self, **options):
        self.site = ScriptSite(8, plain=4)
        self.runner = asyncio.Runner()
        self.run = self.runner.run
        self.server = self.run(SourceServer(self.site).__aenter__())
        # Only these names lead anywhere, and only to this server.
        here = dict.fromkeys(("app.test", "other.test", "shut.test", "slow.test"), f"127.0.0.1:{self.server.port}")
        self.silent = socket.create_server(("127.0.0.1", 0))
        here["silent.test"] = f"127.0.0.1:{self.silent.getsockname()[1]}"
        self.names = []
        self.http = Http(HttpOptions(resolve=here), lookup=self.nowhere)
        self.web = RenderingWeb(self.http, RenderOptions(mode="auto", browser=CHROMIUM, **options))
        self.pages = 0

    async def nowhere(self, name, *rest):
        """A name server that knows private addresses only."""
        self.names.append(name)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 80))]

    def get(self, url):
        return self.run(self.web.get(url, LIMIT))

    def script(self, script, body="<div id=root></div>", host="app.test", **more):
        """The page whose only script is this one, rendered."""
        self.pages += 1
        url = f"http://{host}/script-{self.pages}"
        self.site.more[url] = answer(f"<!doctype html>{body}<script>{script}</script>", **more)
        return self.get(url)

    def asked(self):
        """The paths that were asked since the last call."""
        paths = [f"{one.host}{one.path}" for one in self.server.asked if one.path != "/robots.txt"]
        self.server.asked.clear()
        return paths

    @property
    def process(self):
        return self.web._renderer._browser

    def close(self):
        self.run(self.web.close())
        self.run(self.server.__aexit__())
        self.runner.close()
        self.silent.close()


@contextmanager
def rendering(**options):
    made = Rendered(**options)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def shared():
    with rendering(memory=400) as made:
        yield made


@pytest.fixture
def app(shared):
    """The one browser of this module; nothing of an earlier test is remembered but its files."""
    shared.asked()
    shared.http.stats.clear()
    shared.web._gains.clear()
    return shared


def write(text):
    """A script that writes a text of some length."""
    return f"document.getElementById('root').textContent = {text} + ' ' + 'spider '.repeat(30);"


def test_a_page_that_is_empty_without_javascript_has_its_text_and_links(app):
    page = app.get("http://app.test/page-1")
    assert app.site.pages["page-1"]["text"] in page.text and page.title == "Wolf spider 1"
    assert "enable JavaScript" not in page.text
    assert {link.url for link in page.links} == {f"http://app.test/page-{to}" for to in (2, 3, 4)}
    assert page.rendering.requests == 2 and page.rendering.browser > page.rendering.plain > 0


def test_a_rendered_page_tells_the_sitemaps_of_its_host(app):
    app.site.more["http://maps.test/robots.txt"] = answer("Sitemap: /map.xml", "text/plain")
    app.site.more["http://maps.test/"] = answer(f"<div id=root></div><script>{write('1')}</script>")
    here = {"maps.test": f"127.0.0.1:{app.server.port}"}

    async def story():
        web = RenderingWeb(Http(HttpOptions(resolve=here, lists=True)), RenderOptions(mode="auto", browser=CHROMIUM))
        try:
            return await web.get("http://maps.test/", LIMIT)
        finally:
            await web.close()

    page = app.run(story())
    assert page.rendering is not None and page.sitemaps == ("http://maps.test/map.xml",)


def test_what_a_crawl_excludes_no_page_loads(app):
    scope = Scope(ScopeRules(exclude=("*/private/*",)), {}, ("shell.test",), ("other.test",))
    paths = ("http://other.test/a", "/private/b", "/c", "/moved")
    app.site.more["http://shell.test/moved"] = answer("", status=302, Location="http://other.test/d")
    calls = "".join(f"fetch('{path}').catch(() => 0);" for path in paths)
    app.site.more["http://shell.test/"] = answer(f"<div id=root></div><script>{calls}{write('1')}</script>")
    here = dict.fromkeys(("shell.test", "other.test"), f"127.0.0.1:{app.server.port}")

    async def story():
        options = RenderOptions(mode="auto", browser=CHROMIUM)
        web = RenderingWeb(Http(HttpOptions(resolve=here)), options, never=scope.never)
        try:
            return await web.get("http://shell.test/", LIMIT)
        finally:
            await web.close()

    app.asked()
    assert app.run(story()).rendering is not None
    assert sorted(app.asked()) == ["shell.test/", "shell.test/c", "shell.test/moved"]


def test_what_was_loaded_is_kept_for_the_archive_once(app):
    shared = "http://app.test/shared.js"
    app.site.more[shared] = answer(write("1"), mime="text/javascript")
    pages = [app.script("", body="<div id=root></div><script src=/shared.js></script>") for _ in range(3)]
    assert all(b"shared.js" in page.raw.origin.plain.body for page in pages)
    assert app.asked().count("app.test/shared.js") == 1, "every page has the same script"
    # The first page is not kept, because it is out of the scope, for example; the script is archived with the next.
    assert [[url for url, _ in page.raw.origin.loaded()] for page in pages[1:]] == [[shared], []]


def test_an_unchanged_shell_does_not_count_as_an_unchanged_page(app):
    page = app.get("http://app.test/page-6")
    assert page.raw.origin.plain.header("ETag") and not page.etag and not page.raw.header("ETag")


def test_a_page_that_its_server_wrote_is_not_rendered(app):
    page = app.get("http://app.test/page-3")
    assert page.rendering is None and page.raw.origin is None
    assert app.asked() == ["app.test/page-3"]


def test_images_fonts_frames_trackers_and_beacons_are_not_loaded(app):
    app.site.more["http://app.test/rich"] = answer(
        SHELL.replace(
            "<body>",
            """<body><style>@font-face { font-family: x; src: url(/font.woff) } p { font-family: x;
            background: url(/background.png) }</style><img src=/image.png><iframe src=/frame.html></iframe>
            <video src=/film.mp4 autoplay></video><script>navigator.sendBeacon('/beacon', 'x');
            fetch('/post', { method: 'POST', body: 'x' }); new EventSource('/events')</script>
            <link rel=prefetch href=/next.html><object data=/object.swf></object>""",
        ).replace("id=\"root\"", "id=\"root\" data-page=\"page-1\"")
    )  # fmt: skip
    page = app.get("http://app.test/rich")
    assert "Wolf spider 1" in page.text
    assert set(app.asked()) <= {"app.test/rich", "app.test/api/page-1.json", "app.test/app.js"}
    assert app.http.stats["refused tracker"] == 1 and app.http.stats["refused method POST"] == 1


def test_the_guard_refuses_a_scripts_requests_to_private_addresses(app, monkeypatch):
    sockets = []
    monkeypatch.setattr(
        app.http._guard,
        "socket",
        lambda info, ask=app.http._guard.socket: (sockets.append(info[4]), ask(info))[1],
    )
    private = ["http://10.0.0.1/", "http://169.254.169.254/latest/meta-data", f"http://127.0.0.1:{app.server.port}/x"]
    private += ["http://localhost:22/", "http://[::1]/", "http://2130706433/", "http://router.lan/"]
    private += ["http://rebound.test/", "http://app.test/moved"]
    app.site.more["http://app.test/moved"] = answer("", status=302, Location="http://192.168.0.1/admin")
    asks = (
        f"Promise.all({private!r}.map((url) => fetch(url, {{mode: 'no-cors'}}).then(() => 'let in', () => 'refused')))"
    )
    page = app.script(f"{asks}.then((all) => {{ {write('all.join()')} }})")
    assert page.text.split()[0] == ",".join(["refused"] * len(private))
    assert set(sockets) <= {("127.0.0.1", app.server.port)}
    assert app.http.stats["refused refused address"] + app.http.stats["refused refused host"] == len(private)
    assert "x" not in app.asked() and app.names == ["rebound.test"]


def test_the_browser_has_no_other_way_out(app):
    with socket.create_server(("127.0.0.1", 0)) as heard, socket.socket(type=socket.SOCK_DGRAM) as packets:
        packets.bind(("127.0.0.1", 0))
        port, there = packets.getsockname()[1], heard.getsockname()[1]
        page = app.script(
            f"""
            const tried = [];
            const attempt = (name, act) => {{
              try {{ act(); tried.push(name); }} catch {{ tried.push('no-' + name); }}
            }};
            attempt('socket', () => new WebSocket('ws://127.0.0.1:{there}/'));
            attempt('rtc', () => new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:{port}' }}] }}));
            attempt('transport', () => new WebTransport('https://127.0.0.1:{port}/'));
            attempt('window', () => window.open('http://127.0.0.1:{there}/window'));
            attempt('frame', () => {{
              const frame = document.body.appendChild(document.createElement('iframe'));
              const iceServers = [{{ urls: 'stun:127.0.0.1:{port}' }}];
              const rtc = new frame.contentWindow.RTCPeerConnection({{ iceServers }});
              rtc.createDataChannel('x'); rtc.createOffer().then((offer) => rtc.setLocalDescription(offer));
            }});
            const code = `try {{ new WebSocket('ws://127.0.0.1:{there}/w') }} catch {{}}
                          fetch('http://127.0.0.1:{there}/f').catch(() => 0);
                          importScripts('http://127.0.0.1:{there}/i')`;
            attempt('worker', () => new Worker(URL.createObjectURL(new Blob([code]))));
            for (const rel of ['preconnect', 'dns-prefetch', 'prerender']) {{
              const href = 'http://127.0.0.1:{there}';
              document.head.append(Object.assign(document.createElement('link'), {{ rel, href }}));
            }}
            setTimeout(() => {{ {write("'tried ' + tried.join()")} }}, 700);
            """
        )
        heard.setblocking(False)
        packets.setblocking(False)
        with pytest.raises(BlockingIOError):
            heard.accept()
        with pytest.raises(BlockingIOError):
            packets.recv(1)
    assert page.text.startswith("tried no-socket,no-rtc,no-transport,")


def test_what_robots_txt_forbids_is_not_loaded(app):
    app.site.more["http://shut.test/robots.txt"] = answer("User-agent: *\nDisallow: /secret", "text/plain")
    page = app.script(
        f"fetch('http://shut.test/secret').then(() => 'let in', () => 'refused').then((said) => {{ {write('said')} }})"
    )
    assert page.text.startswith("refused") and "shut.test/secret" not in app.asked()
    assert app.http.stats["refused robots"] == 1


def test_a_script_may_ask_another_public_host(app):
    app.site.more["http://other.test/data"] = answer("from another host", "text/plain", Access_Control_Allow_Origin="*")
    page = app.script(f"fetch('http://other.test/data').then((a) => a.text()).then((said) => {{ {write('said')} }})")
    assert page.text.startswith("from another host")
    assert [url for url, _ in page.raw.origin.loaded()] == ["http://other.test/data"]


def test_a_page_may_ask_for_the_same_thing_again_only_a_few_times(app):
    app.site.more["http://app.test/news"] = answer("none", "text/plain")
    page = app.script(f"{write('1')} setInterval(() => fetch('/news'), 5)")
    assert page.rendering is not None and app.asked().count("app.test/news") == 3


def test_a_page_that_says_something_does_not_wait_for_an_answer_that_never_comes(app):
    page = app.script(f"{write('1')} fetch('http://silent.test/news')")
    assert page.text.startswith("1 spider") and page.rendering.browser < 15
    assert not app.http.stats["render time over"]


def test_a_page_may_make_only_so_many_requests_and_is_read_all_the_same(app):
    page = app.script(f"{write('1')} for (let n = 0; n < 350; n++) fetch('/new-' + n).catch(() => 0)")
    assert page.text.startswith("1 spider") and page.rendering.requests == 50
    assert len(app.asked()) <= 51


def test_shadow_roots_timers_and_script_redirects_are_read(app):
    page = app.script(
        """
        const host = document.createElement('x-card');
        host.attachShadow({ mode: 'open' }).innerHTML = '<p>from the shadow</p><slot></slot><a href="/linked">more</a>';
        host.append('from the light');
        setTimeout(() => document.body.append(host), 500);
        setTimeout(() => { location.href = '/elsewhere' }, 550);
        """
    )
    assert "from the shadow" in page.text and "from the light" in page.text
    assert {link.url for link in page.links} == {"http://app.test/linked", "http://app.test/elsewhere"}
    assert "app.test/elsewhere" not in app.asked()


def test_a_script_that_never_ends_costs_its_page_and_no_other(app, monkeypatch):
    began = time.monotonic()
    with monkeypatch.context() as patch:
        patch.setattr(app.web._renderer, "_options", replace(app.web._options, seconds=3.0))
        page = app.script("setTimeout(() => { while (true); }, 50)")
    assert page.rendering is None and time.monotonic() - began < 30
    assert app.http.stats["render time over"] == 1
    assert app.get("http://app.test/page-0").title == "Wolf spider 0"


def test_a_browser_that_is_killed_is_replaced(app):
    assert app.get("http://app.test/page-0").rendering
    before = app.process.pid
    os.killpg(before, signal.SIGKILL)
    assert app.get("http://app.test/page-1").title == "Wolf spider 1"
    assert app.process.pid != before


def test_a_browser_that_takes_too_much_memory_is_killed_and_replaced(app):
    page = app.script(
        "const all = []; setInterval(() => all.push(new Uint8Array(64 << 20).fill(1)), 20); fetch('/nothing')"
    )
    assert page.rendering is None
    assert app.get("http://app.test/page-1").title == "Wolf spider 1"
    assert app.http.stats["browser too much memory"] >= 1


def test_a_host_at_which_rendering_brings_nothing_is_left_alone(app):
    pages = [app.script("1 + 1", "<p>Nothing</p>") for _ in range(5)]
    assert [page.rendering is not None for page in pages] == [True] * 3 + [False] * 2


def test_a_challenge_is_never_answered(app):
    page = app.script(write("'solved'"), "<p>Checking your browser. Please enable JavaScript.</p><div id=root></div>")
    assert page.rendering is None


def test_the_pause_between_requests_is_kept_and_costs_the_page_no_time(app):
    app.site.more["http://slow.test/robots.txt"] = answer("User-agent: *\nCrawl-delay: 0.5", "text/plain")
    asks = "".join(f"await fetch('/part-{number}');" for number in range(7))
    end = write("'all of it'")
    page = app.script(f"(async () => {{ {asks} {end} }})()", host="slow.test")
    times = [one.time for one in app.server.asked if one.host == "slow.test"]
    assert page.text.startswith("all of it") and len(times) == 9
    assert min(after - before for before, after in pairwise(times)) > 0.45


def test_the_browser_is_gone_when_the_web_is_closed():
    with rendering() as made:
        made.get("http://app.test/page-0")
        group = made.process.pid
    with pytest.raises(ProcessLookupError):
        for _ in range(50):
            os.killpg(group, 0)
            time.sleep(0.1)
