"""Running the server: a desk, its app, and a socket."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lycosa.core.errors import Refused
from lycosa.face.server.settings import Settings

_PATIENCE = 3
"""Seconds that open connections get when the server ends."""


def serve(
    home: Path,
    folders: Sequence[Path] = (),
    settings: Settings | None = None,
    *,
    http: Mapping[str, Any] | None = None,
    delay: float = 1.0,
    pages: int = 100_000,
    together: int = 4,
    ready: Callable[[Settings], object] = lambda settings: None,
) -> None:
    """Serve pages, REST interface and agents until interrupted; `ready` is told where."""
    try:
        import uvicorn

        from lycosa.face.desk import Desk
        from lycosa.face.server.app import make_app
    except ModuleNotFoundError as error:
        raise Refused(f"the server needs {error.name}", "pip install 'lycosa[serve]'") from error
    settings = settings or Settings()
    with _listening(settings) as listening:
        settings = replace(settings, port=listening.getsockname()[1])
        desk = Desk(home, folders, http=http, delay=delay, pages=pages, together=together)
        config = uvicorn.Config(
            make_app(desk, settings),
            log_level="warning",
            # Addresses hold what people look for, so they are not written down.
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_PATIENCE,
        )
        ready(settings)
        uvicorn.Server(config).run(sockets=[listening])


def _listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.address, settings.port))
        listening.listen(256)
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(
            f"cannot listen on {settings.address} port {settings.port} ({why})", "choose another --port"
        ) from error
    return listening
