"""A proxy that wants a login: it gets it with every request, nobody else does, and it is never shown."""

import asyncio
import base64
from contextlib import asynccontextmanager

import msgspec
import pytest

from lycosa.core.nouns import Failure, Page
from lycosa.system.errors import Refused
from lycosa.web.http import Http, HttpOptions
from lycosa.web.http_client import NOWHERE
from lycosa.web.proxies import Proxy, written

LIMIT = 1 << 20
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<title>a</title"
NONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
SHUT = b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"


def said(login):
    return "Basic " + base64.b64encode(login.encode()).decode()


@asynccontextmanager
async def proxied(login, wanted, *, hostile=(), **options):
    """An Http behind a proxy that lets pass who knows what is wanted; hostile sites answer 407 themselves."""
    heads = []

    async def serve(reader, writer):
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                heads.append(head)
                line, *fields = head.split("\r\n")
                given = dict(field.split(": ", 1) for field in fields if field).get("Proxy-Authorization", "")
                method, target, _ = line.split()
                if wanted and given != said(wanted[-1]):
                    answer = SHUT
                elif method == "CONNECT" or target == NOWHERE or target.endswith("/robots.txt"):
                    answer = NONE
                else:
                    answer = SHUT if any(host in target for host in hostile) else PAGE
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    proxy = f"http://{login}@127.0.0.1:{port}" if login else f"http://127.0.0.1:{port}"
    http = Http(HttpOptions(proxy=proxy, **options))
    try:
        yield http, heads
    finally:
        await http.close()
        server.close()
        await server.wait_closed()


def got(url, login, wanted, **options):
    async def story():
        async with proxied(login, wanted, **options) as (http, heads):
            return await http.get(url, LIMIT), heads

    return asyncio.run(story())


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("user:secret", "user:secret"),
        ("user:se%40cr%2Fet", "user:se@cr/et"),
        ("user:se@cr/e#t?", "user:se@cr/e#t?"),
        ("üser:pässwörd", "üser:pässwörd"),
        ("key", "key:"),
        ("user:", "user:"),
        ("user:100%", "user:100%"),
    ],
)
def test_a_login_is_sent_as_it_was_meant_whatever_is_in_it(given, meant):
    page, _ = got("http://h.test/", given, [meant])
    assert isinstance(page, Page)


def test_every_request_of_a_kept_connection_has_the_login():
    async def story():
        async with proxied("user:secret", ["user:secret"]) as (http, heads):
            for path in "abc":
                assert isinstance(await http.get(f"http://h.test/{path}", LIMIT), Page)
            assert len(heads) == 4
            assert all(f"Proxy-Authorization: {said('user:secret')}" in head for head in heads)

    asyncio.run(story())


def test_a_tunnel_is_asked_for_with_the_login():
    failure, (head,) = got("https://h.test/", "user:secret", ["user:secret"], obey_robots=False)
    assert failure == Failure("proxy status 404")
    assert head.startswith("CONNECT h.test:443 ")
    assert f"Proxy-Authorization: {said('user:secret')}" in head


def test_a_tunnel_is_asked_for_without_what_enters_the_host(monkeypatch):
    monkeypatch.setenv("TOKEN", "s3cret-token")
    access = {"h.test": {"bearer": "env:TOKEN", "headers": {"X-Api-Key": "env:TOKEN"}}}
    _, (head,) = got("https://h.test/", "user:secret", ["user:secret"], obey_robots=False, access=access)
    assert head.startswith("CONNECT h.test:443 ")
    assert "s3cret" not in head and "X-Api-Key" not in head


@pytest.mark.parametrize("url", ["http://h.test/", "https://h.test/"])
@pytest.mark.parametrize(("login", "problem"), [("", "asks for a user name"), ("user:wrong", "refuses this user name")])
def test_a_proxy_that_lets_nobody_pass_is_told_apart_from_pages_that_fail(url, login, problem):
    failure, _ = got(url, login, ["user:secret"])
    assert failure.reason == "proxy login refused"
    trouble = HttpOptions(proxy=f"http://{login}@127.0.0.1:1").trouble(failure.reason)
    assert problem in trouble.problem
    assert "wrong" not in str(trouble)


def test_a_site_that_plays_the_proxy_is_only_a_page_that_fails():
    async def story():
        async with proxied("user:secret", ["user:secret"], hostile=["evil.test"], obey_robots=False) as (http, heads):
            for path in "abc":
                assert await http.get(f"http://evil.test/{path}", LIMIT) == Failure("status 407")
            assert isinstance(await http.get("http://h.test/", LIMIT), Page)
            # The proxy was asked once whether it was the one who said so.
            assert sum(NOWHERE in head for head in heads) == 1

    asyncio.run(story())


def test_without_a_proxy_a_407_is_a_status_like_any_other():
    async def story():
        async def serve(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(SHUT)
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        http = Http(HttpOptions(resolve={"*": f"127.0.0.1:{port}"}, obey_robots=False))
        try:
            return await http.get("http://h.test/", LIMIT)
        finally:
            await http.close()
            server.close()
            await server.wait_closed()

    assert asyncio.run(story()) == Failure("status 407")


@pytest.mark.parametrize("login", ["user:hush", "hush", "hush:", "a@b:hush", "u:hu/sh#hush?", "ü:hush", "u:hush@"])
def test_what_is_written_down_has_no_login_and_says_so(login):
    options = HttpOptions(proxy=f"http://{login}@proxy.example.org:3128", contact="me")
    plain = written(options.proxy)
    assert plain == "http://****@proxy.example.org:3128/"
    assert Proxy.read(plain).is_hidden
    assert written(plain) == plain
    assert "hush" not in repr(options) + str(options) + msgspec.json.encode(options.written()).decode()
    with pytest.raises(Refused, match=r"proxy\.example\.org:3128 are not stored: give them again, .* LYCOSA_PROXY="):
        Http(options.written())


def test_a_proxy_without_a_login_is_written_as_it_was_given():
    options = HttpOptions(proxy="http://127.0.0.1:3128")
    assert options.written() == options
    options.must_know_login()
    HttpOptions().must_know_login()


@pytest.mark.parametrize(
    "proxy",
    [
        "user:hush@",
        "socks6://user:hush@h:1",
        "socks5://user:hush@h:99999",
        "http://user:hush@",
        "http://u:hush@h:1/p",
        "http://\udce9:hush@h:1",
    ],
)
def test_what_is_no_proxy_is_refused_without_showing_its_login(proxy):
    with pytest.raises(Refused, match="is not the address of a proxy") as refused:
        HttpOptions(proxy=proxy)
    assert "hush" not in str(refused.value)
