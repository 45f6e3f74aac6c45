"""The ways in which servers of the real Web misbehave, by name; each can be switched on per host of a served web.

A pattern matches a host («bad-*.test») or, with a slash, a host and path («shop.test/cart/*»). robots.txt is spared
unless its path is named, so that a crawler meets the fault at the host's pages and not already at its robots.txt.
"""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from functools import cache
from socket import SO_LINGER, SOL_SOCKET

import brotli

from lycosa.system.errors import Code, Refused

BOMB = 100 << 20
"""Bytes to which a decompression bomb unpacks."""


@dataclass(frozen=True)
class Fault:
    """One kind of misbehaviour."""

    name: str
    seconds: float = 1.0
    """For how long, or how slowly."""
    times: int = 0
    """How many times each URL misbehaves before it works; 0 = always."""

    def __post_init__(self) -> None:
        if self.name not in FAULTS:
            raise Refused(
                f"unknown fault {self.name!r}",
                f"choose one of: {', '.join(FAULTS)}",
                code=Code.UNKNOWN_NAME,
                field="fault",
            )

    async def play(self, reply: Reply) -> bool:
        """Send the faulty answer; True if the connection can be used again."""
        return await FAULTS[self.name](self, reply)


@dataclass
class Reply:
    """The correct answer, and the connection on which to spoil it."""

    transport: asyncio.Transport
    url: str
    head: bytes
    """Status line and headers of the correct answer, without the empty line."""
    body: bytes

    def write(self, *parts: bytes) -> None:
        """Send bytes as they are."""
        if not self.transport.is_closing():
            self.transport.write(b"".join(parts))

    def reset(self) -> None:
        """Abort the connection with a TCP reset instead of closing it."""
        if not self.transport.is_closing():
            self.transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    @property
    def root(self) -> str:
        """Scheme and host."""
        return self.url[: self.url.index("/", 8)]


class Faults:
    """Which hosts misbehave, and how; the first pattern that matches decides."""

    def __init__(self, patterns: Mapping[str, str | Fault]) -> None:
        self._patterns = [
            (pattern, fault if isinstance(fault, Fault) else read(fault)) for pattern, fault in patterns.items()
        ]
        self._played: Counter[str] = Counter()

    def at(self, host: str, path: str) -> Fault | None:
        """The fault to play for this request, if any."""
        for pattern, fault in self._patterns:
            if "/" in pattern:
                if not fnmatchcase(host + path, pattern):
                    continue
            elif path == "/robots.txt" or not fnmatchcase(host, pattern):
                continue
            if fault.times:
                self._played[host + path] += 1
                if self._played[host + path] > fault.times:
                    return None
            return fault
        return None


def read(text: str) -> Fault:
    """Parse a fault as people write it: «503», or with settings «503:times=2,seconds=0.5»."""
    name, _, rest = text.partition(":")
    kinds = {field.name: {"float": float, "int": int}.get(str(field.type), str) for field in fields(Fault)}
    settings = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        try:
            settings[key] = kinds[key](value)
        except (KeyError, ValueError):
            raise Refused(
                f"{part!r} is not a setting of a fault",
                "write it like 503:times=2,seconds=0.5",
                code=Code.BAD_VALUE,
                field="fault",
            ) from None
    return Fault(name, **settings)


def read_all(lines: Sequence[str]) -> Faults:
    """Parse hosts and their faults: «bad.test=reset», «slow-*.test=drip:seconds=0.1»."""
    patterns = {}
    for line in lines:
        pattern, mark, fault = line.partition("=")
        if not mark:
            raise Refused(f"{line!r} names no fault", "write it like bad.test=reset", code=Code.MISSING, field="fault")
        patterns[pattern] = read(fault)
    return Faults(patterns)


async def _reset(fault: Fault, reply: Reply) -> bool:
    """The connection is reset before anything is sent."""
    reply.reset()
    return False


