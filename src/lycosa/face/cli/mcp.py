"""`lycosa mcp`: tools for agents, over standard input and output or over HTTP."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Argument

from lycosa.face.cli.options import (
    Access,
    Address,
    Allow,
    Ca,
    Contact,
    Finders,
    Home,
    HostName,
    HuntsOption,
    LeastDelay,
    Port,
    Proxy,
    ServerOption,
    Together,
    Token,
)
from lycosa.face.cli.request_options import read_pair
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Code, Refused


def mcp(
    folders: Annotated[
        list[Path] | None, Argument(help="Collections, communities, or folders of them, that agents may read.")
    ] = None,
    http: Annotated[
        bool, ServerOption("--http", help="Serve HTTP at /mcp instead of standard input and output.")
    ] = False,
    address: Address = "127.0.0.1",
    port: Port = 8081,
    token: Token = "",
    name: HostName = None,
    home: Home = Path("hunts"),
    max_pages: Annotated[
        int, HuntsOption(help="Maximum pages that all agents together may fetch until the server stops.", min=0)
    ] = 1000,
    max_bytes: Annotated[
        int, HuntsOption(help="Maximum bytes that all agents together may fetch until the server stops.", min=0)
    ] = 1 << 30,
    delay: LeastDelay = 1.0,
    together: Together = 4,
    finders: Finders = None,
    contact: Contact = "",
    proxy: Proxy = None,
    ca: Ca = None,
    access: Access = None,
    allow: Allow = None,
) -> None:
    """Let agents hunt, judge, search and read through the Model Context Protocol, within a budget."""
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
    if access:
        options["access"] = dict(read_pair("access", each) for each in access)
    sources = dict(read_pair("finders", text) for text in finders or ())
    jobs = HuntJobs(home, folders or (), http=options, delay=delay, together=together, finders=sources)
    tool_context = ToolContext(jobs, AgentBudget(jobs, max_pages, max_bytes))
    if http:
        serve_http(tool_context, settings, _say)
    else:
        if sys.stdin.isatty():
            print("lycosa waits for an agent's program on standard input; see docs/how-to/agents.md", file=sys.stderr)
        serve_stdio(tool_context)


def _say(settings: ServerSettings) -> None:
    print(f"Lycosa answers agents at {settings.url}mcp; Ctrl-C ends it", file=sys.stderr, flush=True)
