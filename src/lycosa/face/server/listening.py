"""A socket, and an app that answers on it until it is interrupted."""

from __future__ import annotations

import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from lycosa.core.errors import Refused
from lycosa.face.desk import Desk
from lycosa.face.server.settings import Settings

_PATIENCE = 3
"""Seconds that open connections get when the server ends."""
_FILES = 1 << 14
"""Files that may be open at once, where the system allows it."""


def have_files() -> None:
    """Let this process have as many files open as it may: collections that are searched together are open together."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now == resource.RLIM_INFINITY or now >= _FILES:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (_FILES if most == resource.RLIM_INFINITY else min(most, _FILES), most)
        )


def listening(settings: Settings) -> socket.socket:
    """A socket where the settings say; the port 0 means any that is free."""
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((settings.address, settings.port))
        door.listen(256)
    except (OSError, OverflowError) as error:
        door.close()
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(
            f"cannot listen on {settings.address} port {settings.port} ({why})", "choose another --port"
        ) from error
    return door


def answer(app: ASGIApp, settings: Settings, desk: Desk, door: socket.socket) -> None:
    """Have an app answer on a socket until it is interrupted."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        # Addresses hold what people look for, so they are not written down.
        access_log=False,
        server_header=False,
        ws="none",
        # Who says for whom he asks is believed only where a proxy stands before us.
        proxy_headers=bool(settings.names),
        timeout_graceful_shutdown=_PATIENCE,
    )
    server = uvicorn.Server(config)
    server.handle_exit = _telling(desk, server.handle_exit)  # type: ignore[method-assign]
    # Ctrl-C is how it is meant to end, and uvicorn tells of it once more when everything is closed.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[door])


def _telling(desk: Desk, handle: Callable[..., None]) -> Callable[..., None]:
    """Streams that have no end of their own must hear that the server ends before it waits for them."""

    def handle_exit(*told: Any) -> None:
        desk.closing = True
        handle(*told)

    return handle_exit
