"""Limits the number of event streams: one too many is refused before any work is done for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from starlette.types import ASGIApp, Receive, Scope, Send

from lycosa.face.server.clients import owner_of
from lycosa.face.server.problems import told

_is_stream = re.compile(r"/api/hunts/[^/]+/events").fullmatch
asks_for_stream = re.compile(rb"GET /api/hunts/[^/? ]+/events[? ]").match
"""The same test on the first bytes of a request."""
_WAIT = {"Retry-After": "30", "Connection": "close"}
_TOO_MANY = ("too many streams of events are open", "close some, or ask for the batches of the hunt now and then")


class StreamCount:
    """Counts open streams, in total and per client."""

    def __init__(self, in_all: int) -> None:
        self.in_all, self.each = in_all, max(1, in_all // 4)
        self._open: Counter[str] = Counter()

    def is_full(self, client: str) -> bool:
        """Whether a client can open no further stream."""
        return self._open[client] >= self.each or self._open.total() >= self.in_all

    @contextmanager
    def opened(self, client: str) -> Iterator[None]:
        """Count one stream while the context is open."""
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class Streams:
    """ASGI middleware between the request guard and the app, so that only permitted clients are counted."""

    def __init__(self, app: ASGIApp, count: StreamCount) -> None:
        self.app = app
        self.count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http" or not _is_stream(scope["path"]):
            await self.app(scope, receive, send)
            return
        client = owner_of(scope.get("client"))
        if self.count.is_full(client):
            await told(503, *_TOO_MANY, _WAIT)(scope, receive, send)
            return
        with self.count.opened(client):
            await self.app(scope, receive, send)


@cache
def refusal() -> bytes:
    """The same answer as bytes, for a request that is refused before the app sees it."""
    answer = told(503, *_TOO_MANY, _WAIT)
    head = b"".join(name + b": " + value + b"\r\n" for name, value in answer.raw_headers)
    return b"HTTP/1.1 503 Service Unavailable\r\n" + head + b"\r\n" + bytes(answer.body)
