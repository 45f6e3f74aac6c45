"""Feeds and sitemaps, as they are written: their links with title, summary and date; never more than is good for us."""

import gzip
import time
from pathlib import Path

import pytest

from lycosa.core.nouns import FEED, SITEMAP, SITEMAP_INDEX
from lycosa.web.link_lists import MOST_LINKS
from lycosa.web.parse import parse

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "sitemaps-crawler-commons"
URL = "http://www.example.com/list"

ITEM = {
    "RSS 0.91": """<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/rss.dtd">
        <rss version="0.91"><channel><title>T</title><link>http://www.example.com/</link><image><title>Logo</title>
        <link>http://www.example.com/logo</link></image><item><title>Wolf &amp; spider</title>
        <link>http://www.example.com/1</link><description>It hunts.</description></item></channel></rss>""",
    "RSS 1.0": """<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="/"><title>T
        </title><link>http://www.example.com/</link></channel><item rdf:about="http://www.example.com/1">
        <title>Wolf &#38; spider</title><link>http://www.example.com/1</link><description>It hunts.</description>
        <dc:date>2026-03-04T05:06:07Z</dc:date></item></rdf:RDF>""",
    "RSS 2.0": """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="c"><channel><title>T
        </title>        <atom:link href="http://www.example.com/list" rel="self"/><link>http://www.example.com/</link><item>
        <title><![CDATA[Wolf & spider]]></title><guid>http://www.example.com/1</guid>
        <source url="http://b.test/"><title>Elsewhere</title></source>
        <description>&lt;p&gt;It &lt;b&gt;hunts&lt;/b&gt;.&lt;/p&gt;</description>
        <content:encoded>Long.</content:encoded>
        <pubDate>Wed, 04 Mar 2026 05:06:07 GMT</pubDate></item></channel></rss>""",
    "Atom": """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://www.example.com/"><title>T</title>
        <link href="/"/><entry><title type="xhtml"><div>Wolf <i>&amp;</i> spider</div></title>
        <author><name>A</name><link href="/author"/></author><link rel="enclosure" href="/1.mp3"/><link href="1"/>
        <updated>2026-03-05T05:06:07Z</updated><published>2026-03-04T05:06:07Z</published>
        <summary>It hunts.</summary></entry></feed>""",
    "JSON Feed": """{"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url":
        "http://www.example.com/", "items": [{"id": 7, "url": "http://www.example.com/1", "title": "Wolf & spider",
        "content_html": "<p>It <b>hunts</b>.</p>", "date_published": "2026-03-04T05:06:07Z"}, 5, {"id": []}]}""",
}


def read(body, url=URL, content_type="", **options):
    data = body.encode() if isinstance(body, str) else body
    return parse(url, data, content_type, context=True, lists=True, **options)


def sitemap(*urls, head=""):
    return f"{head}<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


@pytest.mark.parametrize("form", ITEM)
def test_an_item_of_a_feed_is_a_link_with_its_title_summary_and_date(form):
    page = read(ITEM[form])
    assert (page.withheld, page.title) == (FEED, "T")
    home, item = page.links
    assert (home.url, item.url) == ("http://www.example.com/", "http://www.example.com/1")
    assert page.anchor(item) == "Wolf & spider"
    day = "" if form == "RSS 0.91" else " 2026-03-04"
    assert page.ring(item) == f"Wolf & spider It hunts.{day}"
    assert "Wolf & spider It hunts." in page.window(item, 2)


def test_a_feed_that_is_not_well_formed_gives_what_it_has():
    broken = "<rss><channel><title>A & B</title><item><title>One <b>two</title><link>/1</link></item><item><link>/2"
    assert [link.url for link in read(broken).links] == ["http://www.example.com/1", "http://www.example.com/2"]


def test_pages_of_other_kinds_are_no_lists():
    others = {
        "text/html": "<title>RSS</title><p>A <code>&lt;rss&gt;</code> element and http://www.example.com/",
        "text/plain": "http://www.example.com/1\nis a page",
        "application/json": '{"urls": ["http://www.example.com/"]}',
        "application/rdf+xml": '<rdf:RDF xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Person/></rdf:RDF>',
        "image/svg+xml": '<?xml version="1.0"?><svg><title>feed</title></svg>',
    }
    assert [read(body, content_type=kind).withheld for kind, body in others.items()] == [""] * len(others)
    # A list of links to other hosts is a page of links.
    assert read("http://b.test/1\nhttp://c.test/2", content_type="text/plain").withheld == ""


def test_nothing_is_a_list_unless_lists_are_wanted():
    page = parse(URL, ITEM["Atom"].encode(), "application/atom+xml")
    assert (page.withheld, page.links, page.text) == ("", (), "")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (sitemap("http://www.example.com/1", "/2"), SITEMAP),
        (
            sitemap("http://www.example.com/1", "/2", head='<?xml version="1.0"?><!-- made --><!DOCTYPE urlset>'),
            SITEMAP,
        ),
        (sitemap("http://www.example.com/1", "/2").replace("<urlset>", "<urlset\n>").encode("utf-16"), SITEMAP),
        ("http://www.example.com/1\r\n\r\nhttp://www.example.com/2\r\n", SITEMAP),
        (gzip.compress(sitemap("http://www.example.com/1", "/2").encode(), mtime=0), SITEMAP),
        (gzip.compress(b"http://example.com/1\nhttp://www.example.com/2", mtime=0), SITEMAP),
        (sitemap("/1", "/2").replace("urlset>", "sitemapindex>").replace("url>", "sitemap>"), SITEMAP_INDEX),
    ],
)
def test_every_form_of_a_sitemap_is_read(body, kind):
    page = read(body)
    assert page.withheld == kind
    assert [link.url.rpartition("/")[2] for link in page.links] == ["1", "2"]


