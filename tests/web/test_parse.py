"""A body becomes a Page: text with spans, title, language, links."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from lycosa.core.nouns import Link, Page
from lycosa.web.parse import parse

HOME = "http://a.test/dir/page.html"
SCHOOLS = Path(__file__).resolve().parents[2].parent / "shared" / "testbeds" / "schools" / "pages.warc.gz"


def read(html: str | bytes, content_type: str = "text/html", **options: bool) -> Page:
    body = html if isinstance(html, bytes) else html.encode()
    if isinstance(html, str) and "charset" not in content_type:
        content_type += "; charset=utf-8"
    return parse(HOME, body, content_type, **options)


def urls(page: Page) -> list[str]:
    return [link.url for link in page.links]


def contexts(page: Page, link: Link) -> list[str]:
    return [page.anchor(link), *(page.ring(link, n) for n in range(len(link.rings)))]


# ---- text


def test_text_is_the_title_and_every_word_of_the_body():
    page = read("<title>Wolf spiders</title><body><h1>Lycosa</h1><p>They <b>hunt</b>.</p></body>")
    assert page.title == "Wolf spiders"
    assert page.text.split() == ["Wolf", "spiders", "Lycosa", "They", "hunt", "."]


def test_words_of_neighbouring_elements_are_not_glued_together():
    assert "onetwo" not in read("<table><tr><td>one<td>two</table>").text


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>secret()</script>",
        "<style>.secret{}</style>",
        "<!-- secret -->",
        "<template><p>secret</p></template>",
        "<iframe>secret</iframe>",
        "<noembed>secret</noembed>",
        "<svg><style>.secret{}</style><script>secret</script></svg>",
        "<a href=/x title=secret>shown</a>",
        "<img alt=secret src=x>",
    ],
)
def test_what_nobody_reads_is_not_text(hidden):
    page = read(f"<p>before {hidden} after</p>", context=True)
    assert "secret" not in page.text
    assert "before" in page.text
    assert "after" in page.text


def test_what_a_browser_without_scripts_shows_is_text():
    page = read("<noscript><p>Plain <a href=/menu>menu</a></p></noscript>")
    assert "Plain" in page.text
    assert urls(page) == ["http://a.test/menu"]


def test_entities_are_characters():
    page = read("<title>A &amp; B</title><p>caf&eacute; &#8212; &lt;tag&gt;<a href='/?a=1&amp;b=2'>x</a>")
    assert page.title == "A & B"
    assert "café — <tag>" in page.text
    assert urls(page) == ["http://a.test/?a=1&b=2"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<p>école".encode("latin-1"), "text/html; charset=iso-8859-1"),
        ("<meta charset=windows-1252><p>école".encode("cp1252"), "text/html"),
        ("<p>école".encode(), "text/html; charset=utf-8"),
        ("\ufeff<p>école".encode(), "text/html"),
        ("\ufeff<p>école".encode("utf-16-le"), "text/html"),
    ],
)
def test_every_charset_gives_the_same_text(body, content_type):
    assert read(body, content_type).text == "école"


def test_bytes_that_are_no_characters_do_no_harm():
    page = read(
        b"<title>a\xffb</title><p>x\xff\xfe\x00y<a href='/\xff'>z</a>", "text/html; charset=utf-8", context=True
    )
    assert len(page.links) == 1
    assert page.anchor(page.links[0]) == "z"


def test_title_is_one_line_of_bounded_length():
    assert read("<title>\n  Wolf\n  spiders </title>").title == "Wolf spiders"
    assert len(read(f"<title>{'long ' * 10_000}</title>").title) <= 300


def test_the_title_of_a_drawing_is_not_the_title_of_the_page():
    page = read("<body><svg><title>Icon</title></svg></body>")
    assert page.title == ""


@pytest.mark.parametrize(("html", "language"), [("<html lang=en-GB>", "en-GB"), ("<html>", ""), ("<p lang=de>", "")])
def test_language_is_that_of_the_html_element(html, language):
    assert read(html).language == language


def test_digest_and_size_are_those_of_the_body():
    one, same, other = read("<p>x"), read("<p>x"), read("<p>y")
    assert one.digest == same.digest != other.digest
    assert one.size == 4


# ---- links


def test_links_are_canonical_and_absolute():
    page = read("<a href='../b.html#part'>b</a> <a href='HTTP://B.test:80'>c</a> <a href=' /d '>d</a>")
    assert urls(page) == ["http://a.test/b.html", "http://b.test/", "http://a.test/d"]


def test_base_href_is_respected():
    page = read("<base href='http://b.test/root/'><base href=/ignored/><a href=x>x</a>")
    assert urls(page) == ["http://b.test/root/x"]


def test_a_relative_base_is_relative_to_the_page():
    assert urls(read("<base href=../up/><a href=x>x</a>")) == ["http://a.test/up/x"]


@pytest.mark.parametrize("base", ["", "mailto:x", "http://[", "http:///", "x" * 100_000])
def test_a_senseless_base_changes_nothing(base):
    assert "x" in read(f"<base href='{base}'><a href=http://b.test/x>x</a>").text


@pytest.mark.parametrize(
    "href",
    ["mailto:a@b", "javascript:void(0)", "#part", "", "data:text/html,x", "tel:1", "http://[", "x" * 300, "../" * 9999],
)
def test_what_cannot_be_fetched_is_no_link(href):
    assert urls(read(f"<a href='{href}'>x</a>")) == []


def test_the_page_itself_is_no_link():
    assert urls(read("<a href=page.html>x</a><a href='#top'>y</a><a href='?q'>z</a>")) == [HOME + "?q"]


def test_frames_areas_and_refreshes_are_links():
    page = read(
        "<meta http-equiv=Refresh content='5; URL=moved.html'><iframe src=/frame></iframe>"
        "<map><area href=/area alt='South'></map><svg><a xlink:href=/svg>s</a></svg>",
        context=True,
    )
    assert urls(page) == [f"http://a.test/{path}" for path in ("dir/moved.html", "frame", "area", "svg")]
    assert [page.anchor(link) for link in page.links] == ["", "", "South", "s"]


def test_a_frameset_has_its_frames():
    page = read("<title>Frames</title><frameset><frame src=/one><frame src=/two></frameset>", context=True)
    assert urls(page) == ["http://a.test/one", "http://a.test/two"]
    assert page.title == "Frames"


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/x", "/x"),
        ("0; URL='/x'", "/x"),
        ('3 ; url = "/x"', "/x"),
        ("0,/x", "/x"),
        ("1.5; /x", "/x"),
        ("5", None),
        ("", None),
        ("url=/x", None),
        ("0;url=", None),
    ],
)
def test_refresh_targets(content, target):
    page = read(
        f"<meta http-equiv=refresh content='{content}'>"
        if "'" not in content
        else f'<meta http-equiv=refresh content="{content}">'
    )
    assert urls(page) == ([f"http://a.test{target}"] if target else [])


def test_links_that_ask_not_to_be_followed_are_left_out_unless_told_otherwise():
    html = "<a rel='external NoFollow' href=/x>x</a><a rel=nofollower href=/y>y</a>"
    assert urls(read(html)) == ["http://a.test/y"]
    assert urls(read(html, nofollow=False)) == ["http://a.test/x", "http://a.test/y"]


@pytest.mark.parametrize("robots", ["nofollow", "NOINDEX, NOFOLLOW", "none", "index,nofollow"])
def test_pages_that_ask_not_to_be_followed_have_no_links(robots):
    html = f"<meta name=Robots content='{robots}'><a href=/x>x</a>"
    page = read(html)
    assert (urls(page), page.text) == ([], "x")
    assert urls(read(html, nofollow=False)) == ["http://a.test/x"]


def test_index_follow_is_no_prohibition():
    assert urls(read("<meta name=robots content='index, follow'><a href=/x>x</a>")) == ["http://a.test/x"]


def test_a_url_is_listed_once_without_contexts_and_each_time_with_them():
    html = "<p>one <a href=/x>x</a></p><p>two <a href=/x#y>y</a></p>"
    assert urls(read(html)) == ["http://a.test/x"]
    page = read(html, context=True)
    assert [(link.url, page.anchor(link)) for link in page.links] == [
        ("http://a.test/x", "x"),
        ("http://a.test/x", "y"),
    ]


def test_the_length_limit_and_index_pages_are_options():
    html = "<a href=/deep/index.html>x</a><a href=/123456789>y</a>"
    page = parse(HOME, html.encode(), "text/html", index_pages=True, url_limit=20)
    assert urls(page) == ["http://a.test/deep/"]


# ---- spans


def test_the_paragraph_is_the_context_of_its_link():
    # As in «Topical Crawling for Business Intelligence», section 4.4: a link's parent is its aggregation node.
    page = read(
        """<html><head><title>Projects</title></head><body><h4>Projects</h4><ul><li>LAMP</li><li>Linkages</li></ul>
        <p>A biotech company <strong>near here</strong>: <a href="http://www.exelixis.com">Exelixis</a>, genetics.</p>
        <p>Elsewhere.</p></body></html>""",
        context=True,
    )
    (link,) = page.links
    assert page.anchor(link) == "Exelixis"
    assert page.ring(link, 0).split() == ["A", "biotech", "company", "near", "here", ":", "Exelixis", ",", "genetics."]
    assert page.ring(link, 1).split() == page.text.split()[1:]
    assert page.ring(link, 9) == page.text
    assert page.window(link, 2).split() == ["here", ":", "Exelixis", ",", "genetics."]


def test_an_image_link_has_its_alt_text():
    page = read("<p>see <a href=/x><img alt='A wolf'></a> and <a href=/y>text <img src=z></a></p>", context=True)
    assert [page.anchor(link) for link in page.links] == ["A wolf", "text "]
    assert "A wolf" in page.ring(page.links[0])


def test_nested_links_have_each_their_own_span():
    page = read("<a href=/out>out <object><a href=/in>in</a></object> side</a>", context=True)
    assert [page.anchor(link) for link in page.links] == ["out  in  side", "in"]


def test_rings_are_bounded_and_innermost_first():
    page = read("<div>" * 30 + "x <a href=/a>a</a>" + "</div>y" * 30, context=True)
    (link,) = page.links
    assert len(link.rings) == 12
    assert [page.ring(link, n).count("y") for n in range(3)] == [0, 1, 2]


def test_tag_paths_name_the_elements_from_the_body_to_the_link():
    html = """<div id=main class="wide left"><ul class=list><li><a href=/a class=more>a</a></li></ul></div>
    <p id=post-17><a href=/b>b</a></p><a href=/c>c</a>"""
    page = read(html, context=True, paths=True)
    assert [link.path for link in page.links] == [
        "body div#main.wide.left ul.list li a.more",
        "body p#post-0 a",
        "body a",
    ]
    without = read(html, context=True)
    assert {link.path for link in without.links} == {""}
    assert [link._replace(path="") for link in page.links] == without.links


def test_tag_paths_are_bounded():
    deep = read("<div>" * 100 + f"<p class='{'x' * 9000} {'y ' * 99}'><a href=/a>a</a>", context=True, paths=True)
    (link,) = deep.links
    assert link.path.split()[-3:] == ["div", f"p.{'x' * 40}", "a"]
    assert len(link.path.split()) == 33


def test_contexts_do_not_change_the_text():
    html = (
        "<title>t</title><p>one <a href=/x><img alt=pic></a><script>s</script> two</p><map><area href=/y alt=z></map>"
    )
    assert read(html).text == read(html, context=True).text


def reference(body: bytes) -> tuple[str, dict[str, list[str]]]:
    """Text and contexts by asking the tree for the text of each element, link by link."""
    tree = LexborHTMLParser(body)
    for node in tree.css("a img[alt]"):
        node.insert_before(node.attributes["alt"] or "")
    for node in tree.css("script,style,noembed,noframes"):
        node.decompose()

    def text(node: LexborNode) -> str:
        return node.text(separator=" ", skip_empty=True)

    found: dict[str, list[str]] = {}
    for node in tree.css("body a[href]"):
        around = [text(node)]
        while (node := node.parent).tag != "html" and len(around) <= 12:  # type: ignore[assignment]
            around.append(text(node))
        found[f"{len(found)}"] = around
    return text(tree.body), found


TAGS = ["a", "b", "i", "p", "div", "span", "ul", "li", "table", "tr", "td", "h1", "br", "script", "style"]
TAGS += ["option", "select", "svg", "object", "font", "form"]
PIECE = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + ["<!-- c -->", " ", "\n", "&nbsp;"]),
    st.sampled_from(
        [
            "wolf",
            "spider ",
            " é",
            "漢字",
            "&amp;",
            "\u00a0",
            "<img alt='alt text'>",
            "<img alt>",
            "\x00",
            "\x01",
            "\x02",
        ]
    ),
    st.just("<a href=/{}>"),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECE, max_size=40).map("".join))
def test_spans_are_exact_on_any_soup_of_tags(soup):
    check_against_reference(b"<!doctype html>" + soup.encode())


def check_against_reference(body: bytes) -> None:
    # Numbered hrefs tell the links of both readings apart.
    number = iter(range(body.count(b"href=")))
    body = re.sub(rb"""href=("[^"]*"|'[^']*'|[^\s>]*)""", lambda _: b"href=/%d" % next(number), body)
    page = read(body, "text/html; charset=utf-8", context=True, nofollow=False)
    text, found = reference(body)
    assert page.text.removeprefix(f"{page.title}\n" if page.title else "") == text
    assert page.text == read(body, "text/html; charset=utf-8").text
    flagged = read(body, "text/html; charset=utf-8", indexed=True, nofollow=False)
    assert (flagged.text, urls(flagged)) == (page.text, urls(page))
    assert [flagged.anchor(link) for link in flagged.links] == [page.anchor(link) for link in page.links]
    assert all(0 <= start <= end <= len(page.text) for start, end in (link.span for link in flagged.links))
    kept = [link for link in page.links if link.rings]
    assert [contexts(page, link) for link in kept] == list(found.values())
    for link in page.links:
        for (inner_start, inner_end), (outer_start, outer_end) in pairwise([link.span, *link.rings]):
            assert 0 <= outer_start <= inner_start <= inner_end <= outer_end <= len(page.text)


