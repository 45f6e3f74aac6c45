"""Pages are looked at again by value, over real HTTP; what has changed is renewed, and no fault loses a page."""

import asyncio
import json
import math
import shutil
import socket
import sqlite3
import struct
import threading
import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from msgspec.structs import replace

from lycosa.app.search import search
from lycosa.community.freshness import Freshness
from lycosa.community.home import Home
from lycosa.community.revisit import due, plan_of_revisit, revisit
from lycosa.community.settings import CommunitySettings
from lycosa.core.events import Leased, Missed
from lycosa.core.nouns import Miss, Ticket, Topic
from lycosa.engine.hunt import Hunt
from lycosa.engine.indexing import bring_up_to_date
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.index.index import Index
from lycosa.index.search_types import Question
from lycosa.store.collection import INDEX, Collection
from lycosa.system.errors import Refused
from lycosa.web.http_options import HttpOptions

DATE = "Mon, 01 Jan 2024 00:00:00 GMT"


def html(words, *links):
    anchors = "".join(f'<a href="{link}">a page about {link}</a> ' for link in links)
    return f"<html><title>{words}</title><body><p>{words} {anchors}</body></html>".encode()


class Site(BaseHTTPRequestHandler):
    """Sites of any name: pages with tags or dates, and faults."""

    protocol_version = "HTTP/1.1"
    pages: dict[str, bytes]
    faults: dict[str, str]
    dated: set[str]
    sent: list[tuple[str, int, int]]

    def do_GET(self):
        name = self.headers["Host"].partition(":")[0] + self.path
        fault = self.faults.get(name, "")
        if fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.note(name, 0, b"")
            return
        if fault == "silent":
            self.note(name, 0, b"")
            time.sleep(3.0)
            self.close_connection = True
            return
        body = self.pages.get(name)
        if fault:
            status, _, to = fault.partition(" ")
            self.answer(name, int(status), b"", Location=to)
        elif body is None:
            self.answer(name, 404, b"not here")
        elif name in self.dated:
            same = self.headers.get("If-Modified-Since") == DATE
            self.answer(name, 304 if same else 200, b"" if same else body, Last_Modified=DATE)
        else:
            tag = f'W/"{hash(body)}"'
            same = self.headers.get("If-None-Match") == tag
            self.answer(name, 304 if same else 200, b"" if same else body, ETag=tag)

    def answer(self, name, status, body, **headers):
        self.send_response(status)
        for key, value in headers.items():
            if value:
                self.send_header(key.replace("_", "-"), value)
        if status == 200:
            self.send_header("Content-Type", "text/html")
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.note(name, status, body)

    def note(self, name, status, body):
        if not name.endswith("/robots.txt"):
            self.sent.append((name, status, len(body)))

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def server():
    """Running sites, in a thread of their own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    server.handle_error = lambda request, address: None  # type: ignore[assignment]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


PAGES = {
    "a.test/": html("wolf spiders", "/1", "/2", "/3"),
    "a.test/1": html("wolf spiders hunting at night"),
    "a.test/2": html("spiders in general"),
    "a.test/3": html("cooking and nothing else"),
    "b.test/": html("burrows of wolf spiders", "http://a.test/1"),
    "c.test/": html("the web of a spider"),
    "d.test/": html("a wolf and a spider"),
    "e.test/": html("eyes of spiders"),
    "f.test/": html("a field guide to spiders"),
}


def url(name):
    return f"http://{name}"


def sites(server):
    """All pages as they were at first, without faults; nobody has asked for any."""
    server.RequestHandlerClass = type("Sites", (Site,), {"pages": {**PAGES}, "faults": {}, "dated": set(), "sent": []})
    return server.RequestHandlerClass


@pytest.fixture(scope="module")
def sample(tmp_path_factory, server):
    """A community whose first generation holds all pages."""
    sites(server)
    http = HttpOptions(resolve={"*": f"127.0.0.1:{server.server_port}"}, timeout_total=2.0)
    settings = CommunitySettings(http=http, rules=PolitenessRules(delay=0.0), workers=8, processes=1)
    home = Home.create(tmp_path_factory.mktemp("sample") / "community", settings)
    plan = Plan(
        topic=Topic("wolf spider"),
        seeds=tuple(url(f"{host}.test/") for host in "abcdef"),
        strategy="breadth-first",
        budget=Budget(50),
        rules=settings.rules,
        workers=settings.workers,
        processes=1,
        http=settings.http,
        index=False,
    )
    with home.changing():
        folder = home.next_folder()
        with Hunt.begin(plan, folder) as hunt:
            assert len(list(hunt)) == len(PAGES)
        bring_up_to_date(folder)
        home.swap(folder, "init")
    return home.folder


@pytest.fixture
def home(tmp_path, sample):
    """A copy of it."""
    return Home.open(shutil.copytree(sample, tmp_path / "community", symlinks=True))


@pytest.fixture
def site(server, sample):
    """The sites that it was made of."""
    return sites(server)


def held(home):
    """The pages of the current generation, with what they say."""
    with Collection.open(home.current()) as collection:
        return {
            row.url.removeprefix("http://"): collection.repository.read(row.where).body
            for row in collection.log.pages()
        }


def found(home, text):
    with Index.open(home.current() / INDEX) as index:
        return {hit.url.removeprefix("http://") for hit in index.search(Question(text, by="content")).hits}


def test_where_nothing_has_changed_the_generation_stays_and_no_page_is_sent(home, site):
    before = home.current()
    report = revisit(home)
    assert (report.asked, len(report.unchanged), report.confirmed, report.generation) == (9, 9, 9, None)
    assert home.current() == before
    assert {status for _, status, _ in site.sent} == {304}
    assert sum(size for _, _, size in site.sent) == 0
    assert not (home.folder / "revisit").exists()


def test_changed_pages_are_replaced_and_found_by_their_new_words(home, site):
    site.pages["a.test/3"] = html("tarantulas and nothing else")
    site.dated.add("b.test/")
    report = revisit(home)
    assert report.changed == [url("a.test/3")]
    assert report.generation == 2 and home.current().name == "0002"
    assert held(home) == site.pages
    assert found(home, "tarantulas") == {"a.test/3"}
    assert found(home, "cooking") == set()
    assert found(home, "burrows") == {"b.test/"}
    site.sent.clear()
    assert revisit(home).generation is None
    assert {status for _, status, _ in site.sent} == {304}, "what a server says now is asked with the next time"


def test_the_index_is_brought_along_and_a_search_has_nothing_to_do(home, site):
    old = home.current()
    site.pages["a.test/3"] = html("tarantulas and nothing else")
    del site.pages["c.test/"]
    revisit(home, confirmations=1, apart=0.0)
    assert _files(old / INDEX, "*.store") & _files(home.current() / INDEX, "*.store"), "nothing is indexed again"
    before = _files(home.current() / INDEX)
    assert [hit.url for hit in search(home.folder, "tarantulas", by="content").results] == [url("a.test/3")]
    assert search(home.folder, "web", by="content").results == []
    assert _files(home.current() / INDEX) == before


def _files(folder, pattern="*"):
    return {(file.stat().st_ino, file.stat().st_mtime_ns) for file in folder.rglob(pattern) if file.is_file()}


LONG = " ".join(f"The {word} of wolf spiders is described in chapter {word}." for word in "abcdefghijklmnopqrstuvwxyz")


def test_other_bytes_around_the_same_text_are_no_change(home, site):
    site.pages["a.test/3"] = html(LONG)
    assert revisit(home).changed == [url("a.test/3")]
    before = home.current()
    site.pages["a.test/3"] = html(f"{LONG} Visitor 12, 20 November.").replace(b"<body>", b"<body class=winter>")
    site.sent.clear()
    report = revisit(home)
    assert ("a.test/3", 200, len(site.pages["a.test/3"])) in site.sent
    assert (report.changed, len(report.unchanged), home.current()) == ([], 9, before)
    with Freshness(home.freshness_file) as freshness:
        assert freshness.of([url("a.test/3")])[url("a.test/3")].changes == 1
    site.pages["c.test/"] = html("another web")
    assert revisit(home).changed == [url("c.test/")]
    assert held(home) == site.pages, "a new generation has all pages as they are now"


def test_the_old_generation_is_untouched(home, site):
    old = home.current()
    site.pages["a.test/3"] = html("tarantulas and nothing else")
    revisit(home)
    with Index.open(old / INDEX) as index:
        assert [hit.url for hit in index.search(Question("cooking", by="content")).hits] == [url("a.test/3")]
        assert not index.search(Question("tarantulas", by="content")).hits


def test_a_replaced_page_keeps_its_relevance_and_the_way_to_it(home, site):
    with Collection.open(home.current()) as collection:
        before = collection.log.page(url("a.test/3"))
    site.pages["a.test/3"] = html("knitting")
    revisit(home)
    with Collection.open(home.current()) as collection:
        after = collection.log.page(url("a.test/3"))
        assert after.relevance == before.relevance and after.digest != before.digest
        assert collection.log.lease_of(url("a.test/3")).event.ticket.via == url("a.test/")
        assert collection.log.lease_of(url("a.test/")).event.ticket.via is None


def test_a_page_is_left_out_when_it_was_missing_twice(home, site):
    del site.pages["c.test/"]
    site.faults["d.test/"] = "410"
    first = revisit(home)
    assert (first.gone, first.generation) == ([], None)
    assert first.unknown == {url("c.test/"): "status 404", url("d.test/"): "status 410"}
    second = revisit(home, apart=0.0)
    assert second.gone == [url("c.test/"), url("d.test/")]
    assert held(home).keys() == PAGES.keys() - {"c.test/", "d.test/"}
    assert found(home, "web") == set()
    assert home.generations()[-1].record.report["gone"] == 2
    assert home.generations()[-1].record.report["pages"] == len(PAGES) - 2


def test_no_page_is_lost_by_a_fault(home, site):
    site.faults |= {"b.test/": "reset", "c.test/": "503", "d.test/": "silent", "e.test/": "429", "f.test/": "403"}
    site.faults["a.test/2"] = "302 http://a.test/login"
    site.pages["a.test/login"] = html("please log in")
    site.pages["a.test/1"] = html("wolf spiders hunting by day")
    report = revisit(home, confirmations=1, apart=0.0)
    assert report.unknown == {
        url("b.test/"): "connection reset",
        url("c.test/"): "status 503",
        url("d.test/"): "timeout",
        url("e.test/"): "status 429",
        url("f.test/"): "status 403",
        url("a.test/2"): "status 302",
    }
    assert report.changed == [url("a.test/1")] and report.gone == []
    assert held(home) == PAGES | {"a.test/1": site.pages["a.test/1"]}
    with Freshness(home.freshness_file) as freshness:
        states = freshness.of([url(name) for name in PAGES])
    assert {name: states[url(name)].state for name in ("a.test/", "b.test/")} == {
        "a.test/": "present",
        "b.test/": "unknown",
    }
    site.faults.clear()
    assert len(revisit(home).unchanged) == 9


def test_no_page_is_lost_where_robots_txt_cannot_be_had_or_closes(home, site):
    site.faults["b.test/robots.txt"] = "503"
    # Asking again would take its time.
    home.settings = replace(home.settings, rules=PolitenessRules(delay=0.0, longest_rest=1.0))
    site.pages["c.test/robots.txt"] = b"User-agent: *\nDisallow: /\n"
    report = revisit(home, confirmations=1, apart=0.0)
    assert set(report.unknown) == {url("b.test/"), url("c.test/")}
    assert "robots" in report.unknown[url("c.test/")] and report.gone == []


def test_the_pages_of_a_host_that_is_given_up_are_unknown(home, site):
    for name in PAGES:
        if name.startswith("a.test/"):
            site.faults[name] = "reset"
    home.settings = replace(home.settings, rules=PolitenessRules(delay=0.0, patience=1))
    report = revisit(home)
    assert {address for address in report.unknown if "a.test" in address} == {
        url(name) for name in PAGES if name.startswith("a.test")
    }
    assert "host given up" in report.unknown.values()
    values = {each.url: each for each in due(home)}
    assert values[url("a.test/2")].parts["faults"] == 0.5


def test_a_page_that_moved_for_good_is_replaced_by_where_it_is(home, site):
    site.faults["a.test/2"] = "301 http://new.test/2"
    site.pages["new.test/2"] = html("spiders in general, moved to Toledo")
    site.faults["a.test/3"] = "308 http://a.test/1"
    site.faults["c.test/"] = "301 http://c.test/x"
    site.faults["c.test/x"] = "301 http://c.test/"
    report = revisit(home, confirmations=1, apart=0.0)
    assert report.moved == {url("a.test/2"): url("new.test/2"), url("a.test/3"): url("a.test/1")}
    assert held(home).keys() == PAGES.keys() - {"a.test/2", "a.test/3", "c.test/"} | {"new.test/2"}
    assert found(home, "toledo") == {"new.test/2"}
    with Collection.open(home.current()) as collection:
        assert collection.log.lease_of(url("new.test/2")).event.ticket.via == url("a.test/2")
        assert collection.log.lease_of(url("a.test/2")).event.ticket.via == url("a.test/")


def test_the_best_pages_are_looked_at_in_the_order_of_their_value(home, site):
    site.pages["c.test/"] = html("another web")
    revisit(home)
    site.pages["c.test/"] = html("yet another web")
    revisit(home)
    later = time.time() + 86400
    best = due(home, 9, later)
    assert [each.value for each in best] == sorted((each.value for each in best), reverse=True)
    assert len(due(home, 2, later)) == 2
    rates = {each.url: each.rate for each in best}
    assert rates[url("c.test/")] > 5 * rates[url("e.test/")]
    for each in best:
        assert each.value == pytest.approx(math.prod(each.parts.values()))
    hubs = {each.url: each.parts["hub"] for each in best}
    assert max(hubs.values()) == 2.0 and hubs[url("a.test/")] > hubs[url("e.test/")] == 1.0
    site.sent.clear()
    home.settings = replace(home.settings, workers=1)
    with closing(sqlite3.connect(home.freshness_file)) as db, db:
        db.execute("UPDATE pages SET asked = asked - 864000, seen = seen - 864000")
    wanted = [each.url for each in due(home, 3)]
    orders = []

    def run(hunt):
        list(hunt)
        orders.extend(entry.event.ticket.url for entry in hunt.collection.log.read(kinds=(Leased,)))

    assert revisit(home, 3, run).asked == 3
    assert orders == wanted
    assert sorted(url(name) for name, _, _ in site.sent) == sorted(wanted)


def test_a_revisit_never_leaves_its_list(home, site):
    site.pages["a.test/"] = html("wolf spiders", "/1", "/new", "http://strange.test/")
    site.pages["a.test/new"] = html("something new")
    revisit(home)
    assert {name for name, _, _ in site.sent} == PAGES.keys()


def test_what_came_before_an_interruption_counts(home, site):
    for name in PAGES:
        site.pages[name] += b"<p>and more"
    home.settings = replace(home.settings, workers=1)

    async def first(hunt):
        async for _ in hunt.outcomes():
            hunt.stop()

    report = revisit(home, run=lambda hunt: asyncio.run(first(hunt)))
    assert 1 <= len(report.changed) < 9
    assert report.unasked == 9 - len(report.changed) and report.unknown == {}
    pages = held(home)
    assert {url(name) for name in PAGES if pages[name] == site.pages[name]} == set(report.changed)
    assert {url(name) for name in PAGES if pages[name] == PAGES[name]} == {url(name) for name in PAGES} - {
        *report.changed
    }


def test_what_a_killed_one_left_is_swept_away(home, site):
    (home.folder / "revisit").mkdir()
    (home.folder / "revisit" / "log.sqlite").write_bytes(b"half")
    assert revisit(home).generation is None
    assert not (home.folder / "revisit").exists()


def test_pages_that_another_crawl_found_gone_are_left_out(home, site):
    miss = Missed(Miss(Ticket(url("e.test/")), "status 410"))
    with Freshness(home.freshness_file, confirmations=1, apart=0.0) as freshness:
        freshness.follow(home.current())
        freshness.learn([(time.time() + 1, miss)])
    assert url("e.test/") not in {each.url for each in due(home)}
    report = revisit(home)
    assert report.gone == [url("e.test/")] and report.asked == 8
    assert "e.test/" not in held(home)


def test_an_index_that_is_not_whole_is_made_anew(home, site):
    with Index.write(home.current() / INDEX) as index:
        index.clear()
    site.pages["a.test/3"] = html("tarantulas")
    revisit(home)
    assert found(home, "burrows") == {"b.test/"} and found(home, "tarantulas") == {"a.test/3"}


def test_only_one_changes_a_community_at_a_time(home, site):
    other = Home.open(home.folder)
    with other.changing(), pytest.raises(Refused):
        revisit(home)


def test_nothing_to_do_is_refused(home):
    with pytest.raises(Refused, match="pages cannot be 0"):
        due(home, 0)


def test_the_plan_asks_for_nothing_but_the_list(home):
    plan = plan_of_revisit(home, [url("a.test/")], home.current())
    assert plan.seeds == (url("a.test/"),) and plan.budget.pages == 1 and not plan.index
    assert plan.sources.known == (str(home.current()),)


def test_the_command_shows_what_is_next_and_what_came_of_it(run, home, site):
    dry = run("community", "revisit", home.folder, "--pages", "2", "--dry-run", "--json")
    assert [set(each["parts"]) for each in json.loads(dry.stdout)["due"]] == [
        {"relevance", "gain", "hub", "faults", "per_second"}
    ] * 2
    assert site.sent == []
    shown = run("community", "revisit", home.folder, "--dry-run")
    assert "http://a.test/" in shown.stdout
    del site.pages["c.test/"]
    done = run("community", "revisit", home.folder, "--confirmations", "3", "--json")
    counts = json.loads(done.stdout)["counts"]
    assert (counts["asked"], counts["present"], counts["unknown"], counts["gone"]) == (9, 8, 1, 0)
    told = run("community", "revisit", home.folder)
    assert "9 pages looked at again: 8 unchanged" in told.stdout
    assert "nothing has changed" in told.stdout
