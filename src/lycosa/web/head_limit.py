"""A response whose head must be complete within a number of bytes.

A server may send «100 Continue», early hints or empty lines for ever. For aiohttp each of them is progress: it reads on
at full speed until the request times out, and meanwhile the process has no time for other hosts.
"""

from __future__ import annotations

from typing import Self

from aiohttp import ClientResponse
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError

HEAD_LIMIT = 1 << 20
"""Bytes that may arrive before the head is complete, including what follows it in the same packet."""


class BoundedResponse(ClientResponse):
    """aiohttp's response, which gives up on a server that does not complete its head within the limit."""

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
