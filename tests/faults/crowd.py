"""Clients that make trouble for a server, until they are killed: python crowd.py PORT SLOW STREAMS.

SLOW connections send half a head, a head byte by byte, or a body that never comes, and open another one whenever they
are closed. STREAMS streams of events are opened at once, and ask again after 30 seconds where they are refused
(Retry-After). A dot is written for each slow connection and each stream that was let in.
"""

import asyncio
import os
import resource
import sys
from contextlib import suppress

HEAD = b"GET /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Slow: "
BODY = (
    b"POST /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
)
STREAM = b"GET /api/hunts/rest/events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"


def let_in():
    os.write(sys.stdout.fileno(), b".")


async def slow_client(port, number):
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            let_in()
            writer.write((BODY if number % 3 == 2 else HEAD) % port)
            closed = asyncio.create_task(reader.read())
            while not closed.done():
                await asyncio.wait([closed], timeout=1.0)
                if number % 3:
                    writer.write(b"x")
            with suppress(OSError):
                closed.result()
            writer.close()
        await asyncio.sleep(0.5)


async def stream(port):
    while True:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(STREAM % port)
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " in head.partition(b"\r\n")[0]:
                let_in()
                while await reader.read(1 << 16):
                    pass
            writer.close()
        await asyncio.sleep(30.0)


async def main(port, slow, streams):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    await asyncio.gather(*(slow_client(port, n) for n in range(slow)), *(stream(port) for _ in range(streams)))


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
