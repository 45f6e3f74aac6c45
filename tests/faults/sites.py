"""What rows share: sites on loopback whose answers are written down, the command line, and what a collection holds.

    with Sites({"bad.test/": a_coroutine, **control(20)}) as sites:
        done = lycosa("crawl", "wolf spider", "--seed=http://control.test/", f"--proxy={sites.proxy}", "--out=found")

An answer is HTML as a string, a whole response as bytes (see `reply`), or a coroutine `answer(request, reader, writer)`
that does what it likes to the connection. Sites answer by Host header and as a forward proxy, for every name there is.
"""

import asyncio
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from weakref import WeakSet

from aiohttp.client_proto import ResponseHandler
from fastwarc.warc import ArchiveIterator, WarcRecordType
from msgspec.structs import replace

from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.core.events import Leased, Missed, Redirected, Visited
from lycosa.engine.hunt import Hunt
from lycosa.store.collection import Collection
from lycosa.web.http import Http, HttpOptions

CONTROL = "control.test"


class Request(NamedTuple):
    """A request as it came in."""

    host: str
    path: str
    headers: dict[str, str]
    time: float
    """Of `time.monotonic`."""

    @property
    def place(self):
        return self.host + self.path


def reply(body=b"", status="200 OK", **headers):
    """A response as bytes; `Content_Type=...` sets a header, None leaves it out."""
    body = body.encode() if isinstance(body, str) else body
    lines = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body))}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value is not None)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def html(title, *links, text=""):
    """A page with links."""
    anchors = "".join(f'<p><a href="{link}">wolf spider {link[-12:]}</a></p>\n' for link in links)
    return f"<!doctype html><html lang=en><title>{title}</title><body><h1>{title}</h1>{text}\n{anchors}</body></html>"


def control(count, *links, host=CONTROL):
    """A healthy site of so many pages, its front page linking to all of them and to what else is given."""
    pages = {f"{host}/{n}": html(f"wolf spider {n}", f"http://{host}/") for n in range(1, count)}
    front = html("wolf spiders", *(f"http://{place}" for place in pages), *links)
    return {f"{host}/": front, **pages}


class Dam:
    """Gives out the first pages of a site, and further ones once it is open: a crawl cannot be over before that."""

    def __init__(self, site, early, later=lambda page: page):
        """`later` changes pages that are given out after the early ones."""
        self.site, self.early, self.later = site, early, later
        self.given = 0
        self.opened = threading.Event()

    def close(self):
        """Begin anew, for another crawl."""
        self.given = 0
        self.opened.clear()

    def __call__(self, request):
        if request.place not in self.site:
            return None
        self.given += 1
        return self.site[request.place] if self.given <= self.early else self._hold

    async def _hold(self, request, reader, writer):
        while not self.opened.is_set():
            await asyncio.sleep(0.02)
        writer.write(reply(self.later(self.site[request.place])))
        await writer.drain()


