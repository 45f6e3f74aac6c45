"""Scoped hunts over real HTTP: what is out of the scope costs no request, and what turns out to be is not kept."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, pairwise
from pathlib import Path
from random import Random

import pytest

import lycosa
from lycosa.system.errors import Code, Refused

ENGLISH = "The wolf spiders of the meadow hunt on the ground without a web and carry their young on the back. "
FRENCH = "Les araignées-loups de la prairie chassent au sol sans toile et portent leurs petits sur le dos. "
MADE = count(1)
LOREM = [f"Number {n} of {n * 37 % 101} wolf spiders crossed field {n * 13 % 89} at night." for n in range(40)]


def page(*links, text=ENGLISH, head="", words=12):
    """A page with these links, unlike all others."""
    made = next(MADE)
    own = " ".join(LOREM[(made * 7 + at) % 40] for at in range(words // 10))
    anchors = " ".join(f'<a href="{link}">spiders {link[-5:]}</a>' for link in links)
    return f"<title>Wolf spiders {made}</title>{head}<p>{text} {own} {made}</p>{anchors}"


DATED = '<meta property="article:published_time" content="{}">'
LINKED = '<script type="application/ld+json">{{"@type": "Article", "datePublished": "{}"}}</script>'
WEB = {
    # Patterns and depth
    "http://docs.test/": page("/guide/", "/tag/all", "/blog/1", "http://other.test/guide/", "/guide/a.pdf"),
    "http://docs.test/guide/": page("/guide/1", "/tag/one", "/guide/print?page=1"),
    "http://docs.test/guide/1": page("/guide/2", "/guide/tag/3"),
    "http://docs.test/guide/2": page("/guide/4"),
    "http://docs.test/guide/4": page(),
    "http://docs.test/blog/1": page("/guide/5"),
    # Pages that turn out to be out of the scope, one site for each rule
    "http://start.test/": page(
        *(f"http://{name}.test/" for name in ("lang", "date", "type", "size", "words", "dated"))
    ),
    "http://lang.test/": page("/de", text=FRENCH * 3),
    "http://lang.test/de": page(text=ENGLISH * 3),
    "http://date.test/": page("/old", "/new", "/json", "/time", "/head", "/none"),
    "http://date.test/old": page("/behind", head=DATED.format("2019-05-01T10:00:00Z")),
    "http://date.test/new": page(head=DATED.format("2024-05-01")),
    "http://date.test/behind": page(head=LINKED.format("2024-06-01T00:00:00+02:00")),
    "http://date.test/json": page(head=LINKED.format("2012-06-01")),
    "http://date.test/time": page(text='<time datetime="2011-01-01">then</time> of wolf spiders'),
    "http://date.test/head": page(text="Wolf spiders of the header"),
    "http://date.test/none": page(text="Wolf spiders without a date"),
    "http://dated.test/": page("/known", text="Wolf spiders, when?"),
    "http://dated.test/known": page(head=DATED.format("2020-01-01")),
    "http://type.test/": page("/plain"),
    "http://type.test/plain": "Wolf spiders in plain text, which is another type.",
    "http://size.test/": page("/large", "/small"),
    "http://size.test/large": page(words=200),
    "http://size.test/small": page(words=10),
    "http://words.test/": page("/few"),
    "http://words.test/few": "<title>Wolf spiders</title>Few words.",
}
HEADERS = {
    "http://date.test/head": {"Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"},
    "http://date.test/new": {"Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"},
    "http://type.test/plain": {"Content-Type": "text/plain"},
}
SITES = {
    "lang.test": {"languages": ["en", "de"]},
    "date.test": {"after": "2024", "before": "2025-01-01"},
    "dated.test": {"dated": True},
    "type.test": {"types": ["html"]},
    "size.test": {"max_size": 1200},
    "words.test": {"min_words": 8},
}


class Web(ThreadingHTTPServer):
    """What it serves, how long that takes, and what was asked for."""

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.proxy, self.asked = f"http://127.0.0.1:{self.server_port}", Counter()
        self.pages, self.latency = WEB, 0.0
        self.times: list[tuple[str, float]] = []


@pytest.fixture(scope="module")
def web():
    """The web on loopback: `web.proxy` leads to it, and `web.asked` counts what was asked for."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self):
            served.asked[self.path] += 1
            served.times.append((self.path, time.monotonic()))
            time.sleep(served.latency)
            body = served.pages.get(self.path)
            data = (body or "").encode()
            self.send_response(404 if body is None else 200)
            headers = {"Content-Type": "text/html; charset=utf-8", **HEADERS.get(self.path, {})}
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    served = Web(Site)
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    served.shutdown()
    thread.join()
    served.server_close()


@pytest.fixture
def hunt(web, tmp_path):
    """hunt(seed, **options) hunts to the end; returns the folder and what the loop over it gave."""
    web.asked.clear()
    web.times.clear()

    def crawl(*seeds, out="found", heard=None, **options):
        how = {"delay": 0.0, "proxy": web.proxy, "strategy": "best-first", "processes": 1, **options}
        with lycosa.hunt("wolf spiders", list(seeds), out=tmp_path / out, **how) as found:
            if heard is not None:
                found.on_page(lambda page: heard.append(page.url))
            return tmp_path / out, [visit.url for visit in found]

    return crawl