@pytest.mark.skipif(not SCHOOLS.exists(), reason="shared/testbeds/schools is not beside the repository")
def test_spans_are_exact_on_real_pages():
    checked = 0
    with SCHOOLS.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            check_against_reference(record.reader.read().decode("utf-8", "replace").encode())
            checked += 1
            if checked == 60:
                break
    assert checked == 60


def test_an_index_is_told_where_each_link_stands_and_what_the_headings_say():
    html = (
        "<title>T</title><h1>Wolf <a href=/x>spiders</a></h1><p>They <a href=/x>hunt</a>.</p><h2>Where</h2><h4>no</h4>"
    )
    page = read(html, indexed=True)
    assert [(link.url, page.anchor(link), link.rings) for link in page.links] == [
        ("http://a.test/x", "spiders", ()),
        ("http://a.test/x", "hunt", ()),
    ]
    assert page.headings == "Wolf spiders\nWhere"
    assert page.text == read(html).text
    assert read(html, indexed=True, context=True).headings == page.headings


def test_headings_are_bounded_in_number_and_length():
    page = read("".join(f"<h2>{number} {'long ' * 200}</h2>" for number in range(500)), indexed=True)
    assert len(page.headings.splitlines()) == 64
    assert len(page.headings) < 64 * 201
    assert read("<h1><script>x</script> </h1>", indexed=True).headings == ""


