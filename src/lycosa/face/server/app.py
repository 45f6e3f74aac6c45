"""The app: guard, REST interface and pages put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.metadata import version
from pkgutil import iter_modules

from fastapi import APIRouter, FastAPI

from lycosa.face.desk import Desk
from lycosa.face.server import api, pages
from lycosa.face.server.guard import Guard
from lycosa.face.server.problems import CHANGING, EVERYWHERE, problems, tell_problems
from lycosa.face.server.settings import Settings


def make_app(desk: Desk, settings: Settings, pairing: Callable[[str], bool] | None = None) -> FastAPI:
    """The whole server as one ASGI app; hunts that are meant to run go on while it lives."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        desk.begin()
        try:
            yield
        finally:
            desk.close()

    app = FastAPI(
        title="Lycosa",
        version=version("lycosa"),
        summary="Hunt the Web for the pages that matter to a topic, search them, and see why each was fetched.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.desk, app.state.settings = desk, settings
    tell_problems(app, pages.show_problem)
    for module in iter_modules(api.__path__):
        router: APIRouter = import_module(f"{api.__name__}.{module.name}").router
        app.include_router(router, prefix="/api", responses=problems(*EVERYWHERE, *CHANGING))
    pages.add_to(app)
    app.add_middleware(Guard, settings=settings, pairing=pairing)
    return app
