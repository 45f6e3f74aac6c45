"""Clients that are slow, or too many, lose nothing but their own connections: real sockets, a real server."""

import json
import logging
import re
import resource
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress

import httpx
import psutil
import pytest
from starlette.testclient import TestClient

from lycosa.face.server.clients import owner_of
from lycosa.face.server.log_throttle import LogThrottle
from lycosa.face.server.request_guard import RequestGuard
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Refused

PATIENCE = 60.0
HALF_A_HEAD = b"GET /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Slow: "
HALF_A_BODY = (
    b"POST /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
)
NEVER_READ = b"GET /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 90\r\n\r\n{"
STREAM = b"GET /api/hunts/spiders/events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
SHORT = ("--head-timeout", "0.4", "--body-timeout", "0.4", "--idle-timeout", "0.4")


@pytest.fixture(scope="module")
def hasty(serving, tmp_path_factory):
    """A server with little patience."""
    with serving(tmp_path_factory.mktemp("hasty"), (), *SHORT) as running:
        yield running


@pytest.fixture(scope="module")
def narrow(serving, furnished, tmp_path_factory):
    """A server with room for 16 connections and, for one client, for 2 streams."""
    with serving(tmp_path_factory.mktemp("narrow"), (furnished,), "--connections", "16", "--streams", "8") as running:
        yield running


@contextmanager
def lines(port, count):
    """So many open connections."""
    with ExitStack() as stack:
        yield [stack.enter_context(connected(port)) for _ in range(count)]


def connected(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def rest_of(line):
    """Whatever comes until the server closes."""
    found = b""
    try:
        while piece := line.recv(65536):
            found += piece
    except ConnectionResetError:
        pass
    return found


@pytest.mark.parametrize("sent", [b"", HALF_A_HEAD, HALF_A_BODY, NEVER_READ])
def test_half_a_request_is_not_waited_for(hasty, sent):
    with lines(hasty.port, 60) as open_:
        for line in open_:
            line.sendall(sent % hasty.port if sent else sent)
        ends = [rest_of(line) for line in open_]
    if sent in (HALF_A_HEAD, HALF_A_BODY):
        assert all(end.startswith(b"HTTP/1.1 408 ") for end in ends)
    assert httpx.get(f"{hasty.url}/api/hunts").status_code == 200


@pytest.mark.parametrize("sent", [HALF_A_HEAD, HALF_A_BODY, NEVER_READ])
def test_sending_a_byte_now_and_then_buys_no_time(hasty, sent):
    with connected(hasty.port) as line:
        line.sendall(sent % hasty.port)
        with pytest.raises(OSError):
            for _ in range(int(PATIENCE * 20)):
                line.sendall(b"x")
                time.sleep(0.05)


def test_a_connection_that_asks_nothing_more_is_closed_and_one_that_does_is_not(hasty):
    with connected(hasty.port) as line:
        for _ in range(3):
            line.sendall(b"GET /api/strategies HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % hasty.port)
            assert line.recv(100).startswith(b"HTTP/1.1 200 ")
            # The rest of the answer, without a pause in which the server could lose its patience.
            line.setblocking(False)
            end = time.monotonic() + 0.1
            while time.monotonic() < end:
                try:
                    line.recv(1 << 20)
                except BlockingIOError:
                    time.sleep(0.01)
            line.settimeout(PATIENCE)
        assert rest_of(line) == b""


def test_an_answer_that_nobody_takes_is_not_kept_for_ever(serving, tmp_path, until):
    with serving(tmp_path, (), *SHORT) as running, connected(running.port) as line:
        process = psutil.Process(running.process.pid)
        one = b"GET /static/style.css HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % running.port
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(0.5)
        try:
            while True:
                line.sendall(one * 100)
        except OSError:
            pass  # it takes no more, for we take nothing, or it has hung up on us already
        until(lambda: not established(process), "the connection is closed", PATIENCE)
        assert httpx.get(f"{running.url}/api/hunts").status_code == 200


def established(process):
    return [one for one in process.net_connections("tcp") if one.status == psutil.CONN_ESTABLISHED]


def test_whoever_opens_more_than_there_is_room_for_loses_his_oldest_and_others_are_answered(narrow):
    with lines(narrow.port, 80) as open_:
        for line in open_:
            line.sendall(HALF_A_HEAD % narrow.port)
        for _ in range(5):
            assert httpx.get(f"{narrow.url}/api/search", params={"query": "a"}).status_code == 200
        # Long before their time is over.
        assert sum(not rest_of(line) for line in open_[:60]) == 60
        assert len(established(psutil.Process(narrow.process.pid))) <= 16


def test_streams_have_a_limit_and_one_too_many_is_told_so_and_searches_are_answered(narrow, until):
    with lines(narrow.port, 12) as open_:
        heads = []
        for line in open_:
            line.sendall(STREAM % narrow.port)
            heads.append(line.recv(65536))
        began = [head.startswith(b"HTTP/1.1 200 ") for head in heads]
        assert began == [True] * 2 + [False] * 10
        refused = heads[-1]
        assert refused.startswith(b"HTTP/1.1 503 ") and b"retry-after: 30" in refused.lower()
        assert json.loads(refused.partition(b"\r\n\r\n")[2])["problem"].startswith("too many streams")
        assert httpx.get(f"{narrow.url}/api/search", params={"query": "a"}).status_code == 200

    def again():
        with connected(narrow.port) as line:
            line.sendall(STREAM % narrow.port)
            return line.recv(100).startswith(b"HTTP/1.1 200 ")

    until(again, "there is room again", PATIENCE)


def test_a_stream_in_the_middle_of_a_connection_is_counted_as_well(narrow, until):
    head = b"GET /static/lycosa.svg HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % narrow.port
    with lines(narrow.port, 4) as open_:
        for line in open_:
            line.sendall(head + STREAM % narrow.port)
        statuses = until(
            lambda: all(found := [streams(line) for line in open_]) and found, "all are answered", PATIENCE
        )
        # A stream of the test before may take one of the two places.
        assert set(statuses) <= {b" 200", b" 503"} and statuses.count(b" 503") >= 2


heard = {}


def streams(line):
    """The status of the second answer on a connection."""
    line.settimeout(0.1)
    with suppress(OSError):
        heard[line] = heard.get(line, b"") + line.recv(1 << 20)
    statuses = heard.get(line, b"").split(b"HTTP/1.1")[1:]
    return statuses[1][:4] if len(statuses) > 1 else b""


def test_bodies_that_are_announced_together_have_a_limit():
    seen = []

    async def app(scope, receive, send):
        seen.append(guard._announced)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard = RequestGuard(app, ServerSettings(port=80, body=100))
    client = TestClient(guard, base_url="http://127.0.0.1")
    assert client.post("/api/hunts", json={"a": "x" * 50}).status_code == 200
    assert seen[0] > 50 and guard._announced == 0
    guard._announced = 64 * 100 - 10
    refused = client.post("/api/hunts", json={"a": "x" * 50})
    assert refused.status_code == 503 and refused.headers["retry-after"]
    assert client.get("/api/hunts").status_code == 200


def test_a_system_without_descriptors_is_told_of_in_one_line_and_the_server_goes_on(tmp_path, until):
    log, command = tmp_path / "log", [sys.executable, "-m", "lycosa", "serve", "--home", str(tmp_path / "home")]
    with log.open("wb") as errors:
        server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
        url, process = f"http://127.0.0.1:{port}/api/hunts", psutil.Process(server.pid)
        assert httpx.get(url).status_code == 200
        _, most = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (process.num_fds() + 10, most))
        with lines(port, 60):
            until(lambda: "cannot take a connection" in log.read_text(), "the shortage is told", PATIENCE)
            assert httpx.get(url.replace("/api/hunts", "/static/style.css")).status_code == 200
        until(lambda: not established(process), "all are closed", PATIENCE)
        assert httpx.get(url).status_code == 200
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)
    said = log.read_text()
    assert said.count("cannot take a connection") == 1 and "Traceback" not in said
    assert len(said.splitlines()) < 10


