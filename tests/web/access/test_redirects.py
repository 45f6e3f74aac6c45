"""Wherever a host that is entered leads, nothing that enters it is told to anybody else."""

import asyncio
from functools import cache

import pytest

from lycosa.core.nouns import Moved, Page
from lycosa.web.http import Http, HttpOptions

from ...doors import Doors, basic, moved, reply
from ...tls_cases import authority, signed

KEY, TOKEN, COOKIE, SESSION, PASSWORD = (
    f"{name}-that-nobody-else-may-see" for name in ("key", "token", "cookie", "session", "password")
)
SECRETS = (KEY, TOKEN, COOKIE, SESSION, PASSWORD, basic("ann", PASSWORD).partition(" ")[2])
IN, WIDE, CLEAR, DEEP = "https://inside.test", "https://wide.test", "http://clear.test", "https://in.deep.test"
ALLOWED = {("https", "inside.test"), ("https", "wide.test"), ("https", "sub.wide.test"), ("http", "clear.test"),
           ("https", "in.deep.test")}  # fmt: skip
SET = ("Set-Cookie", f"session={SESSION}; Path=/")


def asks(status, header):
    return reply("who are you?", status, (header, 'Basic realm="inside"'))


def html(tag):
    return reply(f"<title>page</title>{tag}", "200 OK", SET)


def cases():
    """From the name of a case: where it begins, what is answered there, and the URL that is asked then, if any."""
    other = "https://other.test/"
    found = {}

    def case(name, answer, target=None, start=IN):
        found[name] = (f"{start}/{name.replace(' ', '-')}", answer, target)

    def to(name, location, target=None, start=IN):
        case(name, moved(location, SET), target or location, start)

    for status in ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"):
        case(f"status {status[:3]}", moved(other, SET, status=status), other)
    to("subdomain", "https://www.inside.test/")
    to("domain above", "https://deep.test/", start=DEEP)
    to("sister domain", "https://out.deep.test/", start=DEEP)
    to("downgrade", "http://inside.test/")
    to("downgrade of a wide access", "http://sub.wide.test/", start=WIDE)
    to("upgrade", "https://clear.test/", start=CLEAR)
    to("port", "https://inside.test:8443/")
    to("port of http", "https://inside.test:80/")
    to("port of https", "http://inside.test:443/")
    to("port of a wide access", "https://sub.wide.test:444/", start=WIDE)
    to("user in the URL", "https://inside.test@other.test/", other)
    to("user and password in the URL", "https://ann:inside.test@other.test/", other)
    to("user in the URL and a port", "https://ann:x@inside.test:444/", "https://inside.test:444/")
    to("backslash", "https://other.test\\@inside.test/", "https://other.test/@inside.test/")
    to("no scheme", "//other.test/", other)
    to("three slashes", "///other.test/", other)
    to("look-alike letters", "https://ins\u0456de.test/", "https://xn--insde-p2e.test/")
    to("look-alike in punycode", "https://xn--insde-p2e.test/")
    to("longer name", "https://notinside.test/")
    to("longer name of a wide access", "https://notwide.test/", start=WIDE)
    to("name as a subdomain", "https://inside.test.evil.test/")
    to("wide name as a subdomain", "https://sub.wide.test.evil.test/", start=WIDE)
    to("escaped dot", "https://inside%2Etest.evil.test/", "https://inside.test.evil.test/")
    to("tab in the name", "https://inside.test\t.evil.test/", "https://inside.test.evil.test/")
    case("address", moved("https://127.0.0.1/", SET))
    case("address in another notation", moved("https://2130706433/", SET))
    case("another scheme", moved("ftp://other.test/", SET))
    case("data", moved("data:text/html,hello", SET))
    case(
        "meta refresh", html('<meta http-equiv=refresh content="0; url=https://other.test/refresh">'), f"{other}refresh"
    )
    case("link", html("<a href=https://other.test/link>x</a>"), f"{other}link")
    case("base", html("<base href=https://other.test/base/><a href=link>x</a>"), f"{other}base/link")
    case("frame", html("<iframe src=https://other.test/frame></iframe>"), f"{other}frame")
    case("link downgraded", html("<a href=http://inside.test/link>x</a>"), "http://inside.test/link")
    case("token in the target", moved(f"{other}?t={TOKEN}", SET), f"{other}?t={'*' * len(TOKEN)}")
    case("cookie in a link", html(f"<a href='{other}?s={COOKIE}'>x</a>"), f"{other}?s={'*' * len(COOKIE)}")
    case("session in the target", moved(f"{other}?s={SESSION}", SET), f"{other}?s={'*' * len(SESSION)}")
    for domain in ("test", "other.test", ".inside.test", "evil.test"):
        cookie = ("Set-Cookie", f"session={SESSION}; Domain={domain}; Path=/")
        target = "https://www.inside.test/" if "inside" in domain else other
        case(f"cookie for {domain}", moved(target, cookie), target)
    case("who are you", moved("https://asks.test/401", SET), "https://asks.test/401")
    case("which proxy", moved("https://asks.test/407", SET), "https://asks.test/407")
    to("chain", f"{IN}/status-302", other)
    to("there and back", "https://back.test/")
    return found


