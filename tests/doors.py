"""A server on loopback that plays every host, by HTTP and HTTPS on one port, and remembers who told it what."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache

from .tls_cases import authority, signed

HTML = "text/html; charset=utf-8"


@dataclass
class Asked:
    """A request that arrived."""

    scheme: str
    host: str
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes = b""
    certificate: bool = False

    @property
    def url(self):
        return f"{self.scheme}://{self.host}{self.target}"

    @property
    def path(self):
        return self.target.partition("?")[0]

    def header(self, name):
        return "; ".join(value for key, value in self.headers if key.lower() == name.lower())

    def cookie(self, name):
        pairs = dict(each.strip().partition("=")[::2] for each in self.header("Cookie").split(";"))
        return pairs.get(name, "")

    def everything(self):
        return f"{self.method} {self.url} {self.headers} {self.body!r}"


def reply(body="", status="200 OK", *headers):
    """A response; headers are pairs."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {HTML}", f"Content-Length: {len(data)}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "", ""]).encode() + data


def moved(to, *headers, status="302 Found"):
    return reply("", status, ("Location", to), *headers)


def basic(user, password):
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


@cache
def _leaf(name):
    return signed(name, authority())


@cache
def _folder():
    from pathlib import Path
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="lycosa-doors-"))


@cache
def _context(name):
    """The TLS context of a host, with a certificate made for it."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    file = _folder() / f"{name}.pem"
    file.write_bytes(_leaf(name).key_pem + _leaf(name).pem)
    made.load_cert_chain(file)
    made.load_verify_locations(cadata=authority().pem.decode())
    made.verify_mode = ssl.CERT_OPTIONAL
    made.sni_callback = lambda link, name, _: setattr(link, "context", _context(name)) if name else None
    return made


@dataclass
class Doors:
    """Answers every request with `answer(asked)`; a request for robots.txt finds none."""

    answer: Callable[[Asked], str | bytes]
    asked: list[Asked] = field(default_factory=list)
    port: int = 0

    @property
    def options(self):
        """How the hosts are reached."""
        root = _folder() / "root.pem"
        root.write_bytes(authority().pem)
        return {"resolve": {"*": f"127.0.0.1:{self.port}"}, "ca": str(root)}

    def of(self, host, scheme="https"):
        """The requests for pages of a host."""
        return [one for one in self.asked if (one.host, one.scheme) == (host, scheme) and one.path != "/robots.txt"]

    async def _talk(self, reader, writer):
        link = writer.get_extra_info("ssl_object")
        certificate = bool(link and link.getpeercert())
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                line, *lines = head.strip().split("\r\n")
                method, target, _ = line.split(" ")
                headers = [tuple(each.split(": ", 1)) for each in lines]
                fields = {name.lower(): value for name, value in headers}
                body = await reader.readexactly(int(fields.get("content-length", 0)))
                scheme = "https" if link else "http"
                one = Asked(scheme, fields["host"], method, target, headers, body, certificate)
                self.asked.append(one)
                none = one.path == "/robots.txt"
                said = reply("", "404 Not Found") if none and not self.wants_robots else self.answer(one)
                writer.write(said if isinstance(said, bytes) else reply(said))
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    wants_robots: bool = False
    """Whether requests for robots.txt are answered as all others are."""

    async def _accept(self, listener):
        loop = asyncio.get_running_loop()
        while True:
            link, _ = await loop.sock_accept(listener)
            self._links.add(task := asyncio.create_task(self._serve(link)))
            task.add_done_callback(self._links.discard)

    async def _serve(self, link):
        loop = asyncio.get_running_loop()
        link.setblocking(False)
        try:
            first = await self._peek(link)
            reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(reader, self._talk)
            tls = _context("nobody.test") if first == b"\x16" else None
            await loop.connect_accepted_socket(lambda: protocol, link, ssl=tls)
        except OSError:
            link.close()

    async def _peek(self, link):
        while True:
            try:
                return link.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                await asyncio.sleep(0.001)

    @asynccontextmanager
    async def open(self):
        """Serve within an event loop."""
        self._links = set()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setblocking(False)
            self.port = listener.getsockname()[1]
            accepting = asyncio.create_task(self._accept(listener))
            try:
                yield self
            finally:
                for task in (accepting, *self._links):
                    task.cancel()
                await asyncio.gather(accepting, *self._links, return_exceptions=True)

    @contextmanager
    def beside(self):
        """Serve in a thread."""
        ready, done = threading.Event(), threading.Event()

        async def story():
            async with self.open():
                ready.set()
                await asyncio.to_thread(done.wait)

        thread = threading.Thread(target=lambda: asyncio.run(story()))
        thread.start()
        try:
            assert ready.wait(60)
            yield self
        finally:
            done.set()
            thread.join()
