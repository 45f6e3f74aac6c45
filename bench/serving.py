"""How many requests the loopback server answers in a second of its own CPU time: python bench/serving.py [SOURCE]."""

from __future__ import annotations

import asyncio
import sys
from itertools import islice
from time import perf_counter

import psutil

from lycosa.web.serving import spawn
from lycosa.web.source_names import open_source

REQUESTS = 20_000
CLIENTS = 8
_HEADERS = (
    b"Accept: text/html,*/*\r\nAccept-Encoding: gzip, deflate\r\nUser-Agent: bench/1 (+http://bench.test/)\r\n\r\n"
)


async def client(port: int, urls: list[str]) -> int:
    """Ask for URLs one after the other over one connection; returns the bytes received."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    received = 0
    for url in urls:
        host, _, path = url.removeprefix("http://").partition("/")
        writer.write(f"GET http://{host}/{path} HTTP/1.1\r\nHost: {host}\r\n".encode() + _HEADERS)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        received += len(await reader.readexactly(length))
    writer.close()
    await writer.wait_closed()
    return received


async def load(port: int, urls: list[str]) -> int:
    """Ask with all clients at once."""
    share = [[urls[i % len(urls)] for i in range(c, REQUESTS, CLIENTS)] for c in range(CLIENTS)]
    return sum(await asyncio.gather(*(client(port, each) for each in share)))


def main() -> None:
    """Measure first a cold cache, then a warm one."""
    source = sys.argv[1] if len(sys.argv) > 1 else "made:pages=2000,traps=no"
    urls = list(islice(open_source(source).urls(), 2000))
    with spawn(source) as server:
        process = psutil.Process(server.pid)
        for name in ("cold cache", "warm cache"):
            before, began = process.cpu_times(), perf_counter()
            received = asyncio.run(load(server.port, urls))
            after, wall = process.cpu_times(), perf_counter() - began
            cpu = after.user + after.system - before.user - before.system
            print(
                f"{name}: {REQUESTS / cpu:,.0f} requests per CPU-second ({cpu / REQUESTS * 1e6:.0f} us each), "
                f"{REQUESTS / wall:,.0f} requests/s with this client, {received / REQUESTS / 1000:.1f} KB a page"
            )


if __name__ == "__main__":
    main()