def test_the_words_of_a_link_in_a_sitemap_are_those_of_its_path_and_what_extensions_say():
    page = read(
        """<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i"><s:url>
        <image:image><image:loc>http://www.example.com/x.jpg</image:loc><image:title>A bite</image:title></image:image>
        <s:loc>http://www.example.com/spiders/wolf-spider_of%20Crete.html?a=1&amp;b=2</s:loc>
        <s:lastmod>2026-03-04T00:00Z</s:lastmod></s:url></s:urlset>"""
    )
    (link,) = page.links
    assert link.url == "http://www.example.com/spiders/wolf-spider_of%20Crete.html?a=1&b=2"
    assert page.anchor(link) == "spiders wolf spider of Crete"
    assert page.ring(link) == "spiders wolf spider of Crete A bite 2026-03-04"


LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))


@pytest.mark.parametrize(
    "bomb",
    [
        f'<!DOCTYPE urlset [<!ENTITY l0 "ha">{LAUGHS}]><urlset><url><loc>/&l9;</loc></url></urlset>',
        '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><item><title>&x;</title><link>/1</link></item></rss>',
        "<urlset>" + "<url>" * 200_000,
        "<rss>" + "<item><title>" * 80_000,
        "<urlset>" + '<a "' * 250_000,
        "<urlset>" + "<a '\"" * 200_000,
        "<urlset>" + "<!x[" * 250_000,
        "<urlset>" + "<!--" * 250_000,
        "<urlset>" + "<![CDATA[" * 100_000,
        "<urlset><url><loc>" + "&#x" + "9" * 900_000,
        "<rss><item><description>" + "<script" * 140_000,
        '{"version": "https://jsonfeed.org/version/1", "items": ' + "[" * 500_000,
        gzip.compress(b"<urlset>" + b"<url><loc>/" + b"a" * 300_000_000, mtime=0),
    ],
    ids=lambda bomb: f"{bomb[:24]!r}",
)
def test_a_bomb_is_read_in_a_moment_and_expands_to_nothing(bomb):
    before = time.process_time()
    page = read(bomb)
    assert time.process_time() - before < 2.0
    assert len(page.text) < 1000
    assert "root:" not in page.text
    assert len(page.links) <= 1


def test_no_more_links_are_read_than_are_good_for_a_crawl():
    many = [f"http://www.example.com/{n}" for n in range(3 * MOST_LINKS)]
    assert len(read(sitemap(*many)).links) == MOST_LINKS
    assert len(read("\n".join(many)).links) == MOST_LINKS
    items = "".join(f"<item><link>{url}</link></item>" for url in many)
    assert len(read(f"<rss>{items}</rss>").links) == MOST_LINKS


def test_a_page_names_its_feeds_but_not_those_of_its_comments():
    page = read(
        """<link rel=alternate type="application/rss+xml" title="Blog" href="/feed">
        <link rel=alternate type="application/atom+xml" href="/atom"><link rel=stylesheet href="/style.css">
        <link rel=alternate type="application/rss+xml" title="Comments on this" href="/1/feed">
        <link rel=alternate type="application/rss+xml" href="/comments/feed"><link rel=alternate hreflang=de href="/de">
        <link rel=alternate type="application/json" href="/wp-json/posts/1"><p>Text""",
        content_type="text/html",
    )
    assert page.feeds == ("http://www.example.com/feed", "http://www.example.com/atom")


@pytest.mark.skipif(not DATA.is_dir(), reason="the conformance data lies beside the repository, in ../shared")
def test_the_lists_of_crawler_commons_are_read():
    expected = {
        "rss/feed.rss": (FEED, 5),
        "rss/xmlRss_pubDate.xml": (FEED, 8),
        "sitemaps/atom.xml": (FEED, 2),
        "sitemaps/sitemap.ns.xml": (SITEMAP, 2),
        "sitemaps/sitemap.badns.xml": (SITEMAP, 2),
        "sitemaps/sitemap.index.xml": (SITEMAP_INDEX, 15),
        "sitemaps/xmlSitemap.gz": (SITEMAP, 5),
        "sitemaps/sitemap.txt": (SITEMAP, 2),
        "sitemaps/sitemap.txt.gz": (SITEMAP, 5),
        "sitemaps/sitemap-with-bom.txt": (SITEMAP, 2),
        "sitemaps/extension/hebdenbridgetimes-articles-sitemap.xml": (SITEMAP, 74),
        "sitemaps/extension/pagemaps-sitemap.xml": (SITEMAP, 2),
        "sitemaps/extension/shinpaideshou-news-sitemap.xml": (SITEMAP, 3),
        "sitemaps/extension/sitemap-images.xml": (SITEMAP, 1),
        "sitemaps/extension/sitemap-links.xml": (SITEMAP, 3),
        "sitemaps/extension/sitemap-mobile.xml": (SITEMAP, 3),
        "sitemaps/extension/sitemap-news.xml": (SITEMAP, 2),
        "sitemaps/extension/sitemap-videos-tvshow.xml": (SITEMAP, 1),
        "sitemaps/extension/sitemap-videos.xml": (SITEMAP, 3),
    }
    found = {}
    for name in expected:
        kind = "text/plain" if name.endswith(".txt") else ""
        host = "www.example.com" if name.endswith(".txt.gz") else "www.domain.com"
        page = read((DATA / name).read_bytes(), f"http://{host}/{name}", kind)
        found[name] = page.withheld, len(page.links)
    assert found == expected
