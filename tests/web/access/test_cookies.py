"""Cookies: which are kept, which are sent where, and which files can be read."""

import json
import time
from email.utils import formatdate

import pytest

from lycosa.web.access.access_scope import AccessScope
from lycosa.web.access.cookie_files import cookies_for
from lycosa.web.access.cookies import MOST, CookieJar, read_cookie

URL = "https://www.a.test/folder/page"


@pytest.mark.parametrize(
    ("header", "sent", "not_sent"),
    [
        ("id=1", ["https://www.a.test/folder/x"], ["https://www.a.test/", "https://a.test/folder/x", "https://b.www.a.test/folder/x"]),
        ("id=1; Path=/", ["https://www.a.test/", "http://www.a.test/"], ["https://a.test/"]),
        ("id=1; Path=/; Secure", ["https://www.a.test/"], ["http://www.a.test/"]),
        ("id=1; Path=/; Domain=a.test", ["https://a.test/", "https://x.a.test/"], ["https://xa.test/"]),
        ("id=1; Path=/; Domain=.A.test", ["https://a.test/"], ["https://test/"]),
        ("id=1; Path=/fold", [], ["https://www.a.test/folder/x"]),
        ("id=1; Path=/folder", ["https://www.a.test/folder", "https://www.a.test/folder/"], ["https://www.a.test/folders"]),
        ("id=1; Path=/; Max-Age=60", ["https://www.a.test/"], []),
        ("id=1; Path=/; Expires=Wed, 09-Jun-2199 10:18:14 GMT", ["https://www.a.test/"], []),
        ("id=1; Path=/; Expires=whenever", ["https://www.a.test/"], []),
        ("id=1; Path=/; Max-Age=0", [], ["https://www.a.test/"]),
        ("id=1; Path=/; Max-Age=-9; Expires=Wed, 09-Jun-2199 10:18:14 GMT", [], ["https://www.a.test/"]),
        ("id=1; Path=/; Expires=Wed, 09 Jun 1999 10:18:14 GMT", [], ["https://www.a.test/"]),
        ("id=1; Domain=other.test; Path=/", [], ["https://other.test/", "https://www.a.test/"]),
        ("id=1; Domain=x.www.a.test; Path=/", [], ["https://x.www.a.test/", "https://www.a.test/"]),
        ("nothing", [], ["https://www.a.test/"]),
        ("=1; Path=/", [], ["https://www.a.test/"]),
        ("id=1\x00; Path=/", [], ["https://www.a.test/"]),
        (f"id={'x' * 5000}; Path=/", [], ["https://www.a.test/"]),
    ],
)  # fmt: skip
def test_a_cookie_is_sent_where_it_belongs(header, sent, not_sent):
    jar = CookieJar()
    jar.hear(URL, [header])
    assert all(jar.header(url) == "id=1" for url in sent)
    assert not any(map(jar.header, not_sent))


def test_addresses_have_no_subdomains():
    assert read_cookie("id=1; Domain=0.0.1", "http://127.0.0.1/") is None


def test_a_cookie_replaces_an_earlier_one_and_an_expired_one_removes_it():
    jar = CookieJar()
    for value in ("1", "2"):
        jar.hear(URL, [f"id={value}; Path=/", f"deep={value}; Path=/folder"])
    assert jar.header(URL) == "deep=2; id=2"
    jar.hear(URL, ["id=gone; Path=/; Max-Age=0"])
    assert (jar.header(URL), jar.holds("id"), jar.holds("deep")) == ("deep=2", False, True)


def test_a_jar_is_bounded():
    jar = CookieJar()
    for number in range(3 * MOST):
        jar.hear(URL, [f"n{number}=1; Path=/"])
    kept = jar.header(URL).split("; ")
    assert len(kept) == MOST and kept[-1] == f"n{3 * MOST - 1}=1"


SOON = int(time.time()) + 9999
COOKIE = {"name": "id", "value": "v=1", "domain": ".a.test", "path": "/", "secure": True, "httpOnly": True}
OTHER = {"name": "id", "value": "other", "domain": "b.test", "hostOnly": True, "path": "/", "session": True}
QUICK = {
    "Host raw": "https://.a.test/",
    "Name raw": "id",
    "Path raw": "/",
    "Content raw": "v=1",
    "Expires raw": "0",
    "Expires": "At the end of the session",
    "Send for": "Encrypted connections only",
    "Send for raw": "true",
}
FILES = {
    "netscape": f"# Netscape HTTP Cookie File\n\n# comment\n#HttpOnly_.a.test\tTRUE\t/\tTRUE\t{SOON}\tid\tv=1\n"
    "b.test\tFALSE\t/\tFALSE\t0\tid\tother\n",
    "windows": "\ufeff.a.test\tTRUE\t/\tTRUE\t0\tid\tv=1\r\n",
    "Cookie-Editor": json.dumps([{**COOKIE, "hostOnly": False, "expirationDate": SOON + 0.5, "storeId": None}, OTHER]),
    "Playwright": json.dumps({"cookies": [{**COOKIE, "expires": -1}], "origins": []}),
    "Selenium": json.dumps([{**COOKIE, "expiry": SOON}]),
    "Cookie Quick Manager": json.dumps([QUICK]),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_of_cookies_is_read_as_browsers_and_programs_write_it(tmp_path, kind):
    file = tmp_path / "cookies"
    file.write_bytes(FILES[kind].encode())
    file.chmod(0o600)
    jar = CookieJar(cookies_for(AccessScope.read(".a.test"), file))
    assert jar.header("https://a.test/") == jar.header("https://sub.a.test/x") == "id=v=1"
    assert not jar.header("http://a.test/") and not jar.header("https://b.test/")
    (narrow,) = cookies_for(AccessScope.read("sub.a.test"), file)
    assert narrow.name == "id"


def test_only_cookies_of_the_scope_are_taken_from_a_file_of_a_whole_browser(tmp_path):
    file = tmp_path / "cookies.txt"
    hosts = ["a.test", ".a.test", "sub.a.test", "test", "bank.test", "aa.test", "a.test.evil.test"]
    file.write_text("".join(f"{host}\tFALSE\t/\tTRUE\t0\tid\t{host}\n" for host in hosts))
    file.chmod(0o600)

    def taken(pattern):
        return [cookie.value for cookie in cookies_for(AccessScope.read(pattern), file)]

    assert taken("a.test") == ["a.test", ".a.test"]
    assert taken(".a.test") == ["a.test", ".a.test", "sub.a.test"]
    assert taken("sub.a.test") == [".a.test", "sub.a.test"]


def test_dates_are_those_of_http():
    jar = CookieJar()
    jar.hear(URL, [f"id=1; Path=/; Expires={formatdate(time.time() + 60, usegmt=True)}"])
    assert jar.header(URL) == "id=1"
