"""MCP over HTTP, as a server of its own or as part of the server of the web pages."""

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
"""Most agent sessions at the same time."""
_IDLE = 3600.0
"""Seconds after which the session of a silent agent is dropped; its hunts are not."""


class HttpTransport:
    """The MCP endpoint of a server: its route, and the session manager that must be open while the server lives.

    Its only protection is the SDK's check of Host and Origin, so put it behind `RequestGuard`.
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
        """The routes to add to an app; the endpoint is /mcp."""
        return list(self._app.routes)

    def open(self) -> AbstractAsyncContextManager[None]:
        """Open the session manager; enter it once, in the app's lifespan."""
        return self._server.session_manager.run()


def _security(settings: ServerSettings) -> TransportSecuritySettings:
    """The SDK's own checks; a server that is not local relies on the request guard and the token instead."""
    names = [*LOCAL, settings.address, *settings.names]
    hosts = [f"[{name}]" if ":" in name else name for name in dict.fromkeys(names)]
    ports = [f"{host}:{settings.port}" for host in hosts] + list(settings.names)
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=settings.is_local,
        allowed_hosts=ports,
        allowed_origins=[f"{scheme}://{host}" for host in ports for scheme in ("http", "https")],
    )


def serve_http(tool_context: ToolContext, settings: ServerSettings, ready: Callable[[ServerSettings], object]) -> None:
    """Serve agents at /mcp until interrupted; `ready` is called with the address."""
    log_plainly()
    with listening(settings) as socket:
        settings = replace(settings, port=socket.getsockname()[1])
        listener = HttpTransport(tool_context, settings)

        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            try:
                async with listener.open():
                    yield
            finally:
                tool_context.jobs.close()

        app = Starlette(routes=listener.routes, lifespan=lifespan)
        app.add_middleware(RequestGuard, settings=settings)
        ready(settings)
        answer(app, settings, tool_context.jobs, socket)
