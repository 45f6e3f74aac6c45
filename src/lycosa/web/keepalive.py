"""Connections that are used again only if nothing arrived on them since their last response.

If a server sends more than it was asked for, by mistake or on purpose, the surplus would be taken for the answer to the
next request on that connection: one page stored under the URL of another. So any data on an idle connection closes it,
and before a connection is used again its socket is checked once more for bytes that the event loop has not delivered
yet. (aiohttp 3.14 only checks whether a connection is still open: its issue 13656.)
"""

from __future__ import annotations

import select
from functools import partial
from typing import Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler


class Http2Only(aiohttp.ClientError):
    """A server began with an HTTP/2 frame, although the request was HTTP/1.1."""


def _is_http2(data: bytes) -> bool:
    """Whether this begins with an HTTP/2 server's SETTINGS or GOAWAY frame."""
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
            # The data is empty when a reader of the last response resumes a paused transport.
            if data:
                self.close()
            return
        # The end of a response releases its connection while the rest of the same data is still being parsed.
        self._receiving = True
        try:
            super().data_received(data)
        finally:
            self._receiving = False
        if self._idle:
            self._close_if_more_came()

    def rest(self) -> None:
        """Become idle until the next request."""
        self._idle = True
        if not self._receiving:
            self._close_if_more_came()

    def wake(self) -> None:
        """Serve the next request."""
        self._idle = False

    def is_clean(self) -> bool:
        """Whether nothing has arrived, not even in the socket's buffer."""
        return self.is_connected() and not (self.should_close or self._reading_paused or _is_readable(self))

    def _close_if_more_came(self) -> None:
        parser, self._parser = self._parser, None
        # The next request gets a new parser, so the old one can be used to see whether it was within a message.
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
    """aiohttp's connector, which reuses connections only if they are clean."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._factory = cast("partial[ResponseHandler]", partial(_CleanHandler, self._loop))

    async def _get(self, key: Any, traces: Any) -> Any:
        handlers: Any = [handler for handler, _ in self._conns.get(key, ())]
        for handler in handlers:
            if not handler.is_clean():
                # The connector skips closed connections.
                handler.close()
        connection: Any = await super()._get(key, traces)
        if connection is not None:
            connection.protocol.wake()
        return connection

    async def _wrap_create_connection(self, *args: Any, timeout: Any, **options: Any) -> Any:
        self.limit_handshake(options, timeout)
        return await super()._wrap_create_connection(*args, timeout=timeout, **options)

    def limit_handshake(self, options: dict[str, Any], timeout: Any) -> None:
        """Give a TLS handshake less time than connect and handshake have together."""
        if options.get("ssl") and timeout.sock_connect:
            # This distinguishes a stalled handshake from a silent host.
            options["ssl_handshake_timeout"] = 0.75 * timeout.sock_connect

    def _release(self, key: Any, protocol: Any, *, should_close: bool = False) -> None:
        super()._release(key, protocol, should_close=should_close)
        if protocol.is_connected():
            protocol.rest()
