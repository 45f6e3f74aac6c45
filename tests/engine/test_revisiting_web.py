"""What earlier collections hold is asked for only if it has changed, and taken from the archive where it has not."""

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from msgspec.structs import replace

from lycosa.core.events import Visited
from lycosa.core.nouns import Failure, Moved, Page, Raw, Since, Ticket, Topic, Unchanged, Visit
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.revisiting_web import RevisitingWeb, remembering
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.web.http_options import HttpOptions
from lycosa.web.parse import parse

LIMIT = 1 << 20
URL = "http://h.test/page"
OLD = b"<html><title>Wolf spiders</title><body><p>They hunt <a href=/next>at night</a>.</body></html>"


def collect(folder, url=URL, body=OLD, etag='"1"', modified="", truncated=False, at=1000.0):
    """A collection with one page."""
    writer = Writer(folder, "test")
    with Collection.create(folder) as collection:
        raw = Raw(200, (("Content-Type", "text/html"), ("ETag", etag)), body, truncated)
        where = writer.write(url, raw, at)
        writer.close()
        page = parse(url, body, "text/html")
        visit = Visit(Ticket(url), 0.5, digest=page.digest, etag=etag, modified=modified, where=where)
        collection.log.append(Visited(visit), at)
        collection.log.commit()
    return folder


