"""HTTP connections: deadlines for requests, limits on their number, and which one is closed when there are too many.

A connection that waits for a request does no work, so it is the one to close when the limit is reached: a client that
opens hundreds of connections and sends nothing only loses its own. A connection that is being answered is never closed
to make room for another.
"""

from __future__ import annotations

import asyncio
import enum
from collections import Counter
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from lycosa.face.server.server_settings import ServerSettings
from lycosa.face.server.streams import StreamCount, asks_for_stream, refusal
from lycosa.system import descriptors

_LINGER = 5.0
"""Seconds that a closing connection may take to deliver its last bytes."""
_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Phase(enum.Enum):
    """What a connection is doing."""

    HEAD = "receives a request's head"
    BODY = "receives a request's body"
    WORK = "waits for our answer"
    IDLE = "may send another request"
    CLOSING = "is being closed"


_WAITING = (Phase.HEAD, Phase.IDLE)


class Admission:
    """Counts connections, in total and per client, and makes room for new ones."""

    def __init__(self, in_all: int, each: int) -> None:
        self.in_all, self.each = in_all, each
        self._open: Counter[str] = Counter()
        self._waiting: dict[str, dict[HttpConnection, None]] = {}
        """For each client, the connections that wait for a request, longest wait first."""

    def admit(self, client: str) -> bool:
        """Count a new connection; at the limit, close the one that has waited longest; False if none waits."""
        if self._open[client] >= self.each and not self._close_one_of(client):
            return False
        return (self._open.total() < self.in_all or self.close_one()) and self._count(client)

    def close_one(self) -> bool:
        """Close a waiting connection of the client that has the most of them; returns whether there was one."""
        most = max(self._waiting, key=lambda client: len(self._waiting[client]), default=None)
        return most is not None and self._close_one_of(most)

    def waits(self, connection: HttpConnection) -> None:
        """Note that a connection now waits for a request."""
        self._waiting.setdefault(connection.owner, {})[connection] = None

    def works(self, connection: HttpConnection) -> None:
        """Note that a connection no longer waits."""
        if waiting := self._waiting.get(connection.owner):
            waiting.pop(connection, None)
            if not waiting:
                del self._waiting[connection.owner]

    def leaves(self, client: str) -> None:
        """Note that a connection of a client is gone."""
        self._open[client] -= 1
        if self._open[client] <= 0:
            del self._open[client]

    def _count(self, client: str) -> bool:
        self._open[client] += 1
        return True

    def _close_one_of(self, client: str) -> bool:
        oldest = next(iter(self._waiting.get(client, ())), None)
        if oldest is None:
            return False
        oldest.drop()
        return True


class HttpConnection(H11Protocol):
    """A uvicorn connection with a deadline for everything that its client has to do."""

    def __init__(
        self,
        config: uvicorn.Config,
        state: ServerState,
        app_state: dict[str, Any],
        settings: ServerSettings,
        admission: Admission,
        streams: StreamCount | None,
        owner: str,
    ) -> None:
        """`owner` is the client that this connection is counted for."""
        super().__init__(config, state, app_state)
        self.owner = owner
        self._admission = admission
        self._streams = streams
        self._limits = {
            Phase.HEAD: settings.head_timeout,
            Phase.BODY: settings.body_timeout,
            Phase.IDLE: settings.idle_timeout,
            Phase.CLOSING: _LINGER,
        }
        self._unread = settings.body_timeout
        self._phase: Phase | None = None
        self._began = False
        """Whether a part of the next request's head has arrived."""
        self._counted = True
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline for the first request head."""
        super().connection_made(transport)
        self._enter(Phase.HEAD)

    def data_received(self, data: bytes) -> None:
        """Take in bytes; a head that comes byte by byte gets no more time than one that does not come at all."""
        if not self._began and self._streams and self._streams.is_full(self.owner) and asks_for_stream(data):
            # The app would give the same answer after a hundred times the work, and such clients tend to ask often.
            self.transport.write(refusal())
            self.transport.close()
        else:
            self._began = True
            super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._began = False
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the connection's place and cancel its timers."""
        super().connection_lost(exc)
        self._enter(Phase.CLOSING)
        self._leave()
        for timer in (self._deadline, self._stalled):
            if timer is not None:
                timer.cancel()
        # uvicorn does not cancel this timer if the connection was reset.
        self._unset_keepalive_if_required()

    def pause_writing(self) -> None:
        """Start a timer: a client that does not read our answer is dropped after a while."""
        super().pause_writing()
        self._stalled = self.loop.call_later(self._unread, self.drop)

    def resume_writing(self) -> None:
        """Stop that timer: the client reads again."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def drop(self) -> None:
        """Close the connection now, whatever its client would still send or read."""
        self._enter(Phase.CLOSING)
        # Its place must be free at once: the connection that replaces it is already here.
        self._leave()
        self.transport.abort()

    def _look(self) -> None:
        """Update the phase of the connection."""
        match self.conn.their_state:
            case _ if self.transport.is_closing():
                self._enter(Phase.CLOSING)
            case h11.SEND_BODY:
                self._enter(Phase.BODY)
            case h11.IDLE:
                self._enter(Phase.HEAD if self._began else Phase.IDLE)
            case _:
                self._enter(Phase.WORK)

    def _enter(self, phase: Phase) -> None:
        if phase is self._phase:
            return
        self._phase = phase
        if phase in _WAITING:
            self._admission.waits(self)
        else:
            self._admission.works(self)
        if self._deadline is not None:
            self._deadline.cancel()
        seconds = self._limits.get(phase)
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        """Close the connection: its client has taken too long."""
        if self._phase is Phase.CLOSING or self.transport.is_closing():
            self.transport.abort()
            return
        asking = self._phase is Phase.HEAD and self._began
        # A browser may open a connection in advance; it must not take a 408 for the answer to its first request.
        if asking or (self._phase is Phase.BODY and not self.cycle.response_started):
            self.transport.write(_TOO_LATE)
        self.transport.close()
        self._enter(Phase.CLOSING)

    def _leave(self) -> None:
        if self._counted:
            self._counted = False
            self._admission.leaves(self.owner)


def most_connections(settings: ServerSettings) -> int:
    """As many connections as the settings say, but at most half of the file descriptors: collections need the rest."""
    return min(settings.connections, max(8, descriptors.limit() // 2))


def admission(settings: ServerSettings) -> Admission:
    """The connection limits of a server."""
    in_all = most_connections(settings)
    # Behind a proxy, all clients have the proxy's address.
    return Admission(in_all, in_all if settings.names else in_all * 3 // 4)
