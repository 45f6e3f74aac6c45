"""Pages that no page links to are found where a sitemap or a feed names them, at a bounded cost."""

import gzip
import json

import pytest

import lycosa
from lycosa.core.nouns import LISTS
from lycosa.store.collection import Collection

XML = {"xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"}
STRATEGIES = ("apprentice", "best-first", "breadth-first", "shark-search", "dom")


def page(number, more=""):
    words = " ".join(f"word{number}x{n}" for n in range(60))
    return f"<title>Wolf spider {number}</title><body>Wolf spiders hunt. {words} <a href=/>home</a> {more}</body>"


def sitemap(urls, tag="url"):
    root = "urlset" if tag == "url" else "sitemapindex"
    inside = "".join(f"<{tag}><loc>{url}</loc></{tag}>" for url in urls)
    return f'<?xml version="1.0"?><{root} xmlns="{XML["xmlns"]}">{inside}</{root}>'


def feed(urls):
    items = "".join(f"<item><title>Wolf spider {n}</title><link>{url}</link></item>" for n, url in enumerate(urls))
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>{items}</channel></rss>'


ISLANDS = [f"http://a.test/spider-{n}" for n in range(30)]
HOME = "http://a.test/"
ISLAND_PAGES = {url: page(n) for n, url in enumerate(ISLANDS)}


def named_by_sitemap():
    return {
        HOME: page("home"),
        "http://a.test/robots.txt": "User-agent: *\nDisallow: /closed\nSitemap: http://a.test/index.xml\n",
        "http://a.test/index.xml": sitemap(["http://a.test/one.xml.gz", "http://a.test/two.txt"], "sitemap"),
        "http://a.test/one.xml.gz": gzip.compress(sitemap(ISLANDS[:15]).encode()),
        "http://a.test/two.txt": "\n".join(ISLANDS[15:]),
        **ISLAND_PAGES,
    }


def named_by_feed():
    link = '<link rel="alternate" type="application/rss+xml" title="News" href="/feed">'
    return {HOME: link + page("home"), "http://a.test/feed": feed(ISLANDS), **ISLAND_PAGES}


TYPES = {
    "http://a.test/robots.txt": "text/plain",
    "http://a.test/index.xml": "application/xml",
    "http://a.test/one.xml.gz": "application/x-gzip",
    "http://a.test/two.txt": "text/plain",
    "http://a.test/feed": "application/rss+xml",
}


def visits(folder):
    with Collection.open(folder) as collection:
        return {
            entry.event.visit.url: entry.event
            for entry in collection.log.read()
            if getattr(entry.event, "visit", None) is not None
        }


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("web", [named_by_sitemap, named_by_feed])
def test_pages_that_only_a_sitemap_or_a_feed_names_are_all_found(collected, tmp_path, web, strategy):
    found = visits(collected(tmp_path / "c", web(), "wolf spider", strategy=strategy, types=TYPES))
    assert set(ISLANDS) <= set(found)


@pytest.mark.parametrize("web", [named_by_sitemap, named_by_feed])
def test_nobody_reads_them_where_they_are_not_wanted(collected, tmp_path, web):
    found = visits(collected(tmp_path / "c", web(), "wolf spider", types=TYPES, sitemaps=False))
    assert list(found) == [HOME]


def test_a_list_is_archived_but_is_no_page_on_topic(collected, tmp_path):
    folder = collected(tmp_path / "c", named_by_feed(), "wolf spider", types=TYPES, strategy="apprentice")
    found = visits(folder)["http://a.test/feed"]
    assert found.visit.withheld in LISTS
    assert found.visit.where is not None
    relevance = {page.url: page.relevance or 0.0 for page in lycosa.status(folder, best=40).best}
    assert lycosa.why(folder, "http://a.test/feed")[-1].relevance == 0.0
    assert "http://a.test/feed" not in relevance
    assert relevance[ISLANDS[0]] > 0.5
    assert lycosa.status(folder).withheld == {"feed": 1}
    lycosa.export(folder, tmp_path / "pages.jsonl")
    exported = [json.loads(line)["url"] for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert set(exported) == {HOME, *ISLANDS}


def test_why_says_under_which_title_a_feed_names_a_page(collected, tmp_path):
    folder = collected(tmp_path / "c", named_by_feed(), "wolf spider", types=TYPES)
    assert [hop.anchor for hop in lycosa.why(folder, ISLANDS[3])] == [None, None, "Wolf spider 3"]


def test_endless_indexes_of_indexes_are_left(collected, tmp_path):
    class Endless(dict):
        def get(self, url, otherwise=None):
            name = url.removeprefix("http://a.test/")
            if name.startswith("map"):
                return sitemap([f"http://a.test/map{name[3:]}{n}" for n in range(1, 9)], "sitemap")
            return super().get(url, otherwise)

    web = Endless({HOME: page("home"), "http://a.test/robots.txt": "Sitemap: /map\n"})
    types = Types({"http://a.test/robots.txt": "text/plain"})
    found = visits(collected(tmp_path / "c", web, "wolf spider", types=types, pages=400))
    assert 10 < len(found) <= 1 + 50


class Types(dict):
    def get(self, url, otherwise=None):
        return "application/xml" if "/map" in url else super().get(url, otherwise)


def test_a_host_may_keep_its_sitemap_elsewhere(collected, tmp_path):
    web = {url: body for url, body in named_by_sitemap().items() if url in (HOME, *ISLANDS)}
    web["http://a.test/robots.txt"] = "Sitemap: http://files.test/a.xml\n"
    web["http://files.test/a.xml"] = sitemap([*ISLANDS, "http://c.test/", "http://files.test/b"])
    types = {"http://files.test/a.xml": "text/xml", "http://a.test/robots.txt": "text/plain"}
    found = visits(collected(tmp_path / "c", web, "wolf spider", types=types))
    assert set(found) == {HOME, "http://files.test/a.xml", *ISLANDS}


def test_a_sitemap_has_no_say_about_other_hosts(collected, tmp_path):
    web = named_by_sitemap() | {"http://a.test/two.txt": "", "http://b.test/": page("b"), "http://c.test/": page("c")}
    web["http://a.test/index.xml"] = sitemap(["http://a.test/", "http://b.test/", ISLANDS[0]])
    found = visits(collected(tmp_path / "c", web, "wolf spider", types=TYPES))
    assert set(found) == {HOME, "http://a.test/index.xml", ISLANDS[0]}
