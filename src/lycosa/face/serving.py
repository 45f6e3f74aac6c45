"""Running the server: a desk, its app, and a socket."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lycosa.core.descriptors import raise_limit
from lycosa.core.errors import Refused
from lycosa.face.server.settings import Settings


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
        from lycosa.face.desk import Desk
        from lycosa.face.server.app import make_app
        from lycosa.face.server.listening import answer, listening
    except ModuleNotFoundError as error:
        raise Refused(f"the server needs {error.name}", "pip install 'lycosa[serve]'") from error
    settings = settings or Settings()
    raise_limit()
    with listening(settings) as door:
        settings = replace(settings, port=door.getsockname()[1])
        desk = Desk(home, folders, http=http, delay=delay, pages=pages, together=together)
        desk.make_home()
        app = make_app(desk, settings)
        ready(settings)
        answer(app, settings, desk, door, app.state.streams)
