"""A served web answers over real HTTP as its source does, and misbehaves exactly where it was asked to."""

from __future__ import annotations

import asyncio
import gzip
import time

import aiohttp
import msgspec
import psutil
import pytest

from lycosa.core.nouns import Failure, Raw
from lycosa.system.errors import Refused
from lycosa.web.faults import FAULTS, Fault, Faults, read_all
from lycosa.web.http import Http, HttpOptions
from lycosa.web.made import Made
from lycosa.web.offline import SourceWeb
from lycosa.web.serving import SourceServer, spawn
from lycosa.web.source_names import open_source

PAGE = b"<html><title>here</title>" + b"<p>words and words</p>" * 200


class Pages:
    """A source with the same page at every path of every host, but for some."""

    def response(self, url):
        host, _, path = url.partition("://")[2].partition("/")
        if path == "robots.txt":
            return Raw(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /no/\n")
        if path == "none" or (host == "secure.test") != url.startswith("https:"):
            return None
        if path == "moved":
            return Raw(301, (("Location", f"http://{host}/new"),), b"")
        headers = (("Content-Type", "text/html"), ("ETag", '"1"'), ("Content-Encoding", "br"), ("Connection", "close"))
        return Raw(200, headers, PAGE)

    def urls(self):
        return iter(["http://a.test/", "http://b.test/"])


def serving(work, **options):
    """Run some work beside a server for it."""

    async def go():
        async with SourceServer(Pages(), **options) as server:
            return await asyncio.wait_for(work(server), 20)

    return asyncio.run(go())


async def talk(server, data, *, until=None, seconds=5.0):
    """Send bytes, return what comes back until the server hangs up, or so many bytes have come, or time is up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data)
    got = b""
    try:
        async with asyncio.timeout(seconds):
            while (until is None or len(got) < until) and (chunk := await reader.read(65536)):
                got += chunk
    finally:
        writer.close()
    return got


def get(url, close=True):
    path = "/" + url.partition("://")[2].partition("/")[2]
    host = url.partition("://")[2].partition("/")[0]
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{'Connection: close' if close else 'X: y'}\r\n\r\n".encode()


def test_it_answers_by_host_header_and_as_a_proxy():
    async def work(server):
        by_host = await talk(server, get("http://a.test/x"))
        as_proxy = await talk(server, b"GET http://a.test/x HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n")
        with_port = await talk(server, get(f"http://a.test:{server.port}/x"))
        return by_host, as_proxy, with_port, list(server.asked)

    by_host, as_proxy, with_port, asked = serving(work)
    assert by_host == as_proxy == with_port
    assert by_host.startswith(b"HTTP/1.1 200 OK\r\n")
    assert by_host.endswith(b"\r\n\r\n" + PAGE)
    assert [(one.host, one.path) for one in asked] == [("a.test", "/x")] * 3


def test_it_frames_its_answers_itself():
    async def work(server):
        return (await talk(server, get("http://a.test/"))).partition(b"\r\n\r\n")[0].lower()

    head = serving(work)
    assert b"content-length: %d" % len(PAGE) in head
    assert b'etag: "1"' in head
    assert b"content-encoding" not in head
    assert b"connection" not in head


def test_what_the_source_does_not_have_is_404():
    async def work(server):
        return await talk(server, get("http://a.test/none")), await talk(server, get("http://a.test/robots.txt"))

    missing, robots = serving(work)
    assert missing.startswith(b"HTTP/1.1 404 Not Found\r\n")
    assert robots.endswith(b"Disallow: /no/\n")


def test_redirects_are_passed_on():
    async def work(server):
        return await talk(server, get("http://a.test/moved"))

    assert b"\r\nLocation: http://a.test/new\r\n" in serving(work)


def test_a_connection_is_kept_for_many_requests_in_a_row():
    async def work(server):
        ask = get("http://a.test/", close=False)
        first = await talk(server, ask + get("http://a.test/"))
        return await talk(server, ask * 50 + get("http://a.test/none")), first

    many, two = serving(work)
    assert two.count(b"HTTP/1.1 200 OK") == 2
    assert many.count(b"HTTP/1.1 200 OK") == 50
    assert many.rindex(b"HTTP/1.1 404") > many.rindex(b"HTTP/1.1 200 OK")


def test_a_request_may_come_in_pieces():
    async def work(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for byte in get("http://a.test/"):
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)
        answer = await reader.read()
        writer.close()
        return answer

    assert serving(work).endswith(PAGE)


def test_head_has_the_headers_and_no_body():
    async def work(server):
        return await talk(server, get("http://a.test/").replace(b"GET", b"HEAD"))

    answer = serving(work)
    assert b"Content-Length: %d" % len(PAGE) in answer
    assert answer.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"CONNECT a.test:443 HTTP/1.1\r\n\r\n", b"501"),
        (b"POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc", b"405"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"hello\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"431"),
    ],
)
def test_what_it_does_not_do_it_says(request_bytes, status):
    async def work(server):
        return await talk(server, request_bytes)

    answer = serving(work)
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert len(answer.partition(b"\r\n\r\n")[2]) > 20, "with a clear text"


def test_a_recorded_https_page_can_be_asked_for_in_plain_http():
    async def work(server):
        return await talk(server, get("http://secure.test/"))

    assert serving(work).endswith(PAGE)


def test_it_listens_on_loopback_only():
    for host in ("0.0.0.0", "", "::", "192.168.0.1", "localhost"):
        with pytest.raises(Refused, match="stays on this machine"):
            SourceServer(Pages(), host=host)


def test_gzip_is_used_where_asked_for_and_accepted():
    async def work(server):
        plain = get("http://a.test/")
        accepting = plain.replace(b"\r\n\r\n", b"\r\nAccept-Encoding: br, gzip\r\n\r\n")
        return await talk(server, plain), await talk(server, accepting)

    plain, packed = serving(work, gzip=True)
    assert plain.endswith(PAGE)
    head, _, body = packed.partition(b"\r\n\r\n")
    assert b"Content-Encoding: gzip" in head
    assert gzip.decompress(body) == PAGE


def test_latency_holds_every_answer_back():
    async def work(server):
        began = time.monotonic()
        await talk(server, get("http://a.test/", close=False) * 2 + get("http://a.test/"))
        return time.monotonic() - began

    assert serving(work, latency=0.1) >= 0.3


def test_a_small_cache_changes_nothing_but_speed():
    async def work(server):
        return [await talk(server, get(f"http://h{n % 7}.test/")) for n in range(30)]

    assert len(set(serving(work, cache_bytes=3 * len(PAGE)))) == 1


def test_preloaded_pages_are_rendered_before_anybody_asks():
    async def work(server):
        Pages.response, before = lambda self, url: None, Pages.response
        try:
            return await talk(server, get("http://b.test/"))
        finally:
            Pages.response = before

    assert serving(work, preload=True).endswith(PAGE)


def test_a_real_client_fetches_a_made_web_through_the_proxy():
    web = Made(600, 6)

    async def go():
        async with SourceServer(web) as server, aiohttp.ClientSession() as session:
            for url in list(web.urls())[::97]:
                async with session.get(url, proxy=server.proxy, allow_redirects=False) as answer:
                    raw = web.response(url)
                    assert (answer.status, await answer.read()) == (raw.status, raw.body) if raw else 404

    asyncio.run(go())


def test_the_live_web_makes_the_same_of_a_served_web_as_of_its_source():
    web = Made(900, 9)
    urls = list(web.urls())[::11]
    roots = [url for url in urls if url.count("/") == 3]
    urls += [
        f"{root}{path}"
        for root in roots
        for path in ("calendar/2004/5/", "archive/older/", "go/2", "members/list.html")
    ]
    urls += [f"{root}?sid=0123456789abcdef" for root in roots]

    async def go():
        async with SourceServer(web, gzip=True) as server:
            live = Http(HttpOptions(proxy=server.proxy), context=True)
            offline = SourceWeb(web, context=True)
            for limit in (1 << 20, 3000):
                for url in urls:
                    got, expected = await live.get(url, limit), await offline.get(url, limit)
                    if not isinstance(expected, Failure):
                        assert got.raw.body == expected.raw.body
                        assert got.raw.truncated == expected.raw.truncated
                        got, expected = (msgspec.structs.replace(each, raw=None) for each in (got, expected))
                    assert got == expected
            await live.close()

    asyncio.run(go())


# Faults


def play(fault, path="/x", **talking):
    async def work(server):
        return await talk(server, get(f"http://bad.test{path}", close=False), **talking)

    return serving(work, faults=Faults({"bad*.test": fault}))


def test_a_reset_connection_is_reset():
    with pytest.raises(ConnectionResetError):
        play("reset")


def test_a_cut_connection_breaks_in_the_body():
    got = b""

    async def work(server):
        nonlocal got
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(get("http://bad.test/"))
        got = await reader.readexactly(1000)
        try:
            await reader.read()
            await reader.read()
        finally:
            writer.close()

    with pytest.raises(ConnectionResetError):
        serving(work, faults=Faults({"bad.test": "cut"}))
    assert got.startswith(b"HTTP/1.1 200 OK")


def test_a_dripping_body_comes_slowly():
    with pytest.raises(TimeoutError):
        play("drip:seconds=0.05", seconds=0.5)


@pytest.mark.parametrize(("fault", "claimed"), [("short", len(PAGE) // 2), ("long", 2 * len(PAGE) + 1)])
def test_wrong_lengths_are_wrong(fault, claimed):
    head, _, body = play(fault).partition(b"\r\n\r\n")
    assert head.lower().count(b"content-length:") == 1
    assert b"Content-Length: %d" % claimed in head
    assert body == PAGE


@pytest.mark.parametrize(("fault", "coding"), [("bomb", b"gzip"), ("bomb-br", b"br")])
def test_bombs_are_small_on_the_wire(fault, coding):
    async def work(server):
        return await talk(server, get("http://bad.test/"))

    head, _, body = serving(work, faults=Faults({"bad.test": fault})).partition(b"\r\n\r\n")
    assert b"Content-Encoding: " + coding in head
    assert 10_000 < len(body) < 1_000_000


def test_an_endless_body_goes_on_while_it_is_read():
    assert len(play("endless:seconds=5", until=5_000_000)) >= 5_000_000


def location(answer):
    return answer.partition(b"Location: ")[2].partition(b"\r\n")[0].decode()


def test_loops_go_round_and_hops_go_on():
    async def work(server):
        seen = {}
        for name in ("loop", "hops"):
            url = f"http://{name}.test/"
            seen[name] = [url := location(await talk(server, get(url))) for _ in range(4)]
        return seen

    seen = serving(work, faults=Faults({"loop.test": "loop", "hops.test": "hops"}))
    assert len(set(seen["loop"])) == 2
    assert len(set(seen["hops"])) == 4


@pytest.mark.parametrize("status", ["429", "503"])
def test_busy_hosts_say_when_to_come_again(status):
    answer = play(f"{status}:seconds=7", until=10)
    assert answer.startswith(f"HTTP/1.1 {status}".encode())
    assert b"Retry-After: 7" in answer


def test_a_silent_host_takes_the_request_and_says_nothing():
    with pytest.raises(TimeoutError):
        play("silent", seconds=0.3)


def test_garbage_is_not_http():
    assert not play("garbage").startswith(b"HTTP")


def test_a_fault_can_pass_after_so_many_times_for_each_url():
    async def work(server):
        asks = [get("http://bad.test/1"), get("http://bad.test/1"), get("http://bad.test/1"), get("http://bad.test/2")]
        return [(await talk(server, ask))[9:12] for ask in asks]

    assert serving(work, faults=Faults({"bad.test": Fault("503", times=2)})) == [b"503", b"503", b"200", b"503"]


def test_robots_txt_is_spared_unless_it_is_named():
    async def work(server):
        return [(await talk(server, get(f"http://{host}.test/robots.txt")))[9:12] for host in ("bad", "worse")]

    assert serving(work, faults=Faults({"bad.test": "503", "worse.test/robots.txt": "503"})) == [b"200", b"503"]


def test_only_the_hosts_of_a_pattern_misbehave():
    faults = read_all(["bad-*.test=reset", "shop.test/cart/*=429:seconds=3", "*.slow.test=drip"])
    assert faults.at("bad-1.test", "/").name == "reset"
    assert faults.at("shop.test", "/cart/1").seconds == 3
    assert faults.at("www.slow.test", "/").name == "drip"
    assert faults.at("shop.test", "/") is None
    assert faults.at("good.test", "/bad-1.test") is None


@pytest.mark.parametrize("line", ["bad.test", "bad.test=nonsense", "bad.test=503:often=2", "bad.test=503:times=x"])
def test_a_fault_that_does_not_exist_is_refused(line):
    with pytest.raises(Refused):
        read_all([line])


def test_every_fault_says_what_it_does():
    assert all(fault.__doc__ for fault in FAULTS.values())


# Processes


def test_a_spawned_server_answers_and_ends_with_its_block(tmp_path):
    log = str(tmp_path / "asked.tsv")
    web = Made(500, 5)

    async def go(proxy):
        async with aiohttp.ClientSession() as session:
            for number in range(5):
                async with session.get(web.plan.url(number), proxy=proxy) as answer:
                    assert await answer.read() == web.response(web.plan.url(number)).body

    before = time.monotonic()
    with spawn("made:pages=500,topics=5", log=log) as server:
        asyncio.run(go(server.proxy))
        asked = server.asked()
    assert not psutil.pid_exists(server.pid)
    assert [f"http://{one.host}{one.path}" for one in asked] == [web.plan.url(number) for number in range(5)]
    assert all(before < one.time < time.monotonic() for one in asked), "one clock for all processes"


def test_a_spawned_server_ends_when_its_parent_is_killed(tmp_path):
    import subprocess
    import sys

    program = (
        "from lycosa.web.serving import spawn\nimport time\n"
        "with spawn('made:pages=500,topics=5') as server:\n    print(server.pid, flush=True)\n    time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        pid = int(parent.stdout.readline())
        parent.kill()
    for _ in range(100):
        if not psutil.pid_exists(pid):
            break
        time.sleep(0.05)
    assert not psutil.pid_exists(pid)


def test_what_cannot_be_served_is_refused_with_the_reason(tmp_path):
    with pytest.raises(Refused, match="does not exist"), spawn(tmp_path / "none.warc.gz"):
        pass
    with pytest.raises(Refused, match="is not a setting of a made web"):
        open_source("made:colour=red")
    with pytest.raises(Refused, match="stays on this machine"), spawn("made", host="0.0.0.0"):
        pass
