"""The app: guard, REST interface and pages put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from importlib.metadata import version
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, FastAPI

from lycosa.face.atlas.shelf import Shelf
from lycosa.face.companion.companion import Companion
from lycosa.face.desk import Desk
from lycosa.face.insight import views
from lycosa.face.opening import OpenIndexes
from lycosa.face.refreshes import Refreshes
from lycosa.face.server import api, pages
from lycosa.face.server.connections import most_connections
from lycosa.face.server.guard import Guard
from lycosa.face.server.problems import CHANGING, EVERYWHERE, problems, tell_problems
from lycosa.face.server.settings import Settings
from lycosa.face.server.streams import StreamCount, Streams
from lycosa.face.server.strict import PREFIX, only_known
from lycosa.face.server.watching import Watches
from lycosa.face.structs import learn_structs

if TYPE_CHECKING:
    from lycosa.face.mcp.door import Door


def make_app(desk: Desk, settings: Settings) -> FastAPI:
    """The whole server as one ASGI app; hunts that are meant to run go on while it lives."""
    companion = Companion(desk.home, http=desk.http, delay=desk.delay, courtesy=desk.courtesy)
    refreshes, indexes = Refreshes(desk.http.get("proxy"), desk.http.get("ca")), OpenIndexes()
    door = _door(desk, settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as open_:
            desk.begin()
            open_.callback(desk.close)
            for closing in (refreshes.close, indexes.close, views.close):
                open_.callback(closing)
            companion.begin()
            open_.callback(companion.close)
            if door:
                await open_.enter_async_context(door.open())
            yield

    app = FastAPI(
        title="Lycosa",
        version=version("lycosa"),
        summary="Hunt the Web for the pages that matter to a topic, search them, and see why each was fetched.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.desk, app.state.settings, app.state.companion = desk, settings, companion
    app.state.refreshes, app.state.indexes = refreshes, indexes
    app.state.streams = StreamCount(min(settings.streams, most_connections(settings) // 2))
    app.state.maps, app.state.watches = Shelf(), Watches(desk)
    tell_problems(app, pages.show_problem)
    known = [Depends(only_known)]
    for module in iter_modules(api.__path__):
        router: APIRouter = import_module(f"{api.__name__}.{module.name}").router
        app.include_router(router, prefix=PREFIX, dependencies=known, responses=problems(*EVERYWHERE, *CHANGING))
    pages.add_to(app)
    if door:
        # Not mounted: that would send /mcp to /mcp/.
        app.router.routes.extend(door.routes)
    app.add_middleware(Streams, count=app.state.streams)
    app.add_middleware(Guard, settings=settings, pairing=companion.admits)
    learn_structs()
    return app


def _door(desk: Desk, settings: Settings) -> Door | None:
    """The door for agents, where what it takes is installed."""
    try:
        from lycosa.face.mcp.door import Door
        from lycosa.face.mcp.office import Office
        from lycosa.face.mcp.purse import Purse
        from lycosa.face.mcp.stdio import log_plainly
    except ModuleNotFoundError:
        return None
    log_plainly()
    return Door(Office(desk, Purse(desk, settings.agent_pages, settings.agent_bytes)), settings)
