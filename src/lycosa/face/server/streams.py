"""How many streams of events there may be: one too many is refused before anything is done for it."""

from __future__ import annotations

import re
from collections import Counter

from starlette.types import ASGIApp, Receive, Scope, Send

from lycosa.face.server.connections import owner_of
from lycosa.face.server.problems import told

_is_stream = re.compile(r"/api/hunts/[^/]+/events").fullmatch
_WAIT = "30"
"""Seconds after which whoever is refused may ask again."""


class Streams:
    """Stands before the app, behind the guard, so that only who may use the server is counted."""

    def __init__(self, app: ASGIApp, in_all: int) -> None:
        self.app = app
        self.in_all, self.each = in_all, max(1, in_all // 4)
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http" or not _is_stream(scope["path"]):
            await self.app(scope, receive, send)
            return
        client = owner_of(scope.get("client"))
        if self._open[client] >= self.each or self._open.total() >= self.in_all:
            answer = told(
                503,
                "too many streams of events are open",
                "close some, or ask for /batch now and then",
                {"Retry-After": _WAIT, "Connection": "close"},
            )
            await answer(scope, receive, send)
            return
        self._open[client] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
