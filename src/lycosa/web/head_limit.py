"""A response whose head must come within a number of bytes.

A server may send «100 Continue», early hints or empty lines for ever. To aiohttp each of them is progress: it reads on
at full speed until the time for the request is over, and the process has no time for other hosts.
"""

from __future__ import annotations

from typing import Self

from aiohttp import ClientResponse
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError

HEAD_LIMIT = 1 << 20
"""Bytes that may come before a head is complete, what follows it in the same packet included."""


class BoundedResponse(ClientResponse):
    """aiohttp's response, which gives up a server that does not come to its point."""

    async def start(self, connection: Connection) -> Self:
        """Wait for the head."""
        protocol = connection.protocol
        assert protocol is not None
        take, left = protocol.data_received, HEAD_LIMIT

        def bounded(data: bytes) -> None:
            nonlocal left
            left -= len(data)
            if left >= 0:
                take(data)
            else:
                protocol.set_exception(HttpProcessingError(message="no head in sight"))
                protocol.close()

        protocol.data_received = bounded  # type: ignore[method-assign]
        try:
            await super().start(connection)
        finally:
            del protocol.data_received
        return self
