"""Bookmarks files, as browsers write them and as nobody should."""

import json
import time

import pytest

from lycosa.community.bookmarks import LARGEST, Bookmark, read_bookmarks
from lycosa.system.errors import Refused

NETSCAPE = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
    <DT><H3 ADD_DATE="1700000000" PERSONAL_TOOLBAR_FOLDER="true">Taxes &amp; law</H3>
    <DL><p>
        <DT><A HREF="https://Tax.example.org/a?x=1&amp;y=2" ADD_DATE="1" ICON="data:x,A">Tax <b>help</b></A>
        <DD>Forms, rates
        and dates
        <DT><H3>Deeper</H3>
        <DL><p>
            <DT><A HREF="http://deep.example.org">Caf\u00e9</A>
        </DL><p>
        <DT><A HREF='http://single.example.org/it%27s'>Single > quotes</A>
    </DL><p>
    <DT><A HREF="javascript:alert(1)">Bookmarklet</A>
    <DT><A HREF="data:text/html,hi">Data</A>
    <DT><A HREF="place:sort=8">Recent</A>
    <DT><A HREF="https://tax.example.org/a?x=1&amp;y=2#part">Again</A>
    <HR>
    <DT><A HREF="http://top.example.org/">Top</A>
</DL>
"""

OPML = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Feeds</title></head><body>
<outline text="News" title="News">
  <outline type="rss" text="A &amp; B" xmlUrl="http://a.example/feed.xml" htmlUrl="http://a.example/"
    description="all of it"/>
  <outline type="rss" text="only a feed" xmlUrl="http://b.example/feed.xml"/>
</outline>
<outline text="A link" type="link" url="http://c.example/page?a=1&b=2"/>
</body></opml>
"""


@pytest.fixture
def read(tmp_path):
    def read(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        started = time.process_time()
        try:
            return read_bookmarks(path)
        finally:
            assert time.process_time() - started < 2.0

    return read


def test_a_browsers_export_has_titles_descriptions_and_folders(read):
    assert read(NETSCAPE) == [
        Bookmark("https://tax.example.org/a?x=1&y=2", "Tax help", "Forms, rates and dates", "Taxes & law"),
        Bookmark("http://deep.example.org/", "Café", "", "Taxes & law/Deeper"),
        Bookmark("http://single.example.org/it%27s", "Single > quotes", "", "Taxes & law"),
        Bookmark("http://top.example.org/", "Top"),
    ]


def test_an_opml_file_names_sites_rather_than_feeds(read):
    assert read(OPML) == [
        Bookmark("http://a.example/", "A & B", "all of it", "News"),
        Bookmark("http://b.example/feed.xml", "only a feed", "", "News"),
        Bookmark("http://c.example/page?a=1&b=2", "A link"),
    ]


def test_urls_one_a_line_may_have_titles_and_comments(read):
    text = (
        "# mine\nhttps://one.example/a#x  The first\r\nTwo: http://two.example/\n\nthree.example/page # third\n"
        "http://one.example/a, again?\nnot a url\nftp://no.example/\n- [Four](https://four.example/x).\n"
    )
    assert [(one.url, one.title) for one in read(f"\ufeff{text}")] == [
        ("https://one.example/a", "The first"),
        ("http://two.example/", "Two"),
        ("https://three.example/page", ""),
        ("http://one.example/a", "again?"),
        ("https://four.example/x", "Four"),
    ]


def test_firefox_and_chrome_export_json(read):
    firefox = {
        "title": "",
        "type": "text/x-moz-place-container",
        "children": [
            {"title": "Menu", "children": [{"title": "A", "uri": "http://a.example/"}, {"uri": "place:x"}]},
            {"title": "B", "uri": "http://b.example/"},
        ],
    }
    chrome = {"roots": {"bar": {"name": "Bar", "children": [{"name": "A", "type": "url", "url": "http://a.example/"}]}}}
    assert read(json.dumps(firefox)) == [
        Bookmark("http://a.example/", "A", "", "Menu"),
        Bookmark("http://b.example/", "B"),
    ]
    assert read(json.dumps(chrome)) == [Bookmark("http://a.example/", "A", "", "Bar")]


@pytest.mark.parametrize("name", ["list.opml", "bookmarks.html", "x.json", "x"])
def test_the_content_decides_and_not_the_name(read, name):
    assert read("http://one.example/\n", name) == [Bookmark("http://one.example/")]
    assert read(OPML, name)[0].folder == "News"


@pytest.mark.parametrize(
    "encoded",
    [
        NETSCAPE.encode("utf-16"),
        NETSCAPE.replace("UTF-8", "iso-8859-1").encode("latin-1"),
        NETSCAPE.encode("utf-8-sig"),
    ],
    ids=["utf-16", "latin-1", "with a mark"],
)
def test_encodings_are_told_as_on_the_web(read, encoded):
    assert read(encoded)[1].title == "Café"


def test_broken_letters_and_control_characters_spoil_nothing_else(read):
    content = NETSCAPE.encode().replace("é".encode(), b"\xff\xfe\x00\x1b[31m")
    (found,) = [one for one in read(content) if one.url == "http://deep.example.org/"]
    assert found.title.isprintable() and found.title.startswith("Caf")
    control = OPML.replace("all of it", "all\x00\x08 of&#0; it").replace("A link", "&nbsp;&bogus; link")
    assert [one.url for one in read(control)][:1] == ["http://a.example/"]


def test_half_a_file_gives_its_good_half(read):
    assert [one.url for one in read(NETSCAPE[: NETSCAPE.index("single.")])] == [
        "https://tax.example.org/a?x=1&y=2",
        "http://deep.example.org/",
    ]
    assert len(read(OPML[: OPML.index('<outline text="A link')])) == 2
    whole = json.dumps({"children": [{"uri": "http://a.example/"}, {"uri": "http://b.example/"}]})
    assert [one.url for one in read(whole[:-10])][:1] == ["http://a.example/"]


LAUGHS = (
    "<!DOCTYPE opml [<!ENTITY a0 'ha'>" + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12)) + "]>"
)


