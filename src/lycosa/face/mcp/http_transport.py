"""The way in over HTTP, of its own or in the server of the pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from lycosa.face.mcp.stdio_transport import log_plainly
from lycosa.face.mcp.tool_context import ToolContext
from lycosa.face.mcp.tool_server import ToolServer
from lycosa.face.server.listening import answer, listening
from lycosa.face.server.request_guard import RequestGuard
from lycosa.face.server.server_settings import LOCAL, ServerSettings

PATH = "/mcp"
_SESSIONS = 100
"""Agents at the same time."""
_IDLE = 3600.0
"""Seconds after which an agent that says nothing is forgotten; its hunts are not."""


class HttpTransport:
    """The door for agents in a server: its route, and what must be open while the server lives.

    It has no guard of its own but the SDK's checks of Host and Origin: put it behind `RequestGuard`.
    """

    def __init__(self, tool_context: ToolContext, settings: ServerSettings) -> None:
        self._server = ToolServer(tool_context)
        self._app = self._server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=settings.body,
            session_idle_timeout=_IDLE,
            max_sessions=_SESSIONS,
            transport_security=_security(settings),
        )

    @property
    def routes(self) -> list[BaseRoute]:
        """What an app must be given: it answers at /mcp."""
        return list(self._app.routes)

    def open(self) -> AbstractAsyncContextManager[None]:
        """Answer agents; to be entered in the app's lifespan, once."""
        return self._server.session_manager.run()


def _security(settings: ServerSettings) -> TransportSecuritySettings:
    """What the SDK checks besides our guard; where any address may be ours, the guard's check and the token do."""
    names = [*LOCAL, settings.address, *settings.names]
    hosts = [f"[{name}]" if ":" in name else name for name in dict.fromkeys(names)]
    ports = [f"{host}:{settings.port}" for host in hosts] + list(settings.names)
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=settings.is_local,
        allowed_hosts=ports,
        allowed_origins=[f"{scheme}://{host}" for host in ports for scheme in ("http", "https")],
    )


def serve_http(tool_context: ToolContext, settings: ServerSettings, ready: Callable[[ServerSettings], object]) -> None:
    """Answer agents at /mcp until interrupted; `ready` is told where."""
    log_plainly()
    with listening(settings) as socket:
        settings = replace(settings, port=socket.getsockname()[1])
        door = HttpTransport(tool_context, settings)

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            try:
                async with door.open():
                    yield
            finally:
                tool_context.jobs.close()

        app = Starlette(routes=door.routes, lifespan=lifespan)
        app.add_middleware(RequestGuard, settings=settings)
        ready(settings)
        answer(app, settings, tool_context.jobs, socket)
