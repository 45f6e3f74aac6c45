"""What open streams of events cost the server: python bench/streams.py [--streams 100] [--seconds 8].

Server-sent events of hunts at rest, of one and of many, and of one hunt that runs; the server's own CPU time as a share
of a core, beside what it takes when nobody looks on. Everything stays on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import psutil

import lycosa
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = {"pages": 3000, "topics": 2, "seed": 3}
SOURCE = "made:" + ",".join(f"{key}={value}" for key, value in WEB.items())
_ask = build_opener(ProxyHandler({})).open


@contextmanager
def serving(home: Path, proxy: str) -> Iterator[tuple[int, psutil.Process]]:
    """A server on a free port: where it listens, and its process."""
    command = [sys.executable, "-m", "lycosa", "serve", "--home", str(home), "--port", "0", "--proxy", proxy]
    with subprocess.Popen([*command, "--delay", "0.2"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found
            yield int(found[1]), psutil.Process(process.pid)
        finally:
            process.terminate()


async def listen(port: int, name: str, heard: list[int], opened: asyncio.Semaphore) -> None:
    """Look on at a hunt; how many events came is counted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /api/hunts/{name}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    try:
        await reader.readuntil(b"retry:")
        opened.release()
        async for line in reader:
            heard[0] += line.startswith(b"id: ")
    finally:
        writer.close()


async def measure(port: int, server: psutil.Process, names: list[str], seconds: float) -> tuple[float, int]:
    """The server's share of a core while so many look on, and how many events they had."""
    heard, opened = [0], asyncio.Semaphore(0)
    streams = [asyncio.create_task(listen(port, name, heard, opened)) for name in names]
    for _ in names:
        await asyncio.wait_for(opened.acquire(), 60)
    await asyncio.sleep(2.0)  # what has happened so far has been told
    heard[0], before = 0, server.cpu_times()
    await asyncio.sleep(seconds)
    after = server.cpu_times()
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return (after.user + after.system - before.user - before.system) / seconds, heard[0]


def tell(what: str, streams: int, share: float, events: int) -> None:
    """One line."""
    each = f", {share / streams:.4%} a stream" if streams else ""
    print(f"{what:<42} {share:7.2%} of a core{each}; {events:,} events", flush=True)


def main() -> None:
    """Measure hunts at rest, then one that runs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--streams", type=int, default=100)
    options.add_argument("--seconds", type=float, default=8.0)
    given = options.parse_args()
    topic = Made(**WEB).topics[0]
    with tempfile.TemporaryDirectory() as folder, spawn(SOURCE, preload=True) as web:
        home = Path(folder) / "home"
        with lycosa.hunt(topic.keywords, topic.examples, out=home / "rest", pages=100, replay=SOURCE) as hunt:
            list(hunt)
        names = ["rest"] + [f"rest-{number}" for number in range(1, given.streams)]
        for name in names[1:]:
            shutil.copytree(home / "rest", home / name)
        with serving(home, web.proxy) as (port, server):

            def look(what: str, *names: str) -> None:
                share, events = asyncio.run(measure(port, server, list(names), given.seconds))
                tell(what, len(names), share, events)

            look("nobody looks on")
            look(f"{given.streams} at one hunt at rest", *["rest"] * given.streams)
            look(f"{given.streams} at as many hunts at rest", *names)
            hunt_request = {
                "keywords": topic.keywords,
                "seeds": topic.examples,
                "strategy": "best-first",
                "pages": 3000,
            }
            head = {"Content-Type": "application/json"}
            asked = Request(f"http://127.0.0.1:{port}/api/hunts", json.dumps(hunt_request).encode(), head)
            with _ask(asked) as answer:
                running = json.load(answer)["name"]
            look("1 at a hunt that runs", running)
            look(f"{given.streams} at a hunt that runs", *[running] * given.streams)


if __name__ == "__main__":
    main()
