"""Assembles the ASGI app: request guard, REST interface, pages and MCP endpoint."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from importlib.metadata import version
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, FastAPI

from lycosa.app.companion.companion import Companion
from lycosa.app.index_pool import OpenIndexes
from lycosa.app.insight import questions
from lycosa.app.jobs import HuntJobs
from lycosa.app.maps.map_cache import MapCache
from lycosa.app.refresh_jobs import RefreshJobs
from lycosa.app.struct_cache import learn_structs
from lycosa.face.server import api, pages
from lycosa.face.server.connections import most_connections
from lycosa.face.server.problems import CHANGING, EVERYWHERE, problems, tell_problems
from lycosa.face.server.request_guard import RequestGuard
from lycosa.face.server.server_settings import ServerSettings
from lycosa.face.server.streams import StreamCount, Streams
from lycosa.face.server.strict import PREFIX, only_known
from lycosa.face.server.watching import Watches

if TYPE_CHECKING:
    from lycosa.face.mcp.http_transport import HttpTransport


def make_app(jobs: HuntJobs, settings: ServerSettings) -> FastAPI:
    """The whole server as one ASGI app; hunts that should be running continue as long as the app lives."""
    companion = Companion(jobs.home, http=jobs.http, delay=jobs.delay)
    refreshes, indexes = RefreshJobs(jobs.http.get("proxy"), jobs.http.get("ca")), OpenIndexes()
    listener = _door(jobs, settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as open_:
            jobs.begin()
            open_.callback(jobs.close)
            for closing in (refreshes.close, indexes.close, questions.close):
                open_.callback(closing)
            companion.begin()
            open_.callback(companion.close)
            if listener:
                await open_.enter_async_context(listener.open())
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
    app.state.jobs, app.state.settings, app.state.companion = jobs, settings, companion
    app.state.refreshes, app.state.indexes = refreshes, indexes
    app.state.streams = StreamCount(min(settings.streams, most_connections(settings) // 2))
    app.state.maps, app.state.watches = MapCache(), Watches(jobs)
    tell_problems(app, pages.show_problem)
    known = [Depends(only_known)]
    for module in iter_modules(api.__path__):
        router: APIRouter = import_module(f"{api.__name__}.{module.name}").router
        app.include_router(router, prefix=PREFIX, dependencies=known, responses=problems(*EVERYWHERE, *CHANGING))
    pages.add_to(app)
    if listener:
        # Routes, not a mount: a mount would redirect /mcp to /mcp/.
        app.router.routes.extend(listener.routes)
    app.add_middleware(Streams, count=app.state.streams)
    app.add_middleware(RequestGuard, settings=settings, pairing=companion.admits)
    learn_structs()
    return app


def _door(jobs: HuntJobs, settings: ServerSettings) -> HttpTransport | None:
    """The MCP endpoint for agents; None if its packages are not installed."""
    try:
        from lycosa.face.mcp.agent_budget import AgentBudget
        from lycosa.face.mcp.http_transport import HttpTransport
        from lycosa.face.mcp.stdio_transport import log_plainly
        from lycosa.face.mcp.tool_context import ToolContext
    except ModuleNotFoundError:
        return None
    log_plainly()
    return HttpTransport(ToolContext(jobs, AgentBudget(jobs, settings.agent_pages, settings.agent_bytes)), settings)
