"""Running the server: a desk, its app, and a socket."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lycosa.core.errors import Refused
from lycosa.face.server.settings import Settings

if TYPE_CHECKING:
    from lycosa.face.desk import Desk

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
    with listening(settings) as door:
        settings = replace(settings, port=door.getsockname()[1])
        desk = Desk(home, folders, http=http, delay=delay, pages=pages, together=together)
        desk.make_home()
        config = uvicorn.Config(
            make_app(desk, settings),
            log_level="warning",
            # Addresses hold what people look for, so they are not written down.
            access_log=False,
            server_header=False,
            ws="none",
            # Who says for whom he asks is believed only where a proxy stands before us.
            proxy_headers=bool(settings.names),
            timeout_graceful_shutdown=_PATIENCE,
        )
        ready(settings)
        # Ctrl-C is how it is meant to end, and uvicorn tells of it once more when everything is closed.
        with suppress(KeyboardInterrupt):
            server = uvicorn.Server(config)
            server.handle_exit = _telling(desk, server.handle_exit)  # type: ignore[method-assign]
            server.run(sockets=[door])


def _telling(desk: Desk, handle: Callable[..., None]) -> Callable[..., None]:
    """Streams that have no end of their own must hear that the server ends before it waits for them."""

    def handle_exit(*told: Any) -> None:
        desk.closing = True
        handle(*told)

    return handle_exit


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
