"""What slow clients and crowds of streams do to a search: python bench/slow_clients.py [--out figures.json].

`lycosa serve` as anybody starts it, at 1,024 descriptors. Beside it 500 connections that send half a head, a head byte
by byte, or a body that never comes, and open another one whenever they are closed; then 3,000 streams of events opened
at once, which ask again after 30 seconds where they are refused (Retry-After). Ten searches a second go on all the
time, each over a connection of its own. Shown are their times, the server's memory and descriptors, and what it wrote
down. Everything stays on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import ProxyHandler, build_opener

import psutil

import lycosa
from lycosa.web.made import Made

WEB = {"pages": 3000, "topics": 2, "seed": 3}
SOURCE = "made:" + ",".join(f"{key}={value}" for key, value in WEB.items())
DESCRIPTORS = 1024
BOUND = 1.0
"""Seconds that 95 of 100 searches may take."""
RATE = 10
"""Searches a second."""
_ask = build_opener(ProxyHandler({})).open
_HEAD = b"GET /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Slow: "
_BODY = (
    b"POST /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
)
_STREAM = b"GET /api/hunts/rest/events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"


@contextmanager
def serving(home: Path, log: Path, hard: bool) -> Iterator[tuple[int, psutil.Process]]:
    """A server on a free port; `hard` keeps it from raising its limit of descriptors."""

    def limit() -> None:
        most = DESCRIPTORS if hard else resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, most))

    command = [sys.executable, "-m", "lycosa", "serve", "--home", str(home), "--port", "0"]
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=limit) as process,
    ):
        try:
            assert process.stdout
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found
            yield int(found[1]), psutil.Process(process.pid)
        finally:
            process.terminate()


def crowd(port: int, slow: int, streams: int, opened: Any) -> None:
    """Clients that make trouble, in a process of their own until it is killed."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(_crowd(port, slow, streams, opened))


async def _crowd(port: int, slow: int, streams: int, opened: Any) -> None:
    clients = [_slow(port, number, opened) for number in range(slow)]
    await asyncio.gather(*clients, *(_stream(port, opened) for _ in range(streams)))


async def _slow(port: int, number: int, opened: Any) -> None:
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with opened.get_lock():
                opened.value += 1
            writer.write((_BODY if number % 3 == 2 else _HEAD) % port)
            closed = asyncio.create_task(reader.read())
            while not closed.done():
                await asyncio.wait([closed], timeout=1.0)
                if number % 3:
                    writer.write(b"x")
            with suppress(OSError):
                closed.result()
            writer.close()
        await asyncio.sleep(0.5)


async def _stream(port: int, opened: Any) -> None:
    while True:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(_STREAM % port)
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " in head.partition(b"\r\n")[0]:
                with opened.get_lock():
                    opened.value += 1
                while await reader.read(1 << 16):
                    pass
            writer.close()
        await asyncio.sleep(30.0)


def searches(port: int, words: str, seconds: float) -> dict[str, Any]:
    """Ask ten times a second, whether or not the last answer has come, over a new connection each time."""
    url = f"http://127.0.0.1:{port}/api/search?q={quote(words)}"

    def search(number: int) -> tuple[float, bool]:
        time.sleep(max(0.0, began + number / RATE - time.monotonic()))
        asked = time.perf_counter()
        try:
            with _ask(url, timeout=60) as answer:
                good = bool(json.load(answer)["results"])
        except (URLError, OSError):
            good = False
        return time.perf_counter() - asked, good

    with ThreadPoolExecutor(100) as pool:
        began = time.monotonic()
        found = sorted(pool.map(search, range(round(RATE * seconds))))
    p50, p95 = (found[int(share * (len(found) - 1))][0] for share in (0.5, 0.95))
    failed = sum(not good for _, good in found)
    return {"searches": len(found), "failed": failed, "p50": p50, "p95": p95, "most": found[-1][0]}


def main() -> None:
    """Measure alone, beside slow clients, beside streams too, and afterwards."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slow", type=int, default=500)
    options.add_argument("--streams", type=int, default=3000)
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--hard", action="store_true", help="Let the server not raise its limit of descriptors.")
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    topic, figures = Made(**WEB).topics[0], {}
    with tempfile.TemporaryDirectory() as folder:
        home, log = Path(folder) / "home", Path(folder) / "log"
        with lycosa.hunt(topic.keywords, topic.examples, out=home / "rest", pages=200, replay=SOURCE) as hunt:
            list(hunt)
        with serving(home, log, given.hard) as (port, server):

            def measure(what: str, slow: int = 0, streams: int = 0, wait: float = 0.0) -> None:
                opened = multiprocessing.Value("l", 0)
                clients = [(slow, 0)] * bool(slow) + [(0, streams)] * bool(streams)
                crowds = [multiprocessing.Process(target=crowd, args=(port, *each, opened)) for each in clients]
                for each in crowds:
                    each.start()
                time.sleep(wait)
                found = searches(port, topic.keywords, given.seconds)
                figures[what] = found | {
                    "opened": opened.value,
                    "rss_mb": server.memory_info().rss / 1e6,
                    "descriptors": server.num_fds(),
                    "log_bytes": log.stat().st_size,
                    "load": os.getloadavg()[0],
                }
                for each in crowds:
                    each.kill()
                    each.join()
                shown = ", ".join(f"{key} {value:,.3g}" for key, value in figures[what].items())
                print(f"{what}: {shown}", flush=True)

            measure("alone")
            measure(f"beside {given.slow} slow clients", given.slow)
            measure(f"and {given.streams} streams", given.slow, given.streams)
            measure("afterwards", wait=2.0)
            print(log.read_text("utf-8", "replace")[:2000], end="")
    worst = max(each["p95"] for each in figures.values())
    lost = sum(each["failed"] for each in figures.values())
    figures["verdict"] = {"p95": worst, "bound": BOUND, "failed": lost, "held": worst < BOUND and not lost}
    print(json.dumps(figures["verdict"]))
    if given.out:
        given.out.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