def pages_asked(web):
    return {url for url in web.asked if not url.endswith("/robots.txt")}


def test_what_patterns_and_depth_keep_out_is_never_asked_for_and_counted_by_rule(hunt, web, run):
    folder, found = hunt(
        "http://docs.test/",
        include=["docs.test/", "docs.test/guide/*"],
        exclude=["*/tag/*", r"re:[?&]page=\d+$", "*.pdf"],
        depth=2,
    )
    assert set(found) == {"http://docs.test/", "http://docs.test/guide/", "http://docs.test/guide/1"}
    assert pages_asked(web) == set(found) and not any("other.test" in url for url in web.asked)
    report = lycosa.status(folder)
    # A link that is found on several pages counts once.
    assert report.links_outside == {
        "exclude */tag/*": 3,
        "include": 2,
        "depth 2": 1,
        "exclude *.pdf": 1,
        r"exclude re:[?&]page=\d+$": 1,
    }
    assert report.scope["depth"] == 2 and report.scope["exclude"][0] == "*/tag/*"
    shown = " ".join(run("status", folder).stdout.split())
    assert "8 links outside the scope: 3 by exclude */tag/*, 2 by include, 1 by depth 2," in shown


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://docs.test/tag/all", "it matches the excluded pattern */tag/*"),
        ("http://docs.test/blog/1", "it matches none of the patterns to include"),
        ("http://docs.test/guide/2", "it is more than 2 links away from every seed"),
    ],
)
def test_why_says_which_rule_kept_a_url_out(furnished_scope, run, url, said):
    code, _, err = run("why", furnished_scope, url)
    assert code == 2 and err.startswith(f"lycosa: {url} was found on http://docs.test/")
    assert f"but is outside the scope of the hunt ({said}): widen the scope and resume" in err