CASES = cases()


def answer(asked):
    for start, said, _ in CASES.values():
        if asked.url == start:
            return said
    if asked.host == "asks.test":
        return (
            asks("401 Unauthorized", "WWW-Authenticate")
            if "401" in asked.target
            else asks("407 No", "Proxy-Authenticate")
        )
    if asked.host == "back.test" and asked.target == "/":
        return moved(f"{IN}/again")
    if asked.path == "/robots.txt":
        return moved("https://robots.test/robots.txt") if asked.host == "inside.test" else reply("", "404 Not Found")
    return reply("arrived")


@cache
def run():
    """Every case: the requests that it led to."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    doors = Doors(answer, wants_robots=True)

    async def story(folder):
        mine = signed("ann", authority())
        cookies = "".join(
            f"{host}\tTRUE\t/\tFALSE\t0\tid\t{COOKIE}\n" for host in ("inside.test", ".wide.test", "clear.test", "test")
        )
        for name, text in (("ann.pem", mine.pem + mine.key_pem), ("cookies.txt", cookies.encode())):
            (folder / name).write_bytes(text)
            (folder / name).chmod(0o600)
        all_of_it = {
            "headers": {"X-Api-Key": "env:KEY"},
            "user": "ann",
            "password": "env:PASSWORD",
            "cookies": str(folder / "cookies.txt"),
        }
        shown = {**all_of_it, "certificate": str(folder / "ann.pem")}
        bearer = {**shown, "bearer": "env:TOKEN"}
        del bearer["user"], bearer["password"]
        access = {"inside.test": bearer, ".wide.test": shown, "http://clear.test": all_of_it, "in.deep.test": shown}
        found = {}
        async with doors.open():
            variables = {"KEY": KEY, "TOKEN": TOKEN, "PASSWORD": PASSWORD}
            http = Http(HttpOptions(access=access, **doors.options), variables=variables)
            for name, (start, _, _) in CASES.items():
                before = len(doors.asked)
                await follow(http, start)
                found[name] = doors.asked[before:]
            await http.close()
        return found

    with TemporaryDirectory() as folder:
        return asyncio.run(story(Path(folder)))


async def follow(http, url, hops=4):
    """Ask for a URL, and then for all that it leads to."""
    answer = await http.get(url, 1 << 20)
    if not hops or not isinstance(answer, (Moved, Page)):
        return
    for target in [answer.to] if isinstance(answer, Moved) else [link.url for link in answer.links]:
        await follow(http, target, hops - 1)


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_told_to_another_host(name):
    asked = run()[name]
    start, _, target = CASES[name]
    inside = [one for one in asked if (one.scheme, one.host) in ALLOWED]
    outside = [one for one in asked if one not in inside]
    entered = next(one for one in inside if one.url == start)
    assert KEY in entered.everything() and COOKIE in entered.everything()
    assert entered.certificate == (entered.scheme == "https")
    leaked = [one for one in outside if any(secret in one.everything() for secret in SECRETS)]
    assert not leaked
    assert not any(one.certificate or one.header("Cookie") or one.header("Authorization") for one in outside)
    assert not any(one.header("Referer") or one.header("Origin") for one in asked)
    if target:
        assert target in [one.url for one in asked]
    else:
        assert not outside or {one.path for one in outside} == {"/robots.txt"}


def test_a_robots_txt_that_leads_elsewhere_is_followed_without_anything():
    asked = [one for requests in run().values() for one in requests if one.host == "robots.test"]
    assert asked and not any(secret in one.everything() for one in asked for secret in SECRETS)
    assert not any(one.certificate for one in asked)


def test_there_are_at_least_thirty_cases():
    assert len(CASES) >= 45
