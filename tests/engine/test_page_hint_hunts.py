"""A page is fetched and shown once, whatever addresses and versions it has, and no wrong hint loses a page."""

import json
import random
import string

import pytest

import lycosa
from lycosa.core.nouns import COPY
from lycosa.engine.crawl import Crawl
from lycosa.engine.crawl_recovery import catch_up, plan_of, priors_of
from lycosa.store.collection import Collection

from ..doors import Doors, moved, reply

HOME = "http://a.test/"


def text(number, more=""):
    words = " ".join(f"word{number}x{n} hunts" for n in range(60))
    return f"<title>Wolf spider {number}</title><body>Wolf spiders hunt. {words} {more}</body>"


def canonical(url):
    return f"<link rel=canonical href='{url}'>"


def links(*urls):
    return " ".join(f"<a href='{url}'>wolf spider</a>" for url in urls)


def withheld(folder):
    with Collection.open(folder) as collection:
        visits = [getattr(entry.event, "visit", None) for entry in collection.log.read()]
        return {visit.url: visit.withheld for visit in visits if visit is not None}


def exported(folder, target):
    lycosa.export(folder, target)
    return {json.loads(line)["url"] for line in target.read_text().splitlines()}


def test_a_page_with_many_addresses_is_shown_once(collected, tmp_path):
    web = {HOME: text("home", links("/p?sort=1", "/p?sort=2", "/p"))}
    web |= {
        f"http://a.test/p{end}": canonical("/p") + text("p") + f"<!--{end}-->" for end in ("", "?sort=1", "?sort=2")
    }
    folder = collected(tmp_path / "c", web, "wolf spider")
    assert list(withheld(folder).values()) == ["", "", COPY, COPY]
    assert exported(folder, tmp_path / "pages.jsonl") == {HOME, "http://a.test/p?sort=1"}
    assert lycosa.status(folder).withheld == {COPY: 2}
    found = lycosa.search(folder, "wolf spider", duplicates=True).results
    assert {hit.url for hit in found} == {HOME, "http://a.test/p?sort=1"}


def test_a_site_that_calls_every_page_its_home_page_loses_none(collected, tmp_path):
    web = {HOME: text("home", links(*(f"/{n}" for n in range(8))))}
    web |= {f"http://a.test/{n}": canonical(HOME) + text(n) for n in range(8)}
    assert set(withheld(collected(tmp_path / "c", web, "wolf spider")).values()) == {""}


def test_a_page_has_no_say_about_another_site(collected, tmp_path):
    web = {HOME: text("home", links("/1", "http://b.test/1"))}
    web |= {"http://b.test/1": text(1), "http://a.test/1": canonical("http://b.test/1") + text(1) + " "}
    assert set(withheld(collected(tmp_path / "c", web, "wolf spider")).values()) == {""}


def test_a_copy_that_is_not_shown_hides_no_page(collected, tmp_path):
    noindex = "<meta name=robots content=noindex>"
    web = {HOME: text("home", links("/p?print=1", "/p"))}
    web |= {"http://a.test/p?print=1": canonical("/p") + noindex + text("p"), "http://a.test/p": text("p") + " "}
    folder = collected(tmp_path / "c", web, "wolf spider")
    assert withheld(folder) == {HOME: "", "http://a.test/p?print=1": "noindex", "http://a.test/p": ""}
    large = {HOME: text("home", links("/p?print=1", "/p"))}
    large |= {"http://a.test/p?print=1": canonical("/p") + text("p") + " " * 9000, "http://a.test/p": text("p")}
    folder = collected(tmp_path / "d", large, "wolf spider", max_size=5000)
    assert withheld(folder)["http://a.test/p?print=1"].startswith("scope size")
    assert withheld(folder)["http://a.test/p"] == ""


def test_a_mirror_that_is_not_shown_hides_no_page(collected, tmp_path):
    noindex = "<meta name=robots content=noindex>"
    hosts = {"http://draft.test": noindex, "http://a.test": ""}
    web = {"http://portal.test/": text("portal", links(*(f"{host}/" for host in hosts)))}
    for n in range(8):
        onward = links(*(f"/{m}" for m in (n + 1, n + 2) if m < 8))
        for host, head in hosts.items():
            web[f"{host}/{n or ''}"] = head + text(n, onward)
    for workers in (1, 2):
        found = withheld(collected(tmp_path / f"c{workers}", web, "wolf spider", workers=workers))
        assert {f"http://a.test/{n or ''}" for n in range(8)} <= {url for url, reason in found.items() if not reason}


def test_the_pages_of_a_site_bring_something_new_although_its_draft_was_fetched_first(collected, tmp_path):
    drafts = links(*(f"http://a.test/draft/{n}" for n in range(30)))
    web = {"http://a.test/": text("home", drafts + links(*(f"/pages/{n}" for n in range(30))))}
    for n in range(30):
        web[f"http://a.test/draft/{n}"] = "<meta name=robots content=noindex>" + text(n)
        web[f"http://a.test/pages/{n}"] = text(n) + " "
    found = withheld(collected(tmp_path / "c", web, "wolf spider", workers=2))
    assert {f"http://a.test/pages/{n}" for n in range(30)} <= {url for url, reason in found.items() if not reason}


