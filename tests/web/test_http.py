"""The live Web, asked over real HTTP on loopback."""

import asyncio
import gzip
import itertools
import socket
import struct
import time
from contextlib import asynccontextmanager
from email.utils import formatdate
from pathlib import Path

import aiohttp
import pytest

from lycosa.core.nouns import Failure, Moved, Page
from lycosa.engine.scope.page_scope import unwanted_by
from lycosa.engine.scope.scope import Scope
from lycosa.engine.scope.scope_rules import ScopeRules
from lycosa.system.errors import Refused
from lycosa.web import http_client
from lycosa.web.address_guard import AddressError, AddressGuard
from lycosa.web.body import SLACK
from lycosa.web.http import Http, HttpOptions

LIMIT = 1 << 20
PAGE = b"<!doctype html><html lang=en><title>Hello</title><body><p>Some words <a href=/next>a link</a></body></html>"
COMPRESSED = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "compressed"


def reply(body=PAGE, status="200 OK", **headers):
    lines = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body))}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def robots(text, **headers):
    return reply(text.encode(), Content_Type="text/plain", **headers)


class Server:
    """Answers each path with bytes, or with what a coroutine does to the connection; remembers who asked."""

    port: int

    def __init__(self, answers):
        self.answers = {"/robots.txt": reply(b"", "404 Not Found")} | answers
        self.asked = []
        self.heads = []
        self.times = []
        self.connections = 0

    @property
    def pages(self):
        return [path for path in self.asked if not path.endswith("/robots.txt")]

    async def __call__(self, reader, writer):
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                target = head.split()[1].decode()
                self.asked.append(target)
                self.heads.append(head.decode("latin-1"))
                self.times.append(time.monotonic())
                path = "/" + target.split("/", 3)[3] if target.startswith("http") else target
                answer = self.answers.get(path, reply(b"", "404 Not Found"))
                if callable(answer):
                    await answer(writer)
                    break
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def web(answers, *, lookup=None, on_pause=None, context=False, **options):
    """A server with these answers under every name, and an Http that asks it."""
    server = Server(answers)
    listener = await asyncio.start_server(server, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    for name, value in options.items():
        if isinstance(value, str):
            options[name] = value.format(port=server.port)
    options.setdefault("resolve", {"*": f"127.0.0.1:{server.port}"})
    http = Http(HttpOptions(**options), lookup=lookup, on_pause=on_pause, context=context)
    try:
        yield server, http
    finally:
        await http.close()
        listener.close()
        await listener.wait_closed()


def ask(answer, url="http://h.test/page", *, limit=LIMIT, **options):
    """What one page's answer is turned into."""

    async def story():
        async with web({"/page": answer}, **options) as (_, http):
            return await http.get(url, limit)

    return asyncio.run(story())


# Pages


def test_a_page_is_parsed_and_its_response_kept():
    page = ask(reply(ETag='"1"', Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT"))
    assert isinstance(page, Page)
    assert (page.url, page.title, page.language, page.status, page.mime) == (
        "http://h.test/page",
        "Hello",
        "en",
        200,
        "text/html",
    )
    assert [link.url for link in page.links] == ["http://h.test/next"]
    assert (page.etag, page.modified, page.size) == ('"1"', "Mon, 01 Jan 2024 00:00:00 GMT", len(PAGE))
    assert len(page.digest) == 32
    assert (page.raw.status, page.raw.reason, page.raw.body, page.raw.truncated) == (200, "OK", PAGE, False)
    assert ("ETag", '"1"') in page.raw.headers


def test_options_reach_the_parser():
    body = b"<a rel=nofollow href=/a>x</a><a href=/b/index.html>y</a>"
    assert [link.url for link in ask(reply(body)).links] == ["http://h.test/b/index.html"]
    page = ask(reply(body), obey_nofollow=False, index_pages=True, context=True)
    assert [link.url for link in page.links] == ["http://h.test/a", "http://h.test/b/"]
    assert page.anchor(page.links[1]) == "y"


def test_the_servers_charset_is_used():
    page = ask(reply("<title>Žluťoučký</title>".encode("iso-8859-2"), Content_Type="text/html; charset=iso-8859-2"))
    assert page.title == "Žluťoučký"


def test_plain_text_is_a_page():
    page = ask(reply(b"only words", Content_Type="text/plain"))
    assert (page.mime, page.text.strip()) == ("text/plain", "only words")


def test_what_has_no_text_is_no_page():
    assert ask(reply(b"%PDF-1.7", Content_Type="application/pdf")) == Failure("damaged pdf")
    assert ask(reply(b"%PDF-1.7", Content_Type="text/html")) == Failure("damaged pdf")
    assert ask(reply(b"\x89PNG\r\n\x1a\n" + bytes(5000), Content_Type="text/html")) == Failure("type image/png")


@pytest.mark.parametrize("kind", [b"text/html", b"application/pdf"])
def test_the_rest_of_a_wrong_type_is_not_read(kind):
    async def endless(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\n\r\n" % kind + b"PK\x03\x04" + bytes(1000))
        while True:
            await asyncio.sleep(0.05)
            writer.write(bytes(1000))
            await writer.drain()

    assert ask(endless) == Failure("type application/zip")


def test_the_body_of_a_document_is_not_read_if_its_header_says_that_it_is_not_wanted():
    async def endless(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n")
        while True:
            await asyncio.sleep(0.05)
            writer.write(bytes(1000))
            await writer.drain()

    async def story():
        async with web({"/page": endless, "/feed": reply(b"{}", Content_Type="application/json")}, lists=True) as (
            _,
            http,
        ):
            http._unwanted = unwanted_by(Scope(ScopeRules(types=("html",))))
            page, feed = await http.get("http://h.test/page", LIMIT), await http.get("http://h.test/feed", LIMIT)
            return page, feed, http.stats["bytes"]

    page, feed, received = asyncio.run(story())
    assert (page.withheld, page.mime, page.text, page.raw) == (
        "scope type application/pdf",
        "application/pdf",
        "",
        None,
    )
    # It might have been a feed.
    assert feed.withheld == "" and received == len(b"{}")


def test_a_long_body_is_cut_at_the_limit():
    body = PAGE + b"x" * 100_000
    page = ask(reply(body), limit=5000)
    assert (page.size, page.raw.truncated, page.raw.body) == (5000, True, body[:5000])
    exact = ask(reply(body), limit=len(body))
    assert (exact.size, exact.raw.truncated) == (len(body), False)


def test_a_coded_body_is_decoded_up_to_the_limit():
    page = ask(reply(gzip.compress(PAGE), Content_Encoding="gzip"))
    assert (page.title, page.raw.body) == ("Hello", PAGE)
    assert ("Content-Encoding", "gzip") in page.raw.headers
    cut = ask(reply(gzip.compress(PAGE + bytes(b"x" * 10_000_000)), Content_Encoding="gzip"), limit=10_000)
    assert (cut.size, cut.raw.truncated) == (10_000, True)
    assert ask(reply(b"\x1f\x8b" + bytes(100), Content_Encoding="gzip")) == Failure("bad content coding")


@pytest.mark.skipif(not COMPRESSED.is_dir(), reason="the conformance data lies beside the repository, in ../shared")
@pytest.mark.parametrize("coding", ["br", "deflate", "gzip", "zstd"])
def test_a_bomb_is_a_page_of_the_limits_size(coding):
    bomb = (COMPRESSED / f"bomb-{coding}.bin").read_bytes()
    page = ask(reply(bomb, Content_Encoding=coding), limit=100_000)
    assert isinstance(page, Page)
    assert page.size == 100_000 <= 100_000 + SLACK
    assert page.raw.truncated


def test_chunked_bodies_and_many_headers_are_read():
    chunked = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (PAGE[:50], PAGE[50:])) + b"0\r\n\r\n"
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nX-Long: "
        + b"x" * 20_000
        + b"\r\n\r\n"
    )
    assert ask(head + chunked).title == "Hello"


# Redirects and statuses


def test_a_redirect_is_one_hop():
    async def story():
        async with web({"/page": reply(b"moved", "301 Moved", Location="../%7Eother/#x"), "/~other/": reply()}) as (
            server,
            http,
        ):
            moved = await http.get("http://h.test/page", LIMIT)
            assert isinstance(moved, Moved)
            assert (moved.to, moved.status, moved.raw.status) == ("http://h.test/~other/", 301, 301)
            assert server.pages == ["/page"]

    asyncio.run(story())


@pytest.mark.parametrize("status", ["300 Choices", "302 Found", "303 See", "307 Temporary", "308 Permanent"])
def test_every_redirect_status_moves(status):
    assert ask(reply(b"", status, Location="https://other.test")).to == "https://other.test/"


@pytest.mark.parametrize("target", ["ftp://h.test/", "javascript:x()", "http://", "/" + "x" * 300])
def test_a_redirect_that_leads_nowhere_is_a_failure(target):
    failure = ask(reply(b"", "302 Found", Location=target))
    assert failure.reason.startswith("redirect to ")
    assert len(failure.reason) < 100


@pytest.mark.parametrize(
    ("status", "again"),
    [("304 Not Modified", False), ("403 No", False), ("404 No", False), ("410 Gone", False), ("302 Nowhere", False)]
    + [("500 Oh", True), ("502 Bad", True), ("503 Busy", True), ("429 Slow", True), ("408 Late", True)],
)
def test_other_statuses_are_failures_worth_another_try_or_not(status, again):
    assert ask(reply(b"", status)) == Failure(f"status {status[:3]}", again)


def test_error_bodies_are_not_read():
    async def endless(writer):
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 100000000\r\n\r\nsorry")
        await asyncio.sleep(1000)

    # The test itself has less time than the body would take.
    assert ask(endless, timeout_read=1000.0, timeout_total=1000.0) == Failure("status 404")


def test_retry_after_is_a_number_or_a_date():
    assert ask(reply(b"", "429 Slow", Retry_After="7")) == Failure("status 429", True, 7.0)
    assert ask(reply(b"", "503 Busy", Retry_After="soon")) == Failure("status 503", True, None)
    dated = ask(reply(b"", "503 Busy", Retry_After=formatdate(time.time() + 100, usegmt=True)))
    assert 95 < dated.rest <= 100
    assert ask(reply(b"", "503 Busy", Retry_After="Mon, 01 Jan 2001 00:00:00 GMT")).rest == 0
    assert ask(reply(b"", "503 Busy", Retry_After="999999999")).rest == 86_400


# Trouble


async def reset(writer):
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def hang_up(writer):
    pass


async def cut_short(writer):
    writer.write(reply(PAGE, Content_Length="100000"))
    await writer.drain()


async def reset_midway(writer):
    await cut_short(writer)
    await asyncio.sleep(0.05)
    await reset(writer)


async def broken_chunks(writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nshort")


async def silence(writer):
    await asyncio.sleep(30)


async def drip(writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(600):
        writer.write(b".")
        await asyncio.sleep(0.05)


async def nonsense(writer):
    writer.write(b"this is not HTTP\r\n\r\n")


@pytest.mark.parametrize(
    ("trouble", "failure"),
    [
        (reset, Failure("connection reset", again=True)),
        (hang_up, Failure("connection reset", again=True)),
        (cut_short, Failure("incomplete body", again=True)),
        (reset_midway, Failure("incomplete body", again=True)),
        (broken_chunks, Failure("incomplete body", again=True)),
        (silence, Failure("timeout", again=True)),
        (drip, Failure("timeout", again=True)),
        (nonsense, Failure("bad response")),
    ],
)
def test_trouble_is_a_failure_with_a_short_reason(trouble, failure):
    # On a busy machine everything but a timeout takes its time.
    short = {"timeout_read": 0.3, "timeout_total": 0.6} if failure.reason == "timeout" else {}
    assert ask(trouble, **short) == failure


def test_a_broken_connection_is_not_asked_twice():
    async def story():
        async with web({"/page": hang_up}) as (server, http):
            await http.get("http://h.test/page", LIMIT)
            assert server.pages == ["/page"]

    asyncio.run(story())


def test_a_closed_port_is_refused():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    assert ask(b"", resolve={"*": f"127.0.0.1:{port}"}) == Failure(
        "connection refused", again=True, rest=pytest.approx(10, abs=1)
    )
    assert ask(b"", resolve={"*": f"127.0.0.1:{port}"}, obey_robots=False) == Failure("connection refused", again=True)


def test_a_server_that_does_not_speak_tls_is_told():
    async def plain(reader, writer):
        writer.write(b"220 mail at your service\r\n")
        await reader.read()
        writer.close()

    async def story():
        listener = await asyncio.start_server(plain, "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        async with listener, web({}, resolve={"*": f"127.0.0.1:{port}"}, obey_robots=False) as (_, http):
            assert await http.get("https://h.test/page", LIMIT) == Failure("no tls on this port")

    asyncio.run(story())


def test_a_name_that_does_not_exist_is_final_and_a_silent_name_server_is_not():
    async def nobody(name):
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    async def later(name):
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    assert ask(b"", resolve={}, lookup=nobody) == Failure("no such host")
    # Nobody else has answered either: it may well be our own side.
    assert ask(b"", resolve={}, lookup=later, obey_robots=False) == Failure(
        "name server failure", again=True, ours=True
    )


# Cookies, connections, identity


def test_cookies_are_never_sent_back():
    async def story():
        async with web({"/page": reply(Set_Cookie="id=1; Path=/")}) as (server, http):
            for _ in range(3):
                await http.get("http://h.test/page", LIMIT)
            assert len(server.pages) == 3
            assert "cookie:" not in "".join(server.heads).lower()

    asyncio.run(story())


def test_connections_are_used_again():
    async def story():
        async with web({"/page": reply()}) as (server, http):
            for _ in range(5):
                await http.get("http://h.test/page", LIMIT)
            assert (server.connections, len(server.asked)) == (1, 6)

    asyncio.run(story())


def test_the_request_says_who_asks_and_what_is_wanted():
    async def story():
        async with web({"/page?a=%2F~'": reply()}, contact="https://example.org/bot") as (server, http):
            assert isinstance(await http.get("http://h.test/page?a=%2F~'", LIMIT), Page)
            head = server.heads[-1]
            assert "User-Agent: Lycosa/0.1 (+https://example.org/bot)\r\n" in head
            assert "Host: h.test\r\n" in head
            assert "Accept-Encoding: gzip, deflate, br, zstd\r\n" in head

    asyncio.run(story())


def test_it_counts_what_happens():
    async def story():
        async with web({"/page": reply(), "/bad": hang_up}) as (_, http):
            for path in ("page", "page", "none", "bad"):
                await http.get(f"http://h.test/{path}", LIMIT)
            assert http.stats == {
                "requests": 5,
                "robots.txt": 1,
                "status 200": 2,
                "status 404": 1,
                "connection reset": 1,
                "bytes": 2 * len(PAGE),
            }

    asyncio.run(story())


# robots.txt


def test_robots_are_asked_first_and_obeyed():
    async def story():
        rules = robots("User-agent: Lycosa\nDisallow: /private")
        async with web({"/robots.txt": rules, "/page": reply()}) as (server, http):
            assert await http.get("http://h.test/private/x", LIMIT) == Failure("robots", asked=False)
            assert isinstance(await http.get("http://h.test/page", LIMIT), Page)
            assert server.asked == ["/robots.txt", "/page"]

    asyncio.run(story())


def test_robots_can_be_left_out_on_request():
    async def story():
        async with web({"/robots.txt": robots("User-agent: *\nDisallow: /"), "/page": reply()}, obey_robots=False) as (
            server,
            http,
        ):
            assert isinstance(await http.get("http://h.test/page", LIMIT), Page)
            assert server.asked == ["/page"]

    asyncio.run(story())


def test_a_host_whose_robots_cannot_be_had_is_left_alone():
    async def story():
        async with web({"/robots.txt": reply(b"", "503 Busy", Retry_After="90"), "/page": reply()}) as (server, http):
            failure = await http.get("http://h.test/page", LIMIT)
            assert (failure.reason, failure.again) == ("robots unreachable", True)
            assert 89 < failure.rest <= 90
            await http.get("http://h.test/page", LIMIT)
            assert server.asked == ["/robots.txt"]

    asyncio.run(story())


def test_the_pause_is_kept_between_any_two_requests():
    async def story(text, asks, **options):
        told = []
        async with web(
            {"/robots.txt": robots(text), "/page": reply()}, on_pause=lambda *pause: told.append(pause), **options
        ) as (server, http):
            assert isinstance(await http.get("http://h.test/page", LIMIT), Page)
            # Two at the same time: the second waits for its turn.
            await asyncio.gather(*[http.get("http://h.test/page", LIMIT) for _ in range(2)])
            assert told == asks
            gaps = [b - a for a, b in zip(server.times, server.times[1:], strict=False)]
            assert len(gaps) == 3
            return min(gaps)

    assert asyncio.run(story("User-agent: *\nCrawl-delay: 0.3", [("h.test", 0.3)])) >= 0.3
    assert asyncio.run(story("User-agent: *\nCrawl-delay: 0.2", [("h.test", 0.2)], delay=0.4)) >= 0.4
    assert asyncio.run(story("", [], delay=0.2)) >= 0.2
    assert asyncio.run(story("", [])) < 0.2


def test_a_robots_txt_that_lies_on_another_host_keeps_that_host_s_pause():
    async def story():
        answers = {"/robots.txt": reply(b"", "301 Moved", Location="http://www.h.test/rules"), "/rules": robots("")}
        answers |= {"/page": reply(), "/other": reply()}
        async with web(answers, delay=0.2, obey_robots=True) as (server, http):
            await asyncio.gather(http.get("http://h.test/page", LIMIT), http.get("http://www.h.test/other", LIMIT))
            hosts = [head.lower().split("host: ")[1].split()[0] for head in server.heads]
            www = [moment for host, moment in zip(hosts, server.times, strict=True) if host == "www.h.test"]
            assert len(www) >= 3
            assert min(b - a for a, b in itertools.pairwise(www)) >= 0.2

    asyncio.run(story())


def test_headers_that_are_no_text_do_no_harm():
    page = ask(reply(ETag='"caf\u00e9"').replace("é".encode(), b"\xe9"))
    assert page.etag == '"caf?"'
    failure = ask(reply(b"", "302 Found", Location="mailto:caf\u00e9").replace("é".encode(), b"\xe9"))
    assert failure.reason.encode()


def test_a_redirect_of_robots_keeps_the_pause_too():
    async def story():
        answers = {"/robots.txt": reply(b"", "301 Moved", Location="/other"), "/other": robots(""), "/page": reply()}
        async with web(answers, delay=0.2) as (server, http):
            await http.get("http://h.test/page", LIMIT)
            assert server.asked == ["/robots.txt", "/other", "/page"]
            assert min(b - a for a, b in zip(server.times, server.times[1:], strict=False)) >= 0.2

    asyncio.run(story())


# Addresses


def names(**addresses):
    """A lookup that answers from a list, one answer after the other, and notes what it was asked."""
    asked = []

    async def lookup(name):
        asked.append(name)
        answers = addresses[name.partition(".")[0]]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    lookup.asked = asked  # type: ignore[attr-defined]
    return lookup


@pytest.mark.parametrize(
    ("addresses", "reason"),
    [
        (["10.0.0.1"], "refused address 10.0.0.1"),
        (["93.184.215.14", "192.168.1.1"], "refused address 192.168.1.1"),
        (["2606:4700:4700::1111", "::ffff:169.254.169.254"], "refused address ::ffff:169.254.169.254"),
    ],
)
def test_a_name_with_a_private_address_is_refused(addresses, reason):
    lookup = names(h=[addresses])
    assert ask(reply(), resolve={}, lookup=lookup) == Failure(reason)
    assert lookup.asked == ["h.test"]


def test_a_name_that_changes_its_address_gains_nothing(monkeypatch):
    monkeypatch.setattr(http_client, "DNS_TTL", 0)

    async def story():
        lookup = names(h=[["127.0.0.1"], ["10.0.0.1"]])
        options = {"resolve": {}, "allow": ("127.0.0.1",), "lookup": lookup, "obey_robots": False}
        async with web({"/page": reply(Connection="close")}, **options) as (server, http):
            url = f"http://h.test:{server.port}/page"
            assert isinstance(await http.get(url, LIMIT), Page)
            assert await http.get(url, LIMIT) == Failure("refused address 10.0.0.1")
            assert lookup.asked == ["h.test", "h.test"]

    asyncio.run(story())


def test_no_socket_is_made_for_a_refused_address_whatever_the_resolver_says():
    class Careless(aiohttp.abc.AbstractResolver):
        async def resolve(self, host, port=0, family=socket.AF_INET):
            return [{"hostname": host, "host": "10.0.0.1", "port": port, "family": family, "proto": 0, "flags": 0}]

        async def close(self):
            pass

    async def story():
        connector = aiohttp.TCPConnector(resolver=Careless(), socket_factory=AddressGuard().socket)
        async with aiohttp.ClientSession(connector=connector) as session:
            with pytest.raises(aiohttp.ClientConnectorError) as caught:
                await session.get("http://h.test/")
            assert isinstance(caught.value.os_error, AddressError)

    asyncio.run(story())


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "metadata.google.internal", "10.0.0.1"])
def test_a_refused_host_is_not_even_looked_up(host):
    async def story():
        lookup = names()
        async with web({}, resolve={}, lookup=lookup) as (server, http):
            failure = await http.get(f"http://{host}:{server.port}/", LIMIT)
            assert failure.reason.startswith("refused ")
            assert not failure.again
            assert lookup.asked == server.asked == []

    asyncio.run(story())


def test_a_redirect_of_robots_to_a_refused_address_is_not_followed():
    async def story():
        answers = {"/robots.txt": reply(b"", "302 Found", Location="http://169.254.169.254/latest"), "/page": reply()}
        async with web(answers) as (server, http):
            assert await http.get("http://h.test/page", LIMIT) == Failure("refused address 169.254.169.254")
            assert server.asked == ["/robots.txt"]

    asyncio.run(story())


def test_where_all_names_are_mapped_no_address_is_asked_for_real():
    assert ask(reply(), "http://93.184.215.14/page") == Failure("refused address 93.184.215.14", asked=False)
    assert ask(reply(), "http://127.0.0.1/page") == Failure("refused address 127.0.0.1", asked=False)


@pytest.mark.parametrize("typed", ["B\u00fccher.test.", "xn--bcher-kva.TEST", "b\u00fccher.test"])
def test_a_name_is_mapped_in_any_spelling(typed):
    async def story():
        async with web({"/page": reply()}) as (server, _):
            http = Http(HttpOptions(resolve={typed: f"127.0.0.1:{server.port}"}), lookup=names())
            try:
                return await http.get("http://xn--bcher-kva.test/page", LIMIT)
            finally:
                await http.close()

    assert isinstance(asyncio.run(story()), Page)


def test_the_user_can_allow_an_address_or_a_name():
    async def story(host, lookup=None, **options):
        async with web({"/page": reply()}, resolve={}, lookup=lookup, **options) as (server, http):
            return await http.get(f"http://{host}:{server.port}/page", LIMIT)

    assert isinstance(asyncio.run(story("127.0.0.1", allow=("127.0.0.0/8",))), Page)
    assert isinstance(asyncio.run(story("h.test", names(h=[["127.0.0.1"]]), allow=("h.test",))), Page)
    assert asyncio.run(story("h.test", names(h=[["127.0.0.1"]]), allow=("other.test",))) == Failure(
        "refused address 127.0.0.1"
    )


# Proxy


def test_a_proxy_gets_every_request_and_no_name_is_looked_up_here():
    async def story():
        lookup = names()
        async with web({"/page": reply()}, resolve={}, lookup=lookup, proxy="http://127.0.0.1:{port}") as (
            server,
            http,
        ):
            assert isinstance(await http.get("http://h.test/page", LIMIT), Page)
            assert isinstance(await http.get("http://other.test:8080/page", LIMIT), Page)
            assert server.asked == [
                "http://h.test/robots.txt",
                "http://h.test/page",
                "http://other.test:8080/robots.txt",
                "http://other.test:8080/page",
            ]
            for host in ("127.0.0.1", "10.0.0.1", "localhost", "[::1]", f"127.0.0.1:{server.port}"):
                assert (await http.get(f"http://{host}/page", LIMIT)).reason.startswith("refused ")
            assert lookup.asked == []

    asyncio.run(story())


def test_a_proxy_is_asked_for_a_tunnel_to_an_https_host():
    async def story():
        async with web({}, resolve={}, lookup=names(), proxy="http://127.0.0.1:{port}", obey_robots=False) as (
            server,
            http,
        ):
            assert await http.get("https://h.test/page", LIMIT) == Failure("proxy status 404")
            assert server.asked == ["h.test:443"]

    asyncio.run(story())


def test_a_proxy_that_is_not_there_is_told():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    failure = ask(b"", resolve={}, proxy=f"http://127.0.0.1:{port}", obey_robots=False)
    assert failure == Failure("proxy unreachable", again=True)


@pytest.mark.parametrize(
    "options",
    [
        {"proxy": "socks6://127.0.0.1:1"},
        {"proxy": "socks5://127.0.0.1:70000"},
        {"proxy": "nonsense"},
        {"resolve": {"h.test": "nonsense"}},
        {"resolve": {"h.test": "127.0.0.1"}},
        {"allow": ("10.0.0.0/99",)},
        {"agent": "two\nlines"},
        {"agent": ""},
        {"timeout_total": 0},
    ],
)
def test_options_that_cannot_work_are_refused_in_one_line(options):
    with pytest.raises(Refused) as refused:
        HttpOptions(**options)
    assert refused.value.fix
