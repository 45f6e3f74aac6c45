"""What a request costs where hosts can be entered: without any access, for hosts without one, and for hosts with one.

    python bench/doors.py [REQUESTS]

CPU-us a request of Http.get over plain HTTP on loopback, one process, parsing included (a page of 1 KB); the best of
seven rounds, in turns. Run with the source of another version in PYTHONPATH, it measures only the first row there.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

from lycosa.core.nouns import Page
from lycosa.web.http import Http, HttpOptions

BODY = b"<!doctype html><title>page</title>" + b"<p>words and more words " * 40
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
ROUNDS = 7
SECRETS = {"BENCH_TOKEN": "a-token-of-the-bench", "BENCH_KEY": "a-key-of-the-bench"}
INSIDE = {"bearer": "env:BENCH_TOKEN", "headers": {"X-Api-Key": "env:BENCH_KEY"}}
CASES: dict[str, dict[str, Any]] = {
    "no access at all": {},
    "access of 20 other hosts": {f"h{number}.example": INSIDE for number in range(20)},
    "an access with two secrets": {"http://site.example": INSIDE},
}


def serve(ready: Connection) -> None:
    """Answer every request with the same page."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(ANSWER)
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def story() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(story())


async def measure(options: HttpOptions, requests: int) -> float:
    """CPU-us a request."""
    http = Http(options)

    async def some(first: int) -> None:
        for number in range(first, requests, 8):
            assert isinstance(await http.get(f"http://site.example/{number}", 1 << 20), Page)

    await http.get("http://site.example/", 1 << 20)
    start = time.process_time()
    await asyncio.gather(*[some(first) for first in range(8)])
    used = time.process_time() - start
    await http.close()
    return used / requests * 1e6


def main() -> None:
    """Print the cost of a request for each case."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    os.environ |= SECRETS
    ready, tell = multiprocessing.Pipe(duplex=False)
    server = multiprocessing.Process(target=serve, args=(tell,), daemon=True)
    server.start()
    where = {"resolve": {"*": f"127.0.0.1:{ready.recv()}"}, "obey_robots": False}
    cases = {
        name: HttpOptions(**where, **({"access": access} if access else {}))
        for name, access in CASES.items()
        if not access or "access" in HttpOptions.__struct_fields__
    }
    best = dict.fromkeys(cases, float("inf"))
    for _ in range(ROUNDS):
        for name, options in cases.items():
            best[name] = min(best[name], asyncio.run(measure(options, requests)))
    for name, cost in best.items():
        print(f"{name:30}{cost:8.1f} CPU-us a request")
    server.terminate()


if __name__ == "__main__":
    main()