class Sites:
    """Serves answers, by «host/path» or from a function of the request, from a thread of its own."""

    def __init__(self, answers, *, tls=None, host="127.0.0.1", port=0):
        self.answers = answers if callable(answers) else lambda request: answers.get(request.place)
        self.asked = []
        """Every request, in order."""
        self.connections = 0
        self._transports = WeakSet()
        self._serving = set()
        self.port = port
        self._host, self._tls = host, tls
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def proxy(self):
        return f"http://{self._host}:{self.port}"

    @property
    def pages_asked(self):
        """How often each «host/path» but robots.txt was asked for."""
        return Counter(request.place for request in self.asked if request.path != "/robots.txt")

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, *error):
        self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join(30)

    async def _serve(self):
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(
            self._accepted, self._host, self.port, ssl=self._tls, limit=1 << 20, backlog=1024
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._done.wait()
        # A connection that was accepted but has not begun when the server closes would leave its socket open.
        for listening in server.sockets:
            self._loop.remove_reader(listening.fileno())
        await asyncio.sleep(0)
        server.close()
        quiet = 0
        while quiet < 3:
            # On a busy machine, connections that were accepted a moment ago begin only some turns later.
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            for transport in list(self._transports):
                transport.abort()
            quiet = 0 if others else quiet + 1
            await asyncio.sleep(0.01)

    def _accepted(self, reader, writer):
        # Not in a task, which could be cancelled before its first step.
        self.connections += 1
        self._transports.add(writer.transport)
        task = asyncio.create_task(self._connection(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _connection(self, reader, writer):
        with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError, OSError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                request = read(head)
                self.asked.append(request)
                answer = self.answers(request)
                if callable(answer):
                    await answer(request, reader, writer)
                    break
                if answer is None:
                    answer = reply("nothing here", "404 Not Found")
                writer.write(reply(answer) if isinstance(answer, str) else answer)
                await writer.drain()
        with suppress(OSError, RuntimeError):
            writer.close()


def write(*pieces):
    """An answer that sends these bytes and hangs up."""

    async def answer(request, reader, writer):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()

    return answer


def ask(sites, urls, *, limit=1 << 20, together=16, **options):
    """What the client in this process makes of each URL: a Page, a Moved or a Failure.

    Those that come as a tuple are asked for one after the other.
    """
    options.setdefault("resolve", {"*": f"127.0.0.1:{sites.port}"})

    async def story():
        http, turn, found = Http(HttpOptions(**options)), asyncio.Semaphore(together), {}

        async def some(urls):
            async with turn:
                for url in urls:
                    found[url] = await http.get(url, limit)

        try:
            await asyncio.gather(*(some(url if isinstance(url, tuple) else (url,)) for url in urls))
        finally:
            await http.close()
        return found

    return asyncio.run(story())


def read(head):
    """A request from the bytes of its head."""
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
    }
    target = first.split(" ")[1]
    host = headers.get("host", "")
    if "://" in target:
        host, _, path = target.partition("://")[2].partition("/")
        target = "/" + path
    return Request(host, target, headers, time.monotonic())


def lycosa(*arguments, timeout=300, **options):
    """The command line in a process of its own; its exit code, output and complaints."""
    command = [sys.executable, "-m", "lycosa", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, **options)


def crawl(folder, seeds, sites=None, *, http=None, **options):
    """A hunt in this process, without pauses unless it is told to keep them; what its collection holds then.

    `http` are network options that no request has.
    """
    mapped = {"resolve": {"*": f"127.0.0.1:{sites.port}"}} if sites else {}
    options = {"delay": 0.0, "pages": 0, "strategy": "breadth-first", "processes": 1, "index": False} | mapped | options
    plan = make_plan(HuntRequest("wolf spider", seeds, **options))
    with Hunt.begin(replace(plan, http=replace(plan.http, **(http or {}))), Path(folder)) as run:
        for _ in run:
            pass
    return held(folder)


def received(monkeypatch):
    """How many bytes the client in this process has read on each connection from now on."""
    counts, take = Counter(), ResponseHandler.data_received

    def counted(self, data):
        counts[id(self)] += len(data)
        kept.append(self)
        take(self, data)

    kept = []  # so that no two connections have one id
    monkeypatch.setattr(ResponseHandler, "data_received", counted)
    return counts


class Held(NamedTuple):
    """What a collection holds."""

    pages: set[str]
    misses: dict[str, str]
    """The final reason of each URL that could not be had."""
    final: Counter[str]
    """How many final states each URL that was asked for has: always one in a crawl that has ended."""


def held(folder):
    """What the log of a collection says."""
    collection = Collection.open(folder)
    pages, misses, final = set(), {}, Counter()
    try:
        for entry in collection.log.read():
            match entry.event:
                case Leased(ticket=ticket):
                    final[ticket.url] += 0
                case Visited(visit=visit):
                    pages.add(visit.url)
                    final[visit.url] += 1
                case Redirected(redirect=redirect):
                    final[redirect.ticket.url] += 1
                case Missed(miss=miss, final=True):
                    misses[miss.ticket.url] = miss.reason
                    final[miss.ticket.url] += 1
    finally:
        collection.close()
    return Held(pages, misses, final)


def records(folder):
    """How often each URL stands in the WARC files, which both validators must find sound."""
    found = Counter()
    for file in sorted((folder / "pages").glob("*.warc.gz")):
        checked = subprocess.run(
            [sys.executable, "-m", "warcio.cli", "check", str(file)], capture_output=True, text=True
        )
        assert checked.returncode == 0, checked.stdout
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
                assert record.verify_payload_digest(), f"{file}: {record.record_id}"
                found[record.headers["WARC-Target-URI"]] += 1
    return found
