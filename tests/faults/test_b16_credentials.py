"""B16: nobody is told what another site has said, nor a password that stood in a URL."""

import pytest
from certificates import certificate
from names import Names
from sites import Sites, crawl, html, reply

STATUSES = ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent")
COOKIES = (
    "id=hunter2",
    "id=hunter2; Domain=test; Path=/",
    "id=hunter2; Domain=co.uk; Path=/",
    "id=hunter2; Domain=.origin.co.uk; Path=/",
    "id=hunter2; Domain=other.co.uk; Path=/",
    "id=hunter2; Secure; HttpOnly; SameSite=None; Path=/",
)
PRIVATE = {"cookie", "cookie2", "authorization", "proxy-authorization", "referer", "origin"}


def cases():
    """The answers of every site, the URLs to begin with, and where each case must arrive."""
    sites, seeds, targets = {}, [], []

    def case(first, answer, target):
        sites[first.partition("://")[2]] = answer
        sites.setdefault(target.partition("://")[2], html("arrived"))
        seeds.append(first)
        targets.append(target)

    ways = {
        "host": ("http://origin.co.uk", "http://other.co.uk"),
        "port": ("http://origin.co.uk", "http://origin.co.uk:8080"),
        "up": ("http://secure.test", "https://secure.test"),
        "down": ("https://secure.test", "http://secure.test"),
    }
    for way, (start, end) in ways.items():
        for n, status in enumerate(STATUSES):
            moved = reply("moved", status, Location=f"{end}/{way}/to{n}", Set_Cookie=COOKIES[n])
            case(f"{start}/{way}/from{n}", moved, f"{end}/{way}/to{n}")
    for n, cookie in enumerate(COOKIES):
        page = reply(html("sets a cookie", f"/cookie/to{n}"), Set_Cookie=cookie)
        case(f"http://origin.co.uk/cookie/from{n}", page, f"http://origin.co.uk/cookie/to{n}")
    user = "http://me:hunter2@user.test"
    case("http://user.test/link", html("link", f"{user}/a"), "http://user.test/a")
    case("http://user.test/moved", reply("", "302 Found", Location=f"{user}/b"), "http://user.test/b")
    refresh = f'<meta http-equiv=refresh content="0; url={user}/c">refresh'
    case("http://user.test/refresh", refresh, "http://user.test/c")
    case("http://user.test/base", f'<base href="{user}/"><a href=d>base</a>', "http://user.test/d")
    asks = reply(html("who are you?"), "401 Unauthorized", WWW_Authenticate='Basic realm="origin"')
    case("http://user.test/login", asks, "http://user.test/login")
    seeds.append("http://me:hunter2@seed.test/")
    targets.append("http://seed.test/")
    sites["seed.test/"] = html("a seed with a password")
    return sites, seeds, targets


@pytest.mark.row("B16", alone=True)
def test_no_cookie_credential_or_referrer_is_ever_sent(figure, tmp_path, monkeypatch):
    answers, seeds, targets = cases()
    trusted, tls = certificate(tmp_path, "secure.test")
    (tmp_path / "netrc").write_text("default login me password hunter2\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    plain, other, secure = Sites(answers, port=80), Sites(answers, port=8080), Sites(answers, port=443, tls=tls)
    with Names({"*": ["127.0.0.1"]}), plain, other, secure:
        found = crawl(tmp_path / "c", seeds, allow=["127.0.0.1"])
    asked = plain.asked + other.asked + secure.asked
    leaked = [request for request in asked if PRIVATE & request.headers.keys() or "hunter2" in str(request)]
    places = {("https" if request in secure.asked else "http") + "://" + request.place for request in asked}
    arrived = sum(target in places for target in targets)
    figure(
        f"{len(leaked)} of {len(asked)} requests told something, in {len(targets)} cases, {arrived} of which arrived"
    )
    assert not leaked
    assert arrived == len(targets) >= 30
    assert set(found.final.values()) == {1}
