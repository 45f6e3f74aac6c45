"""One canonical form, the same for every spelling of an address."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from lycosa.core.urls import Joiner, _whatwg, canonical, host_of, identity, seed, site_of, typed_host
from lycosa.system.errors import Refused

BASE = "https://www.example.org/a/b/c.html?q=1"


@pytest.mark.parametrize(
    ("spelling", "form"),
    [
        ("HTTP://www.UIOWA.edu", "http://www.uiowa.edu/"),
        ("http://myspiders.biz.uiowa.edu/faq.html#what", "http://myspiders.biz.uiowa.edu/faq.html"),
        ("http://dollar.biz.uiowa.edu/%7Epant/", "http://dollar.biz.uiowa.edu/~pant/"),
        ("http://dollar.biz.uiowa.edu", "http://dollar.biz.uiowa.edu/"),
        ("http://h.example/%7epant/BizIntel/Seeds/./x/../ODP.dat", "http://h.example/~pant/BizIntel/Seeds/ODP.dat"),
        ("http://h.example:80/", "http://h.example/"),
        ("https://h.example:443/", "https://h.example/"),
        ("http://h.example:8080/", "http://h.example:8080/"),
        ("http://me:secret@h.example/x@y", "http://h.example/x@y"),
        ("http://h.example/%e4%2f%41?b=%c3%7e", "http://h.example/%E4%2FA?b=%C3~"),
        ("http://h.example/%%32e/x", "http://h.example/x"),
        ("http://bücher.example/ä", "http://xn--bcher-kva.example/%C3%A4"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://h.example/\ud800", "http://h.example/%EF%BF%BD"),
        ("  http://h.example/a b\t", "http://h.example/a%20b"),
    ],
)
def test_every_spelling_becomes_one_form(spelling, form):
    assert canonical(spelling) == form


@pytest.mark.parametrize(
    "spelling",
    [
        "h.example.",
        "H.Example",
        "h.EXAMPLE.:80",
        "h.example:80",
        "h.example:",
        "h.example.:",
        "h.example:00080",
        "%68.example",
        "h%2Eexample%2e",
        "h\u3002example\uff61",
        "\u24d7.example",
        "h.exam\u00adple",
        "me:secret@h.example.",
    ],
)
def test_every_spelling_of_a_host_is_one_host(spelling):
    assert canonical(f"http://{spelling}/x") == "http://h.example/x"
    assert canonical(f"//{spelling}/x", "http://other.example/") == "http://h.example/x"
    assert Joiner("http://other.example/")(f"http://{spelling}/x") == "http://h.example/x"
    assert Joiner(f"http://{spelling}/a/b")("../x") == "http://h.example/x"
    assert seed(f"http://{spelling}/x") == "http://h.example/x"


@pytest.mark.parametrize("spelling", ["b\u00fccher.example.", "B\u00dcCHER.example", "XN--BCHER-KVA.example."])
def test_every_spelling_of_an_international_host_is_one_host(spelling):
    assert canonical(f"https://{spelling}:443/") == "https://xn--bcher-kva.example/"


@pytest.mark.parametrize(
    "spelling",
    [
        "93.184.216.34.",
        "1572395042",
        "0x5DB8D822",
        "0x5d.0xb8.0xd8.0x22",
        "0135.0270.0330.042",
        "93.12113954",
        "93.184.55330.",
        "\uff19\uff13.184.216.34",
        "%39%33.184.216.34",
    ],
)
def test_every_notation_of_an_ipv4_address_is_one_host(spelling):
    assert canonical(f"http://{spelling}/") == "http://93.184.216.34/"


@pytest.mark.parametrize("host", [".", "..", "h.example..", "h.example..:8080", "h.example%2e%2e"])
def test_a_host_that_ends_in_an_empty_label_is_none(host):
    assert canonical(f"http://{host}/") is None


def test_a_port_stays_where_the_dot_of_its_host_goes():
    assert canonical("http://h.example.:8080/a.") == "http://h.example:8080/a."


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        (" H.Example. ", "h.example"),
        ("h.example.:8080", "h.example:8080"),
        ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("0x7f.1", "127.0.0.1"),
        ("[0:0::1]", "[::1]"),
        ("h.example/x", None),
        ("me@h.example", None),
        ("..", None),
        ("*", None),
        ("", None),
    ],
)
def test_a_typed_host_has_one_form(typed, host):
    assert typed_host(typed) == host


@pytest.mark.parametrize(
    "url",
    [
        "ftp://h.example/",
        "file:///etc/passwd",
        "javascript:x()",
        "mailto:a@b",
        "//h.example/",
        "x",
        "",
        "http://",
        "http://a b/",
    ],
)
def test_what_is_no_http_url_is_none(url):
    assert canonical(url) is None


def test_escapes_nested_without_end_are_nonsense():
    assert canonical("http://h.example/" + "%" * 50_000 + "33" * 50_000) is None


def test_a_relative_url_is_joined_to_its_base():
    assert canonical("../d?x#y", BASE) == "https://www.example.org/a/d?x"
    assert canonical("//other.example", BASE) == "https://other.example/"
    assert canonical("", BASE) == BASE


def test_default_pages_are_dropped_on_request_only():
    assert canonical("http://h.example/x/index.html") == "http://h.example/x/index.html"
    for name in ("index.html", "index.htm", "index.php", "Default.aspx", "default.asp", "default.htm", "INDEX.HTML"):
        assert canonical(f"http://h.example/x/{name}", index_pages=True) == "http://h.example/x/"
    assert canonical("http://h.example/index.php?p=/index.php", index_pages=True) == "http://h.example/?p=/index.php"
    assert canonical("http://h.example/myindex.html", index_pages=True) == "http://h.example/myindex.html"
    assert canonical("http://index.html/", index_pages=True) == "http://index.html/"


def test_a_url_longer_than_the_limit_is_none():
    url = "http://h.example/" + "x" * (256 - 17)
    assert canonical(url) == url
    assert canonical(url + "x") is None
    assert canonical(url + "x", limit=257) == url + "x"
    # What counts is the canonical form: dots and escapes are resolved first.
    assert canonical("http://h.example/./" + "x" * (256 - 17)) == url


_pieces = some.lists(
    some.sampled_from(
        [
            "a",
            "b-c",
            "..",
            ".",
            "/",
            "//",
            "?",
            "#",
            "%7E",
            "%7e",
            "%2e",
            "%%",
            "%32e",
            "%2F",
            "%",
            "ä",
            " ",
            "\\",
            "'",
            '"',
            "|",
            "^",
        ]
        + [
            "@",
            ":",
            "80",
            "443",
            "8080",
            "65536",
            "index.html",
            "default.asp",
            ";",
            "=",
            "&",
            "{",
            "}",
            "xn--",
            "--",
            "_",
            "A",
            "\t",
        ]
        + [
            "127.0.0.1",
            "0x7f",
            "h.example",
            "h.example.",
            "https://",
            "http://",
            "[::1]",
            "(S(",
            "sid=",
            "\ud800",
            "~",
            "*",
            "()",
            "test",
        ]
    ),
    max_size=10,
).map("".join)
_urls = _pieces | some.text(max_size=20)


@given(_pieces.map("http://h.example/".__add__) | _pieces.map("https://".__add__) | _urls, some.booleans())
@example("http://h.example/%%37E", False)
@example("http://h.example/%%32e", True)
@example("http://h.example/index.html/%2e", True)
def test_canonical_is_idempotent(url, index_pages):
    once = canonical(url, index_pages=index_pages)
    if once is not None:
        assert canonical(once, index_pages=index_pages) == once


@given(_pieces.map("http://h.example/".__add__) | _pieces.map("https://".__add__) | _urls)
def test_the_shortcut_for_plain_urls_agrees_with_the_parser(url):
    assert canonical(url, limit=1 << 20) == _whatwg(url, None)


@given(
    _urls,
    some.sampled_from(
        [BASE, "http://h.example/", "http://h.example/%7Ex/y", "http://1.2.3.4/x", "https://h.example:8080//a/b"]
    ),
)
@example("../../../../x", BASE)
@example("..//x", BASE)
@example("../", "https://h.example:8080//a/b")
@example("a:b", BASE)
@example("./a:b", BASE)
def test_a_joiner_agrees_with_canonical(href, base):
    joined = Joiner(base)(href)
    assert joined is None or joined == canonical(href, base)
    if canonical(href, base) not in (None, canonical(base)) and "#" not in href:
        assert joined is not None


def test_a_joiner_knows_what_leads_nowhere():
    join = Joiner(BASE)
    for href in (
        "#top",
        "",
        "  ",
        "javascript:void(0)",
        "JavaScript:void(0)",
        "mailto:a@b.example",
        "tel:1",
        "data:text/html,x",
    ):
        assert join(href) is None
    assert [join(href) for href in ("x#1", "x#2", " x ")] == ["https://www.example.org/a/b/x"] * 3
    assert join("/javascript:void") == "https://www.example.org/javascript:void"
    assert Joiner(BASE, index_pages=True)("../index.html") == "https://www.example.org/a/"
    assert Joiner(BASE, limit=30)("/long/" + "x" * 30) is None


def test_the_host_of_a_url_has_the_port_that_is_not_the_schemes_own():
    assert host_of("http://h.example/") == "h.example"
    assert host_of("https://h.example/x/y") == "h.example"
    assert host_of("https://h.example:8443/x") == "h.example:8443"
    assert host_of("http://[::1]/") == "[::1]"
    assert host_of("http://a/") == "a"


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("w38.schools.test", "schools.test"),
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("a.b.github.io", "b.github.io"),
        ("example.org:8080", "example.org"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("127.0.0.1:8080", "127.0.0.1"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
        ("www.xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_a_site_is_what_somebody_registered(host, site):
    assert site_of(host) == site


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("http://h.example/a;jsessionid=1A2B?x=1", "http://h.example/a?x=1"),
        ("http://h.example/a;jsessionid=1A2B", "http://h.example/a"),
        ("http://h.example/?PHPSESSID=abc", "http://h.example/"),
        ("http://h.example/?a=1&sid=9f86d081884c7d65&b=2", "http://h.example/?a=1&b=2"),
        (
            "http://h.example/?ASPSESSIONIDQQ=1&SessionID=9f86d081884c7d659a2f&CFTOKEN=60303ae22b998861",
            "http://h.example/",
        ),
        ("http://h.example/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://h.example/a.aspx"),
        ("http://h.example/?utm_source=x&insid=1&side=2", "http://h.example/?insid=1&side=2"),
        ("http://h.example/a?utm_source=mail&utm_campaign=may&gclid=x&fbclid=y&mc_eid=z", "http://h.example/a"),
        ("http://h.example/a?_ga=2.1&id=7&msclkid=1", "http://h.example/a?id=7"),
        ("http://h.example/a?gclids=1&xutm_source=2&ga=3", "http://h.example/a?gclids=1&xutm_source=2&ga=3"),
        ("http://h.example/session/sid=1", "http://h.example/session/sid=1"),
        ("http://h.example/?", "http://h.example/?"),
    ],
)
def test_what_tells_visitors_apart_does_not_make_another_page(url, same):
    assert identity(url) == same
    assert identity(same) == same


def test_a_typed_seed_gets_its_scheme():
    assert seed(" Example.org ") == "https://example.org/"
    assert seed("example.org:8080/x") == "https://example.org:8080/x"
    assert seed("localhost:8000") == "https://localhost:8000/"
    assert seed("http://example.org") == "http://example.org/"


@pytest.mark.parametrize(
    "typed", ["", "  ", "ftp://h.example/", "mailto:a@b.example", "hello world", "http://", "http://a b/", "h"]
)
def test_a_malformed_seed_is_refused_in_one_line(typed):
    with pytest.raises(Refused) as refused:
        seed(typed)
    assert refused.value.fix
    assert "\n" not in str(refused.value)


def test_a_seed_beyond_the_limit_is_refused():
    with pytest.raises(Refused, match="limit is 256"):
        seed("https://h.example/" + "x" * 300)


@pytest.mark.parametrize("query", ["sid=7", "session_id=2024", "sessid=abc", "sid=article-on-spiders"])
def test_a_number_or_a_name_is_no_session(query):
    assert identity(f"http://h.example/article?{query}") == f"http://h.example/article?{query}"