def versions():
    heads = '<link rel=alternate hreflang=de href="/de"><link rel=alternate hreflang=en href="/en">'
    heads += '<link rel=amphtml href="/amp"><link rel=alternate media="(max-width: 640px)" href="/m">'
    web = {
        HOME: text("home", links("/en")),
        "http://a.test/en": heads + text("en", links("/de", "/amp", "/m", "/other")),
    }
    web |= {f"http://a.test/{name}": heads + text(name) for name in ("de", "amp", "m", "other")}
    return web


def test_other_versions_of_a_page_on_topic_are_not_fetched(collected, tmp_path):
    web = versions()
    found = withheld(collected(tmp_path / "c", web, "wolf spider", seeds=[HOME, "http://a.test/en"]))
    assert set(found) == {HOME, "http://a.test/en", "http://a.test/other"}


def test_all_versions_are_fetched_where_they_are_wanted(collected, tmp_path):
    folder = collected(tmp_path / "c", versions(), "wolf spider", seeds=[HOME, "http://a.test/en"], hints=False)
    assert len(withheld(folder)) == 6


def test_a_version_of_a_page_off_topic_may_be_on_topic(collected, tmp_path):
    web = versions()
    web["http://a.test/en"] = web["http://a.test/en"].replace("Wolf spider", "Cook").replace("wolf spider", "more")
    folder = collected(tmp_path / "c", web, "wolf spider", on_topic=False)
    assert "http://a.test/de" in withheld(folder)


def test_a_redirect_to_a_login_or_an_error_page_is_counted_as_that(collected, tmp_path):
    import http.server
    import threading

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path = self.path.removeprefix("http://a.test")
            to = {"/secret": "/login?next=/secret", "/gone": "/404.html"}.get(path)
            body = b"" if to or path == "/robots.txt" else text("home", links("/secret", "/gone")).encode()
            self.send_response(302 if to else 404 if path == "/robots.txt" else 200)
            if to:
                self.send_header("Location", to)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            how = {"delay": 0.0, "proxy": f"http://127.0.0.1:{server.server_port}", "index": False}
            with lycosa.hunt("wolf spider", [HOME], out=tmp_path / "c", **how) as hunt:
                assert [visit.url for visit in hunt] == [HOME]
        finally:
            server.shutdown()
            thread.join()
    assert lycosa.status(tmp_path / "c").misses == {"login wall": 1, "soft 404": 1}


def test_a_login_that_has_the_key_is_followed_and_leads_back(tmp_path, monkeypatch):
    def answer(asked):
        if asked.host == "login.test":
            key = asked.header("X-Key") == "swordfish"
            return moved("http://a.test/secret?ticket=1") if key else reply("<input type=password>")
        if asked.target == "/secret":
            return moved("http://login.test/login?service=http://a.test/secret")
        return reply(text("home", links("/secret")) if asked.path == "/" else text("secret"))

    access = {"http://login.test": {"headers": {"X-Key": "env:DOOR_KEY"}}}
    monkeypatch.setenv("DOOR_KEY", "swordfish")
    with Doors(answer).beside() as doors:
        how = {"delay": 0.0, "index": False, **doors.options}
        for folder, more in (("with", {"access": access}), ("without", {})):
            with lycosa.hunt("wolf spider", [HOME], out=tmp_path / folder, **how, **more) as hunt:
                list(hunt)
    assert set(withheld(tmp_path / "with")) == {HOME, "http://a.test/secret?ticket=1"}
    assert set(withheld(tmp_path / "without")) == {HOME}


@pytest.mark.parametrize("strategy", ["breadth-first", "best-first"])
def test_a_farm_of_mirrors_costs_little_and_hides_nothing(collected, tmp_path, strategy):
    dice = random.Random(4)
    words = ["".join(dice.choices(string.ascii_lowercase, k=6)) for _ in range(2000)]
    texts = [" ".join(dice.choices(words, k=150)) for _ in range(24)]
    paths = ["/", *(f"/{word}/" for word in words[:23])]
    hosts = ["original.test", *(f"{word}.test" for word in words[30:42])]
    web = {"http://portal.test/": text("portal", links(*(f"http://{host}/" for host in hosts)))}
    for host in hosts:
        for number, path in enumerate(paths):
            onward = links(*(paths[(number * 2 + n) % len(paths)] for n in (1, 2)), *paths[:1])
            web[f"http://{host}{path}"] = f"<title>Wolf spider</title><p>{texts[number]} on {host}</p>{onward}"
    folder = collected(tmp_path / "c", web, "wolf spider", strategy=strategy)
    fetched = list(withheld(folder))
    assert {url[url.index("/", 8) :] for url in fetched} == set(paths)
    # 3 for each mirror, and a few for those under way at the same time.
    assert len(fetched) <= 1 + len(paths) + 8 * (len(hosts) - 1)
    with Collection.open(folder) as collection:
        from_log, from_checkpoint = crawl_of(collection), crawl_of(collection)
        catch_up(from_log, collection, 0)
        seq, state = collection.load_checkpoint()  # type: ignore[misc]
        from_checkpoint.load(state)
        catch_up(from_checkpoint, collection, seq)
    assert from_log.save() == from_checkpoint.save()


def crawl_of(collection):
    crawl = Crawl(plan_of(collection), lambda event, at: None)
    crawl.prepare(priors_of(collection))
    return crawl
