"""Servers on loopback that send more than they were asked for, and a count of the pages that this mixes up."""

import asyncio
from contextlib import asynccontextmanager

from lycosa.core.nouns import Moved, Page
from lycosa.web.http import Http, HttpOptions

LIMIT = 1 << 20


def page(word):
    return f"<!doctype html><title>{word}</title><p>{word}</p>".encode()


def sized(word):
    body = page(word)
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body), body


def chunked(word):
    body = page(word)
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"%x\r\n%s\r\n0\r\n\r\n"
        % (
            len(body),
            body,
        ),
    )


def long(word):
    body = page(word) + b" " * 200_000
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body), body


def bare(status):
    return lambda word: (f"HTTP/1.1 {status}\r\n\r\n".encode(), b"")


def moved(word):
    return f"HTTP/1.1 302 Found\r\nLocation: /other-{word}\r\nContent-Length: 0\r\n\r\n".encode(), b""


def missing(word):
    return b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\n", b"none"


POISON = b"".join(sized("poison"))
ANSWERS = {
    "content-length": sized,
    "chunked": chunked,
    "long": long,
    "204": bare("204 No Content"),
    "304": bare("304 Not Modified"),
    "redirect": moved,
    "404": missing,
}
SURPLUS = {
    "a response": POISON,
    "two responses": POISON * 2,
    "a head": POISON.partition(b"<")[0],
    "half a head": POISON[:25],
    "the first byte": POISON[:1],
    "half a body": POISON[:-9],
    "an early hint": b"HTTP/1.1 103 Early Hints\r\n\r\n",
    "an error": b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n",
    "a blank line": b"\r\n",
}


async def in_one_piece(writer, head, body, surplus):
    writer.write(head + body + surplus)


async def with_the_body(writer, head, body, surplus):
    writer.write(head)
    await writer.drain()
    await asyncio.sleep(0.001)
    writer.write(body + surplus)


async def right_after(writer, head, body, surplus):
    writer.write(head + body)
    await writer.drain()
    await asyncio.sleep(0)
    writer.write(surplus)


WAYS = (in_one_piece, with_the_body, right_after, None)
"""When the surplus comes; None is when the connection lies idle."""


class Generous:
    """Answers every request with its own page, and every other one with a surplus besides."""

    def __init__(self, answer, surplus, way):
        self.answer, self.surplus, self.way = answer, surplus, way
        self.connections = 0
        self.writers = []
        self.sent, self.idles = asyncio.Event(), asyncio.Event()

    async def __call__(self, reader, writer):
        self.connections += 1
        self.writers.append(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                word = head.split()[1].decode().rpartition("-")[2]
                if head.split()[1] == b"/robots.txt":
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                elif int(word) % 2:
                    writer.write(b"".join(sized(word)))
                elif self.way is None:
                    writer.write(b"".join(self.answer(word)))
                    await writer.drain()
                    await self.idles.wait()
                    writer.write(self.surplus)
                else:
                    await self.way(writer, *self.answer(word), self.surplus)
                await writer.drain()
                if word.isdigit():
                    self.sent.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def generous(answer, surplus, way):
    server = Generous(answer, surplus, way)
    listener = await asyncio.start_server(server, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    http = Http(HttpOptions(resolve={"*": f"127.0.0.1:{port}"}))
    try:
        yield server, http
    finally:
        await http.close()
        listener.close()
        await listener.wait_closed()


async def mixed_up(answer, surplus, way, rounds):
    """How many answers were another one's, in so many rounds of a surplus and a page after it."""
    wrong = 0
    async with generous(answer, surplus, way) as (server, http):
        for number in range(0, 2 * rounds, 2):
            server.sent.clear()
            server.idles.clear()
            first = await http.get(f"http://h.test/page-{number}", LIMIT)
            wrong += isinstance(first, Page) and first.title != str(number)
            wrong += isinstance(first, Moved) and first.to != f"http://h.test/other-{number}"
            server.idles.set()
            await server.sent.wait()
            second = await http.get(f"http://h.test/page-{number + 1}", LIMIT)
            wrong += not isinstance(second, Page) or second.title != str(number + 1)
    return wrong
