"""«host.» is «host»: for the scope of a crawl, for pauses, and in logs of versions that took them for two."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from lycosa.app.hunts import hunt
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.web.http import Http, HttpOptions

from .conftest import LittleWeb, Run, plan_for


class Fresh:
    """An Http for each request, so that nothing outlives the loop of a run."""

    def __init__(self, options):
        self.options = HttpOptions(**options)

    async def get(self, url, limit):
        http = Http(self.options)
        try:
            return await http.get(url, limit)
        finally:
            await http.close()


TEXT = "wolf spider " * 20


@contextmanager
def served(pages):
    """A server of {host/path: links} under every name; yields what was asked for, and the options to ask it."""
    asked = []

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            name = self.headers["Host"] + self.path
            asked.append(name)
            links = pages.get(name)
            found = isinstance(links, list)
            body = TEXT + "".join(f"<a href='{link}'>wolf spider</a>" for link in links) if found else links or ""
            self.send_response(404 if links is None else 200)
            self.send_header("Content-Type", "text/html" if found else "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield asked, {"resolve": {"*": f"127.0.0.1:{server.server_port}"}}
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


SPELLINGS = ("shut.test.", "SHUT.test.", "shut%2etest%2E", "shut.test\uff61", "shut.test.:80")


def test_no_spelling_of_a_host_gets_past_without(tmp_path):
    secrets = [f"http://{spelling}/secret-{number}" for number, spelling in enumerate(SPELLINGS)]
    pages = {"open.test/": [*secrets, "http://open.test./more"], "open.test/more": []}
    with served(pages) as (asked, http):
        options = {"pages": 10, "delay": 0.0, "index": False, "without": ["shut.test"], **http}
        with hunt("wolf spider", ["http://open.test./"], out=tmp_path / "c", **options) as running:
            urls = [visit.url for visit in running]
    assert sorted(urls) == ["http://open.test/", "http://open.test/more"]
    assert not [name for name in asked if "shut" in name or "test." in name]


def test_both_spellings_of_a_host_share_one_pause_and_one_robots_txt(tmp_path):
    pages: dict[str, Any] = {"slow.test/": ["http://slow.test./more", "/"], "slow.test/more": []}
    pages["slow.test/robots.txt"] = "User-agent: *\nCrawl-delay: 0.2\n"
    with served(pages) as (asked, http):
        options = {"pages": 10, "delay": 0.0, "index": False, **http}
        with hunt("wolf spider", ["http://slow.test/"], out=tmp_path / "c", **options) as running:
            urls = [visit.url for visit in running]
    assert urls == ["http://slow.test/", "http://slow.test/more"]
    assert asked == ["slow.test/robots.txt", "slow.test/", "slow.test/more"]


def test_a_log_of_an_older_version_with_dotted_hosts_is_resumed():
    links = ["shut.test./b", "open.test./c", "open.test.:80/d"]
    plan = plan_for("open.test./a", rules=PolitenessRules(delay=0.0, without=("shut.test",)))
    before = Run(plan, LittleWeb({"open.test./a": (TEXT, links)}), steps=1)
    assert [outcome.url for outcome in before.outcomes] == ["http://open.test./a"]

    with served({"open.test/c": [], "open.test/d": []}) as (asked, options):
        after = Run(plan, Fresh(options), events=before.told)
    visited = {event.visit.url for _, event in after.told if hasattr(event, "visit")}
    assert visited == {"http://open.test/c", "http://open.test/d"}
    assert sorted(set(asked)) == ["open.test/c", "open.test/d", "open.test/robots.txt"]