def test_what_is_said_again_and_again_is_written_now_and_then(caplog):
    seldom, logger = LogThrottle(every=3600.0), logging.getLogger("lycosa.test.seldom")
    logger.addFilter(seldom)
    for _ in range(1000):
        logger.warning("100 %% of %s", "it")
    logger.warning("another")
    assert [record.getMessage() for record in caplog.records] == ["100 % of it", "another"]
    seldom.every = 0.0
    logger.warning("100 %% of %s", "it")
    assert caplog.records[-1].getMessage() == "100 % of it (and 999 times since the last line)"


def test_a_network_of_ipv6_is_one_client():
    assert owner_of(("2001:db8::1", 1, 0, 0)) == owner_of(("2001:db8::ffff:2", 2, 0, 0))
    assert owner_of(("2001:db8::1", 1, 0, 0)) != owner_of(("2001:db8:0:1::1", 1, 0, 0))
    assert owner_of(("::ffff:192.0.2.1", 1, 0, 0)) == owner_of(("192.0.2.1", 1)) == "192.0.2.1"
    assert owner_of(("fe80::1%eth0", 1, 0, 0)) == owner_of(("fe80::2", 1, 0, 0))
    assert owner_of(None) == ""


def test_limits_that_make_no_sense_are_refused():
    for wrong in ({"connections": 1}, {"streams": 0}, {"head_timeout": 0.0}, {"idle_timeout": float("nan")}):
        with pytest.raises(Refused):
            ServerSettings(**wrong)
