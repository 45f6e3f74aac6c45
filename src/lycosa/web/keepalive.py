"""Connections that are used again only if nothing arrived on them since their last response.

A server that sends more than it was asked for, by mistake or by intent, would have the surplus taken for the answer to
the next request on that connection: one page stored under the URL of another. So whatever arrives on an idle
connection closes it, and before one is used again its socket is looked at once more, for bytes that the event loop has
not delivered yet. (aiohttp 3.14 looks only whether a connection is still open: its issue 13656.)
"""

from __future__ import annotations

import select
from functools import partial
from typing import Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler


class Http2Only(aiohttp.ClientError):
    """A server began with a frame of HTTP/2, although it was asked in HTTP/1.1."""


def _is_http2(data: bytes) -> bool:
    """Whether this begins with the settings of an HTTP/2 server, or with its farewell."""
    return len(data) >= 9 and data[0] == 0 and data[3] in (4, 7) and data[5:9] == b"\0\0\0\0"


class _CleanHandler(ResponseHandler):
    """A connection that closes itself when anything arrives while it is idle."""

    def __init__(self, loop: Any) -> None:
        super().__init__(loop)
        self._idle = self._receiving = self._heard = False

    def data_received(self, data: bytes) -> None:
        first, self._heard = not self._heard, True
        if first and _is_http2(data):
            self.set_exception(Http2Only("the server speaks HTTP/2"))
            self.close()
            return
        if self._idle:
            # Nothing comes when a reader of the last response lets a paused transport go on.
            if data:
                self.close()
            return
        # The end of a response gives its connection back while the rest of the same data is still being parsed.
        self._receiving = True
        try:
            super().data_received(data)
        finally:
            self._receiving = False
        if self._idle:
            self._close_if_more_came()

    def rest(self) -> None:
        """Wait for the next request."""
        self._idle = True
        if not self._receiving:
            self._close_if_more_came()

    def wake(self) -> None:
        """Serve the next request."""
        self._idle = False

    def is_clean(self) -> bool:
        """Whether nothing has arrived, not even as far as the socket."""
        return self.is_connected() and not (self.should_close or self._reading_paused or _is_readable(self))

    def _close_if_more_came(self) -> None:
        parser, self._parser = self._parser, None
        # The next request gets a parser of its own, so the old one can be asked whether it was within a message.
        if self.should_close or (parser is not None and _is_within_a_message(parser)):
            self.close()


def _is_within_a_message(parser: Any) -> bool:
    try:
        return parser.feed_eof() is not None
    except Exception:
        return True


def _is_readable(handler: ResponseHandler) -> bool:
    socket = handler.transport.get_extra_info("socket") if handler.transport else None
    if socket is None or socket.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(socket.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class CleanConnector(aiohttp.TCPConnector):
    """aiohttp's connector, which gives out connections again only if they are clean."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._factory = cast("partial[ResponseHandler]", partial(_CleanHandler, self._loop))

    async def _get(self, key: Any, traces: Any) -> Any:
        handlers: Any = [handler for handler, _ in self._conns.get(key, ())]
        for handler in handlers:
            if not handler.is_clean():
                # The connector passes over what is closed.
                handler.close()
        connection: Any = await super()._get(key, traces)
        if connection is not None:
            connection.protocol.wake()
        return connection

    async def _wrap_create_connection(self, *args: Any, timeout: Any, **options: Any) -> Any:
        if options.get("ssl") and timeout.sock_connect:
            # Less than both may take together, so that a handshake that stalls is told from a silent host.
            options["ssl_handshake_timeout"] = 0.75 * timeout.sock_connect
        return await super()._wrap_create_connection(*args, timeout=timeout, **options)

    def _release(self, key: Any, protocol: Any, *, should_close: bool = False) -> None:
        super()._release(key, protocol, should_close=should_close)
        if protocol.is_connected():
            protocol.rest()