@pytest.fixture(scope="module")
def furnished_scope(web, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scope") / "found"
    how = {"delay": 0.0, "proxy": web.proxy, "strategy": "breadth-first", "processes": 1, "index": False}
    rules = {"include": ["docs.test/", "docs.test/guide/*"], "exclude": ["*/tag/*"], "depth": 2}
    with lycosa.hunt("wolf spiders", ["http://docs.test/"], out=folder, **how, **rules) as found:
        list(found)
    return folder


def test_pages_that_turn_out_to_be_out_of_the_scope_are_not_kept_but_their_links_are_followed(hunt, web, run):
    heard = []
    folder, found = hunt("http://start.test/", sites=SITES, heard=heard)
    outside = {
        "http://lang.test/": "language fr",
        "http://date.test/old": "date 2019-05-01",
        "http://date.test/json": "date 2012-06-01",
        "http://date.test/time": "date 2011-01-01",
        "http://date.test/head": "date 2015-10-21",
        "http://dated.test/": "date unknown",
        "http://type.test/plain": "type text/plain",
        "http://size.test/large": "size",
        "http://words.test/few": "words 4",
    }
    assert pages_asked(web) == {*found, *outside}
    kept = {url for url in WEB if not url.startswith("http://docs.test/")} - outside.keys()
    assert set(found) == kept and "http://lang.test/de" in kept and "http://date.test/behind" in kept
    report = lycosa.status(folder)
    assert heard == found and report.pages == len(kept) and report.links_outside == {}
    assert report.pages_outside == {"date": 5, "language": 1, "size": 1, "type": 1, "words": 1}
    assert "9 pages outside the scope: 5 by date, 1 by language" in " ".join(run("status", folder).stdout.split())
    for url, rule in outside.items():
        assert lycosa.why(folder, url)[-1].outcome.startswith(f"not kept, out of the scope: {rule}")


def test_pages_out_of_the_scope_are_neither_listed_nor_found_nor_exported_nor_archived(hunt, run, tmp_path):
    folder, found = hunt("http://start.test/", sites=SITES)
    answer = lycosa.search(folder, "wolf OR spiders OR araignées", limit=100)
    assert {result.url for result in answer.results} <= set(found)
    assert {row["url"] for row in lycosa.pages(folder)} == set(found)
    lycosa.export(folder, tmp_path / "out.jsonl")
    exported = [json.loads(line)["url"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert sorted(exported) == sorted(found)
    assert "araignées".encode() not in b"".join(file.read_bytes() for file in folder.rglob("*.warc"))
    code, out, err = run("check", folder)
    assert (code, err) == (0, ""), out


def test_a_site_with_a_longer_delay_is_asked_less_often(hunt, web):
    hunt("http://docs.test/", "http://size.test/", sites={"docs.test": {"delay": 0.3}}, pages=5)
    times = [at for url, at in web.times if url.startswith("http://docs.test/")]
    assert web.asked["http://docs.test/robots.txt"] == 1 and len(times) >= 3
    assert all(after - before > 0.29 for before, after in pairwise(times))


def test_a_hunt_can_go_on_with_another_scope(hunt, web):
    folder, first = hunt("http://docs.test/", depth=1, exclude=["*/tag/*", "*.pdf"])
    web.asked.clear()
    with lycosa.resume(folder, depth=3, exclude=["*/tag/*", "*.pdf", "*/blog/*", "other.test/*"]) as going_on:
        second = [visit.url for visit in going_on]
    assert set(first) == {f"http://docs.test/{name}" for name in ("", "guide/", "blog/1")}
    assert set(second) == {f"http://docs.test/guide/{name}" for name in "12"}
    missing = {"http://docs.test/guide/print?page=1", "http://docs.test/guide/5"}
    assert pages_asked(web) == {*second, *missing}
    report = lycosa.status(folder)
    assert report.scope["depth"] == 3 and report.links_outside["exclude other.test/*"] == 1
    assert report.pages == len(first) + len(second)


def test_a_hunt_killed_in_the_middle_fetches_what_is_near_enough_and_nothing_twice(web, tmp_path, until):
    rng, links = Random(1), {n: (n + 1, 2 * n + 1, 3 * n + 2) for n in range(1, 200)}
    words = ["".join(rng.choices("aeilnorst", k=6)) for _ in range(2000)]
    text = {n: f"wolf spiders {' '.join(rng.choices(words, k=80))}" for n in links}
    long = {f"http://docs.test/{n}": page(*(f"/{link}" for link in links[n]), text=text[n]) for n in links}
    near, edge = set(), {1}
    for _ in range(6):
        near, edge = near | edge, {link for n in edge for link in links.get(n, ())} - near
    near = {f"http://docs.test/{n}" for n in near & links.keys()}
    options = ["--seed", "http://docs.test/1", "--depth", "5", "--proxy", web.proxy, "--delay", "0", "--no-index"]
    command = [sys.executable, "-m", "lycosa", "crawl", "wolf spiders", *options, "--out", "found"]
    web.pages, web.latency = long, 0.02
    web.asked.clear()
    try:
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, start_new_session=True) as hunt:
            until(lambda: len(pages_asked(web)) >= 10 or hunt.poll() is not None, "a tenth page")
            assert hunt.poll() is None
            os.killpg(hunt.pid, signal.SIGKILL)
        with lycosa.resume(tmp_path / "found") as going_on:
            list(going_on)
    finally:
        web.pages, web.latency = WEB, 0.0
    assert {row["url"] for row in lycosa.pages(tmp_path / "found")} == near
    # What was under way when it was killed is asked for again.
    assert sum(web.asked[url] > 1 for url in near) <= 1


@pytest.mark.parametrize(
    ("options", "said", "field"),
    [
        ({"include": ["re:("]}, r"'re:\(' is not a pattern \(missing \): \(\): correct it", "include"),
        ({"exclude": ["re:(a+)\\1"]}, r"is not a pattern .*lookarounds and backreferences are not possible", "exclude"),
        ({"exclude": ["docs.test"]}, r"no URL is so short\): write docs\.test/\* for the whole host", "exclude"),
        ({"include": ["other.test/*"]}, r"the seed http://docs\.test/ matches none of the patterns to incl", "seeds"),
        ({"exclude": ["docs.test/*"]}, r"the seed http://docs\.test/ matches the excluded pattern docs", "seeds"),
        ({"types": ["htlm"]}, r"unknown type 'htlm': use one of html, text", "types"),
        ({"languages": ["english"]}, r"'english' is not a language: give codes of two letters", "languages"),
        ({"after": "yesterday"}, r"'yesterday' is not a date: write it like 2024-06-30", "after"),
        ({"after": "2024-02-31"}, r"'2024-02-31' is not a date", "after"),
        ({"after": "2025", "before": "2024"}, r"no page is after 2025 and before 2024: exchange them", "after"),
        ({"min_words": 9, "max_words": 3}, r"no page has at least 9 and at most 3 words", "min_words"),
        ({"depth": -1}, r"depth cannot be -1", "depth"),
        (
            {"max_words": 3, "sites": {"a.test": {"min_words": 9}}},
            r"a\.test: no page has at least 9 and at mo",
            "sites",
        ),
        ({"sites": {"a b": {}}}, r"'a b' is not a host: name a host such as example\.org", "sites"),
        ({"sites": {"a.test": {"dealy": 1}}}, r"unknown key 'dealy' for the site a\.test: use one of", "sites"),
        (
            {"sites": {"a.test": {"delay": "x"}}},
            r"a\.test: Expected float \| null, got str",
            "sites",
        ),
        ({"sites": {"a.test": {"exclude": "re:["}}}, r"a\.test: 're:\[' is not a pattern", "sites"),
    ],
)
def test_a_wrong_scope_is_refused_before_anything_is_begun(tmp_path, options, said, field):
    with pytest.raises(Refused, match=said) as refused:
        lycosa.hunt("wolf spiders", ["http://docs.test/"], out=tmp_path / "found", **options)
    assert refused.value.field == field and refused.value.code in Code
    assert "\n" not in str(refused.value) and not Path(tmp_path / "found").exists()
