"""Serves any source over real HTTP on loopback, so that any crawler, Lycosa or another, can be pointed at it.

It answers as a forward proxy (the request line contains the whole URL) and by the Host header, keeps connections alive,
answers conditional requests, and can be slow or faulty on purpose. It is written directly on asyncio's protocols: a
cached answer costs a few dozen microseconds.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from pathlib import Path
from random import Random
from typing import NamedTuple, Self, TextIO

from lycosa.core.urls import canonical
from lycosa.system.errors import Code, Refused
from lycosa.web.faults import Fault, Faults, Reply
from lycosa.web.server_response import ServerResponse, render
from lycosa.web.source import Source

LOOPBACK = "127.0.0.1"
_HEAD_LIMIT = 1 << 16
_LOG_LINES = 1_000_000
_NO_TUNNEL = b"This server speaks plain HTTP only: ask for http:// URLs, it opens no tunnels to https.\n"


class ServerRequest(NamedTuple):
    """A request as it arrived; the time is that of `time.monotonic`."""

    time: float
    host: str
    path: str


class SourceServer:
    """An HTTP server for a source: `async with SourceServer(source) as server: ... server.proxy ...`."""

    def __init__(
        self,
        source: Source,
        *,
        host: str = LOOPBACK,
        port: int = 0,
        latency: float | tuple[float, float] = 0.0,
        faults: Faults | None = None,
        log: str | Path | None = None,
        gzip: bool = False,
        etags: bool = False,
        preload: bool = False,
        cache_bytes: int = 128 << 20,
    ) -> None:
        if host != LOOPBACK:
            raise Refused(
                f"a served web stays on this machine, so it cannot listen on {host}",
                f"listen on {LOOPBACK}",
                code=Code.NOT_ALLOWED,
                field="host",
            )
        self.source = source
        self.port = port
        self.own_port = b""
        self.latency = latency if isinstance(latency, tuple) else (latency, latency)
        self.faults = faults
        self.gzip = gzip
        self.etags = etags
        """Whether pages without an entity tag in the source get one, made from their body."""
        self.asked: deque[ServerRequest] = deque(maxlen=_LOG_LINES)
        """The requests, oldest first."""
        self._preload = preload
        self._room = cache_bytes
        self._cache: OrderedDict[bytes, ServerResponse] = OrderedDict()
        self._random = Random(0)
        self._log_path = Path(log) if log else None
        self._log: TextIO | None = None
        self._connections: set[_Connection] = set()
        self._server: asyncio.Server | None = None

    @property
    def proxy(self) -> str:
        """The URL of the server, to be used as an HTTP proxy."""
        return f"http://{LOOPBACK}:{self.port}"

    async def __aenter__(self) -> Self:
        if self._preload:
            self._room = 1 << 62
            for url in self.source.urls():
                self._keep(url.encode(), self._render(url))
        if self._log_path:
            self._log = self._log_path.open("a", buffering=1 << 16)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), LOOPBACK, self.port, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]
        self.own_port = b":%d" % self.port
        return self

    async def __aexit__(self, *problem: object) -> None:
        if self._server:
            self._server.close()
        for connection in list(self._connections):
            connection.end()
        while self._connections:
            await asyncio.sleep(0)
        if self._log:
            self._log.close()

    def note(self, host: str, path: str) -> None:
        """Record a request."""
        asked = ServerRequest(time.monotonic(), host, path)
        self.asked.append(asked)
        if self._log:
            self._log.write(f"{asked.time:.6f}\t{host}\t{path}\n")
            self._log.flush()

    def answer(self, url: bytes) -> ServerResponse | None:
        """The answer for a URL as a client wrote it; None if it is not a URL."""
        if found := self._cache.get(url):
            self._cache.move_to_end(url)
            return found
        name = canonical(url.decode("latin-1"), limit=1 << 16)
        if name is None:
            return None
        found = self._render(name)
        self._keep(url, found)
        return found

    def pause(self) -> float:
        """Seconds for which this answer is delayed."""
        low, high = self.latency
        return low + (high - low) * self._random.random() if high > low else low

    def _keep(self, url: bytes, answer: ServerResponse) -> None:
        self._cache[url] = answer
        self._room -= len(answer.whole) + len(answer.packed)
        while self._room < 0 and len(self._cache) > 1:
            old = self._cache.popitem(last=False)[1]
            self._room += len(old.whole) + len(old.packed)

    def _render(self, url: str) -> ServerResponse:
        raw = self.source.response(url)
        if raw is None and url.startswith("http:"):
            # A recording of an https site can also be requested over plain HTTP.
            raw = self.source.response(f"https:{url[5:]}")
        return render(url, raw, gzip=self.gzip, etags=self.etags)


class _Connection(asyncio.Protocol):
    """One client connection: requests are answered one after the other, in the order of arrival."""

    transport: asyncio.Transport

    def __init__(self, server: SourceServer) -> None:
        self.server = server
        self.buffer = b""
        self.busy = False
        self.task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        self.server._connections.add(self)

    def connection_lost(self, problem: Exception | None) -> None:
        self.busy = True
        if self.task:
            self.task.cancel()
        self.server._connections.discard(self)

    def end(self) -> None:
        """Close the connection."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self.buffer = self.buffer + data if self.buffer else data
        if not self.busy:
            self._go_on()

    def pause_writing(self) -> None:
        self.busy = True

    def resume_writing(self) -> None:
        if not self.task:
            self.busy = False
            self._go_on()

    def _go_on(self) -> None:
        while not self.busy and self.buffer:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            if not mark:
                if len(self.buffer) > _HEAD_LIMIT:
                    self._refuse(b"431 Request Header Fields Too Large", b"The request never ends.\n")
                return
            self.buffer = rest
            self._request(head)

    def _request(self, head: bytes) -> None:
        line, _, headers = head.partition(b"\r\n")
        try:
            method, target, version = line.split(b" ")
        except ValueError:
            return self._refuse(b"400 Bad Request", b"The request line is not HTTP.\n")
        if method == b"CONNECT":
            return self._refuse(b"501 Not Implemented", _NO_TUNNEL)
        if method != b"GET" and method != b"HEAD":
            return self._refuse(b"405 Method Not Allowed", b"Only GET and HEAD are answered.\n")
        # A line break before the name distinguishes a header from a value.
        fields = b"\r\n" + headers.lower()
        server = self.server
        if target[:1] == b"/":
            host = _field(fields, b"host").removesuffix(server.own_port)
            target = b"http://%s%s" % (host, target)
        answer = server.answer(target)
        if answer is None:
            return self._refuse(b"400 Bad Request", b"No http URL: send a whole URL, or a path and a Host header.\n")
        server.note(answer.host, answer.path)
        if version == b"HTTP/1.0":
            last = b"\r\nconnection: keep-alive" not in fields
        else:
            last = b"\r\nconnection: close" in fields
        if answer.same and answer.is_known(*_validators(fields, b"\r\n" + headers)):
            payload = answer.same
        elif method == b"HEAD":
            payload = answer.head + b"\r\n\r\n"
        elif answer.packed and b"gzip" in _field(fields, b"accept-encoding"):
            payload = answer.packed
        else:
            payload = answer.whole
        fault = server.faults.at(answer.host, answer.path) if server.faults else None
        pause = server.pause()
        if fault or pause:
            self.busy = True
            self.task = asyncio.get_running_loop().create_task(self._later(pause, fault, answer, payload, last))
            return None
        self.transport.write(payload)
        if last:
            self._hang_up()
        return None

    async def _later(
        self, pause: float, fault: Fault | None, answer: ServerResponse, payload: bytes, last: bool
    ) -> None:
        await asyncio.sleep(pause)
        if fault:
            last = not await fault.play(Reply(self.transport, answer.url, answer.head, answer.body)) or last
        elif not self.transport.is_closing():
            self.transport.write(payload)
        self.task = None
        if last:
            self._hang_up()
        else:
            self.busy = False
            self._go_on()

    def _refuse(self, status: bytes, text: bytes) -> None:
        self.transport.write(
            b"HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            % (status, len(text), text)
        )
        self._hang_up()

    def _hang_up(self) -> None:
        self.busy = True
        self.buffer = b""
        self.transport.close()


def _field(fields: bytes, name: bytes, original: bytes = b"") -> bytes:
    """The value of a header from lower-case lines, or as written in the original lines if they are given."""
    at = fields.find(b"\r\n%s:" % name)
    return (original or fields)[at + len(name) + 3 :].partition(b"\r\n")[0].strip() if at >= 0 else b""


def _validators(fields: bytes, original: bytes) -> tuple[bytes, bytes]:
    """The entity tags and the date of a conditional request."""
    return _field(fields, b"if-none-match", original), _field(fields, b"if-modified-since", original)