async def _cut(fault: Fault, reply: Reply) -> bool:
    """The connection is reset in the middle of the body."""
    reply.write(reply.head, b"\r\n\r\n", reply.body[: len(reply.body) // 2])
    await asyncio.sleep(0.05)
    reply.reset()
    return False


async def _drip(fault: Fault, reply: Reply) -> bool:
    """The body comes one byte at a time."""
    reply.write(reply.head, b"\r\n\r\n")
    for at in range(len(reply.body)):
        if reply.transport.is_closing():
            return False
        reply.write(reply.body[at : at + 1])
        await asyncio.sleep(fault.seconds)
    return True


async def _short(fault: Fault, reply: Reply) -> bool:
    """The body is longer than its Content-Length says."""
    reply.write(_lengthened(reply.head, len(reply.body) // 2), b"\r\n\r\n", reply.body)
    return False


async def _long(fault: Fault, reply: Reply) -> bool:
    """The body is shorter than its Content-Length says."""
    reply.write(_lengthened(reply.head, 2 * len(reply.body) + 1), b"\r\n\r\n", reply.body)
    return False


async def _bomb(fault: Fault, reply: Reply) -> bool:
    """A small gzip body that unpacks to a hundred megabytes."""
    return _packed(reply, b"gzip", _gzip_bomb())


async def _brotli_bomb(fault: Fault, reply: Reply) -> bool:
    """A tiny brotli body that unpacks to a hundred megabytes."""
    return _packed(reply, b"br", _tiny_bomb())


async def _endless(fault: Fault, reply: Reply) -> bool:
    """A body without a length that does not end while the client reads, or before `seconds` have passed."""
    end = asyncio.get_running_loop().time() + fault.seconds
    reply.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
    while not reply.transport.is_closing() and asyncio.get_running_loop().time() < end:
        if reply.transport.get_write_buffer_size() < 1 << 20:
            reply.write(b"<p>and so on and so on</p>\n" * 2048)
        await asyncio.sleep(0)
    return False


async def _loop(fault: Fault, reply: Reply) -> bool:
    """Two addresses that redirect to each other."""
    return _moved(reply, f"{reply.root}/loop/{1 + reply.url.endswith('/loop/1')}")


async def _hops(fault: Fault, reply: Reply) -> bool:
    """A redirect to a new address, every time."""
    last = reply.url.rpartition("/hops/")[2]
    return _moved(reply, f"{reply.root}/hops/{int(last) + 1 if last.isdecimal() else 1}")


async def _busy(fault: Fault, reply: Reply) -> bool:
    """429 or 503 with a Retry-After."""
    reason = b"429 Too Many Requests" if fault.name == "429" else b"503 Service Unavailable"
    wait = b"Retry-After: %d" % round(fault.seconds)
    reply.write(b"HTTP/1.1 ", reason, b"\r\n", wait, b"\r\nContent-Length: 4\r\n\r\nbusy")
    return True


async def _silent(fault: Fault, reply: Reply) -> bool:
    """The request is accepted and never answered."""
    while not reply.transport.is_closing():
        await asyncio.sleep(0.05)
    return False


async def _garbage(fault: Fault, reply: Reply) -> bool:
    """Bytes that are not HTTP."""
    reply.write(b"\x00\xff\x1b not HTTP at all \xfe\r\n\r\n", bytes(range(256)))
    return False


FAULTS: dict[str, Callable[[Fault, Reply], Awaitable[bool]]] = {
    "reset": _reset,
    "cut": _cut,
    "drip": _drip,
    "short": _short,
    "long": _long,
    "bomb": _bomb,
    "bomb-br": _brotli_bomb,
    "endless": _endless,
    "loop": _loop,
    "hops": _hops,
    "429": _busy,
    "503": _busy,
    "silent": _silent,
    "garbage": _garbage,
}


def _lengthened(head: bytes, length: int) -> bytes:
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-length:")]
    return b"\r\n".join([*lines, b"Content-Length: %d" % length, b"Connection: close"])


def _packed(reply: Reply, coding: bytes, body: bytes) -> bool:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n"
    reply.write(head % (coding, len(body)), body)
    return True


def _moved(reply: Reply, to: str) -> bool:
    reply.write(b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % to.encode())
    return True


@cache
def _gzip_bomb() -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    chunk = b"<p>boom</p>\n" * 87381
    return b"".join([packer.compress(chunk) for _ in range(BOMB // len(chunk))] + [packer.flush()])


@cache
def _tiny_bomb() -> bytes:
    packer = brotli.Compressor(quality=1)
    chunk = b" " * (1 << 20)
    return b"".join([packer.process(chunk) for _ in range(BOMB >> 20)] + [packer.finish()])
