"""Runs the server: hunt jobs, the app over them, and a socket."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.descriptors import raise_limit
from lycosa.system.errors import Code, Refused


def serve(
    home: Path,
    folders: Sequence[Path] = (),
    settings: ServerSettings | None = None,
    *,
    http: Mapping[str, Any] | None = None,
    delay: float = 1.0,
    pages: int = 100_000,
    together: int = 4,
    finders: Mapping[str, str] | None = None,
    ready: Callable[[ServerSettings], object] = lambda settings: None,
) -> None:
    """Serve pages, REST interface and agents until interrupted; `ready` is called with the address."""
    try:
        from lycosa.app.jobs import HuntJobs
        from lycosa.face.server.app import make_app
        from lycosa.face.server.listening import answer, listening
    except ModuleNotFoundError as error:
        raise Refused(
            f"the server needs {error.name}", "pip install 'lycosa[serve]'", code=Code.NEEDS_PACKAGE
        ) from error
    settings = settings or ServerSettings()
    raise_limit()
    with listening(settings) as listener:
        settings = replace(settings, port=listener.getsockname()[1])
        jobs = HuntJobs(home, folders, http=http, delay=delay, pages=pages, together=together, finders=finders)
        jobs.make_home()
        app = make_app(jobs, settings)
        ready(settings)
        answer(app, settings, jobs, listener, app.state.streams)