def test_no_entity_is_expanded(read):
    found = read(OPML.replace("<opml", f"{LAUGHS}<opml").replace("A link", "&a11;"))
    assert [one.url for one in found][-1] == "http://c.example/page?a=1&b=2"
    assert found[-1].title == "&a11;"
    outside = '<!DOCTYPE opml SYSTEM "file:///etc/passwd" [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    found = read(OPML.replace("<opml", f"{outside}<opml").replace("A link", "&x;"))
    assert found[-1].title == "&x;"


HOSTILE = {
    "nothing": lambda: b"",
    "blanks": lambda: b" \n\t\r\n" * 1000,
    "a picture": lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100,
    "zeros": lambda: bytes(100_000),
    "too large": lambda: b"x" * (LARGEST + 1),
    "only javascript": lambda: b'<DL><DT><A HREF="javascript:alert(1)">x</A>' * 50_000,
    "open quotes": lambda: b'<a href="' * 1_000_000,
    "open quotes of two kinds": lambda: b"<a x=' <a y=\" " * 1_000_000,
    "open tags": lambda: b"<a " * 3_000_000,
    "many attributes": lambda: b"<a " + b"x=1 " * 3_000_000 + b">",
    "angles": lambda: b"<" * 20_000_000,
    "prose": lambda: "Ein Satz ohne Adressen, der Umlaute hat: äöü.\n".encode() * 300_000,
    "deep json": lambda: b"[" * 5_000_000,
    "deeper json": lambda: b'{"children":[' * 100_000 + b"]}" * 100_000,
    "many numbers": lambda: b"&#" + b"9" * 5_000_000 + b";",
    "ampersands": lambda: b"<opml>" + b"&" * 30_000_000,
    "breaks": lambda: b"\n" * LARGEST,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_without_bookmarks_is_refused_in_one_line_and_soon(read, name):
    with pytest.raises(Refused) as refused:
        read(HOSTILE[name]())
    assert "\n" not in str(refused.value)


DEEP = 100_000
LARGE = {
    "deep folders": lambda: b'<A HREF="http://a.example/">A</A>' + b"<DL><DT><H3>f</H3>" * DEEP + b"</DL>" * DEEP,
    "folders": lambda: b"<DL><DT><H3>f</H3>" * 10_000 + b'<A HREF="http://a.example/">A</A>' + b"</DL>" * DEEP,
    "deep outlines": lambda: b"<opml><body>" + b"<outline text='f'>" * DEEP + b"<outline url='http://a.example/'/>",
    "deep json": lambda: b'{"title":"f","children":[' * 400 + b'{"uri":"http://a.example/"}' + b"]}" * 400,
    "many bookmarks": lambda: b"".join(b'<DT><A HREF="http://a.example/%d">A</A>\n' % n for n in range(100_000)),
    "many lines": lambda: b"".join(b"http://a.example/%d title\n" % n for n in range(300_000)),
    "one line": lambda: b"http://a.example/ " * 1_000_000,
    "icons": lambda: (
        (b'<DT><A HREF="http://a.example/" ICON="data:image/png;base64,' + b"A" * 5_000_000 + b'">A</A>\n') * 5
    ),
    "a long title": lambda: b'<DT><A HREF="http://a.example/">' + b"A&amp;<b>" * 1_000_000,
    "a large number": lambda: b'<DT><A HREF="http://a.example/">&#' + b"9" * 5000 + b";</A>",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_or_deep_file_is_read_soon(read, name):
    found = read(LARGE[name]())
    assert found[0].url.startswith("http://a.example/")
    assert all(len(one.title) <= 500 and len(one.folder) <= 500 for one in found)


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none", tmp_path / "a\0b", "/dev/null"):
        with pytest.raises(Refused, match=r"^[^\n]+$"):
            read_bookmarks(path)
