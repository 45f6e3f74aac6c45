"""The messages between brain and scout processes: msgpack frames over a socket pair."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from lycosa.core.events import Asked, Missed, Redirected, Visited
from lycosa.core.nouns import Ticket
from lycosa.core.priors import Priors
from lycosa.engine.plan import Plan
from lycosa.system.errors import Code


class Setup(Struct, frozen=True, tag="setup"):
    """To a new scout: what the crawl is about and where to archive."""

    plan: Plan
    folder: str
    name: str
    priors: Priors = msgspec.field(default_factory=Priors)
    spool: bool = False
    """Whether parsed pages are kept for the index."""
    variables: dict[str, str] = {}
    """Secrets of hosts, by the environment variables that hold them."""

    def __repr__(self) -> str:
        return f"Setup({self.name!r})"


class Task(Struct, frozen=True, tag="task"):
    """To a scout: fetch this page, with at most `limit` body bytes."""

    ticket: Ticket
    limit: int
    listed: str = ""
    """As in ScoutOrder."""
    alive: str = ""
    """A URL that answered lately, to any scout: if its host cannot be reached either, our own side has failed."""


class ScoutTrouble(Struct, frozen=True, tag="trouble"):
    """To the brain: the crawl cannot go on, for example because the disk is full."""

    problem: str
    fix: str
    code: Code
    field: str = ""


class Beat(Struct, frozen=True, tag="beat"):
    """To the brain, every second: the scout is alive, with its network statistics."""

    stats: dict[str, int]


MARK = struct.Struct("<Q")
"""The content of the memory that brain and scout share: the key of the URL whose page is being parsed, or 0."""

ToScout = Setup | Task
ToBrain = Visited | Redirected | Missed | Asked | ScoutTrouble | Beat
"""What a scout has seen is told in the form in which the brain may log it."""
M = TypeVar("M")


class ScoutChannel(asyncio.Protocol, Generic[M]):
    """One end of the socket pair: each frame is four bytes of length and a msgpack message.

    A write to a socket costs as much as parsing ten links, so messages within `linger()` seconds are sent together.
    """

    def __init__(
        self,
        kind: Any,
        heard: Callable[[M], None],
        lost: Callable[[], None],
        linger: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._decoder: msgspec.msgpack.Decoder[M] = msgspec.msgpack.Decoder(kind)
        self._encoder = msgspec.msgpack.Encoder()
        self._heard = heard
        self._lost = lost
        self._linger = linger
        self._buffer = bytearray()
        self._unsent = bytearray()
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is connected."""
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        """Split the received bytes into frames."""
        buffer = self._buffer
        buffer += data
        start = 0
        while len(buffer) - start >= 4:
            end = start + 4 + int.from_bytes(buffer[start : start + 4], "little")
            if len(buffer) < end:
                break
            message = self._decoder.decode(bytes(buffer[start + 4 : end]))
            start = end
            self._heard(message)
        del buffer[:start]

    def connection_lost(self, error: Exception | None) -> None:
        """The other side has closed the socket."""
        self._lost()

    def send(self, message: ToScout | ToBrain, *, at_once: bool = False) -> None:
        """Send a message; it is dropped if the other side is gone."""
        if not self._unsent:
            asyncio.get_running_loop().call_later(self._linger(), self._flush)
        body = self._encoder.encode(message)
        self._unsent += len(body).to_bytes(4, "little")
        self._unsent += body
        if at_once:
            self._flush()

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, bytearray()
        if unsent and self._transport and not self._transport.is_closing():
            self._transport.write(unsent)

    def close(self) -> None:
        """Close the socket."""
        if self._transport:
            self._transport.close()