class Told:
    """A web that answers what it is told to, and remembers with which condition it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.sinces = []

    async def get(self, url, limit, since=None):
        self.sinces.append(since)
        return self.answers.pop(0)

    def parsed(self, url, raw):
        page = parse(url, raw.body, "text/html", context=True)
        page.status, page.raw = raw.status, raw
        return page

    def longest(self, mime, limit):
        return limit

    async def close(self):
        pass


def ask(web, known=(), trusted=(), limit=LIMIT):
    async def story():
        remembers = RevisitingWeb(web, known, trusted)
        try:
            return await remembers.get(URL, limit)
        finally:
            await remembers.close()

    return asyncio.run(story())


def test_an_unchanged_page_comes_from_the_archive_parsed_again(tmp_path):
    web = Told(Unchanged('"1"'))
    page = ask(web, [collect(tmp_path / "a")])
    assert web.sinces == [Since('"1"')]
    assert (page.status, page.title, page.etag) == (304, "Wolf spiders", '"1"')
    assert page.raw.body == OLD and page.raw.status == 200
    (link,) = page.links
    assert page.anchor(link) == "at night"


def test_newer_marks_of_a_confirmed_page_are_kept(tmp_path):
    page = ask(Told(Unchanged('"2"', "Tue, 02 Jan 2024 00:00:00 GMT")), [collect(tmp_path / "a")])
    assert (page.etag, page.modified) == ('"2"', "Tue, 02 Jan 2024 00:00:00 GMT")


@pytest.mark.parametrize("answer", [Moved("http://h.test/new"), Failure("timeout", again=True), Page(URL, "new")])
def test_other_answers_are_passed_on(tmp_path, answer):
    assert ask(Told(answer), [collect(tmp_path / "a")]) is answer


def test_the_latest_collection_is_asked_about(tmp_path):
    web = Told(Unchanged('"2"'))
    page = ask(web, [collect(tmp_path / "new", body=b"<p>new", etag='"2"'), collect(tmp_path / "old")])
    assert web.sinces == [Since('"2"')]
    assert page.text == "new"


def test_a_page_nobody_knows_is_asked_for_as_ever(tmp_path):
    web = Told(Page(URL))
    ask(web, [collect(tmp_path / "a", url="http://h.test/other")])
    assert web.sinces == [None]


def test_a_page_without_marks_is_asked_for_as_ever(tmp_path):
    web = Told(Page(URL))
    ask(web, [collect(tmp_path / "a", etag="")])
    assert web.sinces == [None]


def test_a_damaged_record_is_not_asked_about(tmp_path, capsys):
    folder = collect(tmp_path / "a")
    (file,) = (folder / "pages").iterdir()
    data = bytearray(file.read_bytes())
    data[-20] ^= 255
    file.write_bytes(data)
    web = Told(Page(URL))
    ask(web, [folder])
    assert web.sinces == [None]
    assert "damaged" in capsys.readouterr().err


def test_a_collection_that_is_gone_is_no_reason_to_stop(tmp_path, capsys):
    web = Told(Unchanged('"1"'))
    page = ask(web, [tmp_path / "gone", collect(tmp_path / "a")])
    assert page.status == 304
    assert "not a collection" in capsys.readouterr().err


def test_a_cut_page_is_asked_for_when_more_of_it_is_wanted(tmp_path):
    web = Told(Page(URL))
    folder = collect(tmp_path / "a", truncated=True)
    ask(web, [folder])
    assert web.sinces == [None]
    page = ask(Told(Unchanged('"1"')), [folder], limit=len(OLD))
    assert page.status == 304


def test_an_archived_page_is_cut_to_the_limit(tmp_path):
    page = ask(Told(Unchanged('"1"')), [collect(tmp_path / "a")], limit=20)
    assert page.raw.body == OLD[:20] and page.raw.truncated and page.size == 20


def test_a_trusted_page_is_taken_without_asking(tmp_path):
    web = Told()
    page = ask(web, [collect(tmp_path / "old", body=b"old")], [collect(tmp_path / "tonight", etag='"3"')])
    assert web.sinces == []
    assert (page.status, page.title, page.etag) == (200, "Wolf spiders", '"3"')


def test_without_earlier_collections_a_web_is_left_as_it_is():
    web = Told()
    assert remembering(web, Sources()) is web


class Site(BaseHTTPRequestHandler):
    """A site whose pages have tags; what was sent is noted."""

    protocol_version = "HTTP/1.1"
    pages: dict[str, bytes]
    sent: list[tuple[str, int]]

    def do_GET(self):
        body = self.pages.get(self.path)
        tag = f'"{hash(body)}"'
        status = 404 if body is None else 304 if self.headers.get("If-None-Match") == tag else 200
        self.send_response(status)
        if status == 200:
            self.send_header("Content-Type", "text/html")
            self.send_header("ETag", tag)
        content = body if status == 200 else b""
        if status != 304:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        if self.path != "/robots.txt":
            self.sent.append((self.path, status))

    def log_message(self, *words):
        pass


@pytest.fixture
def site():
    """A running site, in a thread of its own."""
    handler: Any = type("OneSite", (Site,), {"pages": {}, "sent": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda request, address: None  # type: ignore[assignment]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    handler.port = server.server_port
    yield handler
    server.shutdown()
    thread.join()
    server.server_close()


def test_scouts_ask_only_for_what_has_changed(tmp_path, site):
    site.pages |= {"/a": OLD, "/b": b"<p>wolf spiders here", "/next": b"<p>nothing to see"}
    plan = Plan(
        topic=Topic("wolf spider"),
        seeds=("http://h.test/a", "http://h.test/b"),
        strategy="breadth-first",
        budget=Budget(3),
        rules=PolitenessRules(delay=0.0),
        http=HttpOptions(resolve={"*": f"127.0.0.1:{site.port}"}),
        index=False,
    )
    with Hunt.begin(plan, tmp_path / "one") as hunt:
        first = {visit.url: visit for visit in hunt}
    site.sent.clear()
    site.pages["/b"] = b"<p>wolf spiders elsewhere"
    with Hunt.begin(replace(plan, sources=Sources(known=(str(tmp_path / "one"),))), tmp_path / "two") as hunt:
        second = {visit.url: visit for visit in hunt}
    assert sorted(site.sent) == [("/a", 304), ("/b", 200), ("/next", 304)]
    assert {url.rpartition("/")[2]: visit.status for url, visit in second.items()} == {"a": 304, "b": 200, "next": 304}
    a = "http://h.test/a"
    assert (second[a].digest, second[a].links, second[a].relevance, second[a].etag) == (
        first[a].digest,
        first[a].links,
        first[a].relevance,
        first[a].etag,
    )
    with Collection.open(tmp_path / "two") as collection:
        row = collection.log.page(a)
        assert row.status == 304
        assert collection.repository.read(row.where).body == OLD
    site.sent.clear()
    with Hunt.begin(replace(plan, sources=Sources(trusted=(str(tmp_path / "two"),))), tmp_path / "three") as hunt:
        third = {visit.url: visit.digest for visit in hunt}
    assert third == {url: visit.digest for url, visit in second.items()}
    assert site.sent == []