def test_a_page_that_holds_control_characters_keeps_them():
    page = read("<p>\x01 a <a href=/x>b\x02</a> \x02</p>", indexed=True)
    assert page.text == read("<p>\x01 a <a href=/x>b\x02</a> \x02</p>").text
    assert [page.anchor(link) for link in page.links] == ["b\x02"]


# ---- other types


def test_plain_text_has_the_urls_written_in_it():
    page = read("See http://b.test/x, or (https://c.test/y).\nNot <a href=/z>z</a>", "text/plain", context=True)
    assert page.mime == "text/plain"
    assert urls(page) == ["http://b.test/x", "https://c.test/y"]
    assert [page.anchor(link) for link in page.links] == ["http://b.test/x", "https://c.test/y"]
    assert "<a href=/z>" in page.text


def test_empty_elements_of_xhtml_are_empty():
    html = (
        '<html><head><script src="x" /><title/></head><body><a name="top"/>one<br/><a href="/x">two</a></body></html>'
    )
    page = read(html, "application/xhtml+xml", context=True)
    assert page.text.split() == ["one", "two"]
    assert [page.anchor(link) for link in page.links] == ["two"]


def test_html_served_as_plain_text_is_html():
    assert urls(read("<!doctype html><html><a href=/x>x</a>", "text/plain")) == ["http://a.test/x"]


@pytest.mark.parametrize(
    ("body", "content_type"), [(b"%PDF-1.7 x", ""), (b"\x89PNG\r\n\x1a\n", "text/html"), (b"{}", "application/json")]
)
def test_what_is_no_text_has_none(body, content_type):
    page = parse(HOME, body, content_type)
    assert (page.text, list(page.links), page.size) == ("", [], len(body))
    assert page.mime not in ("text/html", "text/plain")


@pytest.mark.parametrize("body", [b"", b" ", b"<", b"\x00", b"<html>", b"<title>", b"<a href", b"<!--", b"</", b"&#"])
@pytest.mark.parametrize("context", [False, True])
def test_next_to_nothing_is_a_page(body, context):
    assert not parse(HOME, body, "text/html", context=context).links


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=300),
    st.sampled_from(["text/html", "text/plain", "", "text/html; charset=shift_jis"]),
    st.booleans(),
    st.booleans(),
)
def test_any_bytes_are_a_page(body, content_type, context, indexed):
    page = parse(HOME, body, content_type, context=context, indexed=indexed)
    assert page.size == len(body)
