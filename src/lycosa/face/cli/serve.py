"""`lycosa serve`: web pages to hunt, search and browse, and a REST interface for programs."""

from __future__ import annotations

import os
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
    Together,
    Token,
    panel,
)
from lycosa.face.cli.request_options import read_pair
from lycosa.face.server.run_server import serve as run
from lycosa.face.server.server_settings import ServerSettings

LimitsOption = panel("Limits")


def serve(
    folders: Annotated[
        list[Path] | None, Argument(help="Collections, communities, laboratory results, or folders of them.")
    ] = None,
    address: Address = "127.0.0.1",
    port: Port = 8080,
    token: Token = "",
    name: HostName = None,
    home: Home = Path("hunts"),
    delay: LeastDelay = 1.0,
    pages: Annotated[int, HuntsOption(help="Maximum pages per hunt.")] = 100_000,
    together: Together = 4,
    finders: Finders = None,
    agent_pages: Annotated[
        int, HuntsOption(help="Maximum pages that all agents together may fetch until the server stops.")
    ] = 1000,
    agent_bytes: Annotated[
        int, HuntsOption(help="Maximum bytes of page bodies that all agents together may fetch.")
    ] = 1 << 30,
    rate: Annotated[
        float, LimitsOption(help="Maximum calls per second that change something, per client address.")
    ] = 50.0,
    connections: Annotated[
        int, LimitsOption(help="Maximum concurrent connections; at most three quarters per client.")
    ] = 1000,
    streams: Annotated[int, LimitsOption(help="Maximum concurrent event streams; at most a quarter per client.")] = 512,
    head_timeout: Annotated[float, LimitsOption(help="Maximum seconds to receive the head of a request.")] = 10.0,
    body_timeout: Annotated[float, LimitsOption(help="Maximum seconds to receive the body of a request.")] = 30.0,
    idle_timeout: Annotated[float, LimitsOption(help="Seconds before an idle connection is closed.")] = 15.0,
    contact: Contact = "",
    proxy: Proxy = None,
    ca: Ca = None,
    access: Access = None,
    allow: Allow = None,
) -> None:
    """Start a local web server to hunt, search and browse collections; hunts continue after a restart."""
    # Child processes need not know the token.
    os.environ.pop("LYCOSA_TOKEN", None)
    http: dict[str, Any] = {"contact": contact, "proxy": proxy, "ca": ca, "allow": tuple(allow or ())}
    if access:
        http["access"] = dict(read_pair("access", each) for each in access)
    settings = ServerSettings(
        address,
        port,
        token,
        tuple(map(str.lower, name or ())),
        rate=rate,
        agent_pages=agent_pages,
        agent_bytes=agent_bytes,
        connections=connections,
        streams=streams,
        head_timeout=head_timeout,
        body_timeout=body_timeout,
        idle_timeout=idle_timeout,
    )
    sources = dict(read_pair("finders", text) for text in finders or ())
    limits: dict[str, Any] = {"delay": delay, "pages": pages, "together": together, "finders": sources}
    run(home, folders or (), settings, http=http, **limits, ready=_say)


def _say(settings: ServerSettings) -> None:
    sign_in = " (it asks for the token)" if settings.token else ""
    print(f"Lycosa is at {settings.url}{sign_in}; Ctrl-C ends it, and hunts go on at the next start", flush=True)
