"""`lycosa mcp`: tools for agents, over standard input and output or over HTTP."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from lycosa.face.cli.options import Allow, Ca, Proxy
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Code, Refused


def mcp(
    folders: Annotated[
        list[Path] | None, Argument(help="Collections, communities, or folders of them, that agents may read.")
    ] = None,
    home: Annotated[Path, Option(help="Where new hunts and exports are kept.")] = Path("hunts"),
    max_pages: Annotated[int, Option(help="Pages that agents may fetch until this server ends.", min=0)] = 1000,
    max_bytes: Annotated[int, Option(help="Bytes that agents may fetch until this server ends.", min=0)] = 1 << 30,
    http: Annotated[bool, Option("--http", help="Listen for HTTP at /mcp instead of standard input.")] = False,
    address: Annotated[str, Option(help="Where to listen; anything but loopback needs a token.")] = "127.0.0.1",
    port: Annotated[int, Option(help="The port; 0 for any that is free.")] = 8081,
    token: Annotated[
        str, Option(help="The secret that every agent must send; better set in the environment.", envvar="LYCOSA_TOKEN")
    ] = "",
    name: Annotated[list[str] | None, Option(help="A host name by which the server is reached.")] = None,
    delay: Annotated[float, Option(help="Seconds of rest between two requests to a host, at least.")] = 1.0,
    together: Annotated[int, Option(help="Hunts that run at the same time at most.")] = 4,
    contact: Annotated[str, Option(help="A URL or address where webmasters reach you; part of the user agent.")] = "",
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
) -> None:
    """Let an agent hunt, judge, search and read, by the Model Context Protocol, within a budget."""
    # Child processes need not know the token.
    os.environ.pop("LYCOSA_TOKEN", None)
    settings = ServerSettings(address, port, token, tuple(map(str.lower, name or ())))
    try:
        from lycosa.app.jobs import HuntJobs
        from lycosa.face.mcp.agent_budget import AgentBudget
        from lycosa.face.mcp.tool_context import ToolContext

        if http:
            from lycosa.face.mcp.http_transport import serve_http
        else:
            from lycosa.face.mcp.stdio_transport import serve_stdio
    except ModuleNotFoundError as error:
        raise Refused(
            f"tools for agents need {error.name}", "pip install 'lycosa[mcp]'", code=Code.NEEDS_PACKAGE
        ) from error
    options: dict[str, Any] = {"contact": contact, "proxy": proxy, "ca": ca, "allow": tuple(allow or ())}
    jobs = HuntJobs(home, folders or (), http=options, delay=delay, together=together)
    tool_context = ToolContext(jobs, AgentBudget(jobs, max_pages, max_bytes))
    if http:
        serve_http(tool_context, settings, _say)
    else:
        if sys.stdin.isatty():
            print("lycosa waits for an agent's program on standard input; see docs/agents.md", file=sys.stderr)
        serve_stdio(tool_context)


def _say(settings: ServerSettings) -> None:
    print(f"Lycosa answers agents at {settings.url}mcp; Ctrl-C ends it", file=sys.stderr, flush=True)
