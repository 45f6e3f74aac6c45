"""A socket, and an app that answers on it until it is interrupted."""

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
from lycosa.system.errors import Refused

_PATIENCE = 3
"""Seconds that open connections get when the server ends."""
_BACKLOG = 4096
"""Connections that the system holds for us until we take them; Linux allows no more by default. Whoever finds no room
there tries again after a second, then after three: thousands that connect at once would delay everybody else so."""
_AT_ONCE = 32
"""Connections that are taken in one go: between two goes those that are there are read."""
_ROUNDS = 2
"""Rounds of the event loop in which what a new connection has sent is read."""
_OTHERS = (errno.ECONNABORTED, errno.EINTR, errno.EPROTO, errno.EPERM)
"""What fails for one connection and not for the next."""
_PAUSE = 0.1
"""Seconds until connections are taken again, after the system refused to give us one."""
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_logger = logging.getLogger("uvicorn.error")


def listening(settings: ServerSettings) -> socket.socket:
    """A socket where the settings say; the port 0 means any that is free."""
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((settings.address, settings.port))
        door.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        door.close()
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(
            f"cannot listen on {settings.address} port {settings.port} ({why})", "choose another --port"
        ) from error
    return door


def answer(
    app: ASGIApp, settings: ServerSettings, jobs: HuntJobs, door: socket.socket, streams: StreamCount | None = None
) -> None:
    """Have an app answer on a socket until it is interrupted; `streams` are those that it counts."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        # Addresses hold what people look for, so they are not written down.
        access_log=False,
        server_header=False,
        ws="none",
        # Who says for whom he asks is believed only where a proxy stands before us.
        proxy_headers=bool(settings.names),
        timeout_keep_alive=max(1, round(settings.idle_timeout)),
        timeout_graceful_shutdown=_PATIENCE,
    )
    server = _Server(config, settings, streams)
    server.handle_exit = _telling(jobs, server.handle_exit)  # type: ignore[method-assign]
    seldom = LogThrottle()
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(seldom)
    # Ctrl-C is how it is meant to end, and uvicorn tells of it once more when everything is closed.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[door])


class _Server(uvicorn.Server):
    """uvicorn's server, which takes connections by our rules."""

    def __init__(self, config: uvicorn.Config, settings: ServerSettings, streams: StreamCount | None) -> None:
        super().__init__(config)
        self._settings = settings
        # Behind a proxy only the app knows whose they are.
        self._streams = None if settings.names else streams
        self._admission = admission(settings)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        self.servers = [Acceptor(door, self._admission, self._connection) for door in sockets or ()]  # type: ignore[misc]
        self.started = True

    def _connection(self, owner: str) -> HttpConnection:
        shared = self.server_state, self.lifespan.state, self._settings, self._admission, self._streams
        return HttpConnection(self.config, *shared, owner)


class Acceptor:
    """Takes connections from a socket; a client that has too many is refused before anything is made for it."""

    def __init__(self, door: socket.socket, admission: Admission, make: Callable[[str], HttpConnection]) -> None:
        self._door, self._admission, self._make = door, admission, make
        self._loop = asyncio.get_running_loop()
        # Those of one go are not there yet to make room for each other.
        self._at_once = max(1, min(_AT_ONCE, admission.each // 4))
        self._begun: set[asyncio.Task[None]] = set()
        self._closed = False
        door.setblocking(False)
        self._listen()

    def close(self) -> None:
        """Take no more."""
        self._closed = True
        self._loop.remove_reader(self._door)

    async def wait_closed(self) -> None:
        """Wait for those that were taken."""
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
        """Have those that were taken read once before others are: else these might be closed to make room for those."""
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
        """The system gives us no connection, for want of a descriptor or of memory: say so once, and try again."""
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
        # What is not read would have the system take back what we have just said.
        line.recv(1 << 16)


def _telling(jobs: HuntJobs, handle: Callable[..., None]) -> Callable[..., None]:
    """Streams that have no end of their own must hear that the server ends before it waits for them."""

    def handle_exit(*told: Any) -> None:
        jobs.closing = True
        handle(*told)

    return handle_exit
