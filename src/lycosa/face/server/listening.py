"""Listens on a socket and serves an app there until interrupted."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE

from lycosa.app.jobs import HuntJobs
from lycosa.face.server.clients import owner_of
from lycosa.face.server.connections import Admission, HttpConnection, admission
from lycosa.face.server.log_throttle import LogThrottle
from lycosa.face.server.server_settings import ServerSettings
from lycosa.face.server.streams import StreamCount
from lycosa.system.errors import Code, Refused

_PATIENCE = 3
"""Seconds that open connections get to finish when the server ends."""
_BACKLOG = 4096
"""Connections that the system holds until we accept them; Linux allows no more by default. A client that finds no room
there tries again after one second, then after three: that is how thousands that connect at once would delay others."""
_AT_ONCE = 32
"""Connections that are accepted in one go; between two goes, the accepted ones are read."""
_ROUNDS = 2
"""Rounds of the event loop that it takes to read what a new connection has sent."""
_OTHERS = (errno.ECONNABORTED, errno.EINTR, errno.EPROTO, errno.EPERM)
"""Errors that concern one connection and not the next."""
_PAUSE = 0.1
"""Seconds until the next attempt after the system refused to give us a connection."""
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_logger = logging.getLogger("uvicorn.error")


def listening(settings: ServerSettings) -> socket.socket:
    """A listening socket at the address and port of the settings; port 0 means any free port."""
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.address, settings.port))
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(
            f"cannot listen on {settings.address} port {settings.port} ({why})",
            "choose another port",
            code=Code.IN_USE if getattr(error, "errno", None) == errno.EADDRINUSE else Code.BAD_VALUE,
            field="port",
        ) from error
    return listener


def answer(
    app: ASGIApp, settings: ServerSettings, jobs: HuntJobs, listener: socket.socket, streams: StreamCount | None = None
) -> None:
    """Serve an app on a socket until interrupted; `streams` counts the open event streams."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        # URLs contain what people search for, so they are not logged.
        access_log=False,
        server_header=False,
        ws="none",
        # Forwarding headers are trusted only if the server is behind a proxy.
        proxy_headers=bool(settings.names),
        timeout_keep_alive=max(1, round(settings.idle_timeout)),
        timeout_graceful_shutdown=_PATIENCE,
    )
    server = _Server(config, settings, streams)
    server.handle_exit = _telling(jobs, server.handle_exit)  # type: ignore[method-assign]
    seldom = LogThrottle()
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(seldom)
    # Ctrl-C is the normal end; uvicorn raises it once more when everything is closed.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A uvicorn server that accepts connections by our rules."""

    def __init__(self, config: uvicorn.Config, settings: ServerSettings, streams: StreamCount | None) -> None:
        super().__init__(config)
        self._settings = settings
        # Behind a proxy, only the app knows which client a stream belongs to.
        self._streams = None if settings.names else streams
        self._admission = admission(settings)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        self.servers = [Acceptor(listener, self._admission, self._connection) for listener in sockets or ()]  # type: ignore[misc]
        self.started = True

    def _connection(self, owner: str) -> HttpConnection:
        shared = self.server_state, self.lifespan.state, self._settings, self._admission, self._streams
        return HttpConnection(self.config, *shared, owner)


class Acceptor:
    """Accepts connections from a socket; a client that has too many is refused before any object is made for it."""

    def __init__(self, listener: socket.socket, admission: Admission, make: Callable[[str], HttpConnection]) -> None:
        self._door, self._admission, self._make = listener, admission, make
        self._loop = asyncio.get_running_loop()
        # Connections of one go cannot be closed yet to make room for each other.
        self._at_once = max(1, min(_AT_ONCE, admission.each // 4))
        self._begun: set[asyncio.Task[None]] = set()
        self._closed = False
        listener.setblocking(False)
        self._listen()

    def close(self) -> None:
        """Accept no more connections."""
        self._closed = True
        self._loop.remove_reader(self._door)

    async def wait_closed(self) -> None:
        """Wait until the accepted connections have been set up."""
        await asyncio.gather(*self._begun)

    def _listen(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._door, self._accept)

    def _accept(self) -> None:
        for _ in range(self._at_once):
            try:
                line, address = self._door.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _OTHERS:
                    continue
                self._rest(error)
                return
            owner = owner_of(address)
            if not self._admission.admit(owner):
                _refuse(line)
                continue
            task = self._loop.create_task(self._begin(line, owner))
            self._begun.add(task)
            task.add_done_callback(self._begun.discard)
        self._loop.remove_reader(self._door)
        self._loop.create_task(self._read_first()).add_done_callback(lambda _: self._listen())

    async def _read_first(self) -> None:
        """Read from the accepted connections before accepting more, or new ones might push them out unread."""
        await self.wait_closed()
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)

    async def _begin(self, line: socket.socket, owner: str) -> None:
        connection = self._make(owner)
        try:
            await self._loop.connect_accepted_socket(lambda: connection, line)
        except OSError:
            line.close()
            self._admission.leaves(owner)

    def _rest(self, error: OSError) -> None:
        """Log once that the system gives us no connection, for lack of descriptors or memory, and try again later."""
        _logger.warning(
            "cannot take a connection (%s): raise the limit of open files (ulimit -n) or lower --connections",
            error.strerror,
        )
        self._admission.close_one()
        self._loop.remove_reader(self._door)
        self._loop.call_later(_PAUSE, self._listen)


def _refuse(line: socket.socket) -> None:
    with line, suppress(OSError):
        line.setblocking(False)
        line.send(_BUSY)
        line.shutdown(socket.SHUT_WR)
        # With unread input, the system would reset the connection and discard our answer.
        line.recv(1 << 16)


def _telling(jobs: HuntJobs, handle: Callable[..., None]) -> Callable[..., None]:
    """An exit handler that first ends the event streams, which have no end of their own and would delay the exit."""

    def handle_exit(*told: Any) -> None:
        jobs.closing = True
        handle(*told)

    return handle_exit
