"""A request that fails because of our own side says nothing about its URL."""

import asyncio
import errno
import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import aiohttp
import pytest

from lycosa.core.nouns import Failure, Page
from lycosa.system.shortage import short_of, shortage
from lycosa.web import local_faults
from lycosa.web.http import Http, HttpOptions

SCRIPT = """
import asyncio, json, os, resource, sys
from lycosa.web.http import Http, HttpOptions
from msgspec import to_builtins

resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))

def said(answer):
    return answer.title if hasattr(answer, "title") else to_builtins(answer)

async def take_all(http):
    # A connection that is about to be closed would give one back.
    while http._client.sockets.are_more_than(0):
        await asyncio.sleep(0.01)
    taken = []
    try:
        while True:
            taken.append(os.dup(0))
    except OSError:
        return taken

async def main(way, port):
    options = {
        "mapped": {"resolve": {"*": f"127.0.0.1:{port}"}},
        "proxy": {"proxy": f"http://127.0.0.1:{port}"},
        "names": {},
    }[way]
    http = Http(HttpOptions(obey_robots=way == "mapped", **options))
    told = []
    if way == "names":
        http.knows("http://a.invalid/")
    else:
        told.append(said(await http.get("http://a.invalid/", 1000)))
    taken = await take_all(http)
    told.append(said(await http.get("http://b.invalid/", 1000)))
    for descriptor in taken:
        os.close(descriptor)
    if way != "names":
        told.append(said(await http.get("http://b.invalid/", 1000)))
    await http.close()
    print(json.dumps(told))

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


class Here(BaseHTTPRequestHandler):
    """One page everywhere, and the connection is closed after it."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>here</title>")

    def log_message(self, *_):
        pass


OURS = {"reason": "short of file descriptors", "again": True, "rest": None, "asked": False, "ours": True}


@pytest.mark.parametrize(
    ("way", "expected"),
    [("mapped", ["here", OURS, "here"]), ("proxy", ["here", OURS, "here"]), ("names", [OURS])],
)
def test_without_a_descriptor_nothing_is_said_about_the_host_the_name_or_the_proxy(way, expected):
    with HTTPServer(("127.0.0.1", 0), Here) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [sys.executable, "-c", SCRIPT, way, str(server.server_port)]
        done = subprocess.run(command, capture_output=True, text=True)
        server.shutdown()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EADDRNOTAVAIL])
def test_every_shortage_is_known_wherever_it_hides(number):
    error = OSError(number, os.strerror(number))
    key = aiohttp.client_reqrep.ConnectionKey("a.test", 80, False, True, None, None, None)
    wrapped = aiohttp.ClientProxyConnectionError(key, error)
    several = OSError(f"Multiple exceptions: [Errno 101] Network is unreachable, [Errno {number}] short")
    reasons = {short_of(error), short_of(wrapped), short_of(several)}
    assert len(reasons) == 1
    (reason,) = reasons
    assert reason.startswith("short of ")
    assert str(shortage(reason)).startswith(f"this machine is {reason}: ")
    assert "then resume" in str(shortage(reason))


@pytest.mark.parametrize("number", [errno.ECONNREFUSED, errno.ECONNRESET, errno.EHOSTUNREACH])
def test_what_a_far_side_does_is_no_shortage(number):
    assert short_of(OSError(number, os.strerror(number))) == ""


@asynccontextmanager
async def served(lookup, **options):
    async def answer(reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    http = Http(HttpOptions(allow=("127.0.0.0/8",), obey_robots=False, **options), lookup=lookup)
    try:
        yield server.sockets[0].getsockname()[1], http
    finally:
        await http.close()
        server.close()
        await server.wait_closed()


def names(down):
    """A name server: `bad` names fail, others are known, unless everything is down."""

    async def lookup(name):
        if down or "bad" in name:
            raise socket.gaierror(socket.EAI_AGAIN, "try again")
        if name.endswith("."):
            raise socket.gaierror(socket.EAI_NONAME, "a name nobody has heard of")
        return ["127.0.0.1"]

    return lookup


def test_a_name_that_fails_is_a_verdict_only_while_the_name_server_answers_others():
    async def story():
        down = set()
        async with served(names(down)) as (port, http):
            nobody_known = await http.get("http://bad.test/", 100)
            assert isinstance(await http.get(f"http://good.test:{port}/", 100), Page)
            others_answer = await http.get("http://bad.test/", 100)
            down.add("everything")
            nobody_answers = await http.get("http://other.test/", 100)
            down.clear()
            assert isinstance(await http.get(f"http://other.test:{port}/", 100), Page)
        return nobody_known, others_answer, nobody_answers

    doubt = Failure("name server failure", again=True, ours=True)
    verdict = Failure("name server failure", again=True)
    assert asyncio.run(story()) == (doubt, verdict, doubt)


def test_a_name_server_that_never_answers_is_not_a_slow_host(monkeypatch):
    monkeypatch.setattr(local_faults, "_TIMEOUT", 0.5)

    async def story():
        silent = asyncio.Event()

        async def lookup(name):
            if silent.is_set():
                await asyncio.sleep(3600)
            return ["127.0.0.1"]

        async with served(lookup, timeout_connect=0.5) as (port, http):
            assert isinstance(await http.get(f"http://good.test:{port}/", 100), Page)
            silent.set()
            return await http.get("http://other.test/", 100)

    assert asyncio.run(story()) == Failure("name server failure", again=True, ours=True)


def test_a_robots_txt_that_our_own_side_kept_us_from_reading_is_asked_for_again_at_once():
    async def story():
        down = {"everything"}
        async with served(names(down)) as (port, _):
            options = HttpOptions(allow=("127.0.0.0/8",))
            http = Http(options, lookup=names(down))
            first = await http.get(f"http://good.test:{port}/", 100)
            down.clear()
            second = await http.get(f"http://good.test:{port}/", 100)
            await http.close()
        return first, second

    first, second = asyncio.run(story())
    assert first == Failure("name server failure", again=True, ours=True)
    assert isinstance(second, Page)
