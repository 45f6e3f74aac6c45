"""`lycosa serve`: web pages to hunt, search and browse, and a REST interface for programs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from lycosa.face.cli.options import Allow, Ca, Proxy
from lycosa.face.server.run_server import serve as run
from lycosa.face.server.server_settings import ServerSettings


def serve(
    folders: Annotated[
        list[Path] | None, Argument(help="Collections, communities, laboratory results, or folders of them.")
    ] = None,
    home: Annotated[Path, Option(help="Where new hunts are kept.")] = Path("hunts"),
    address: Annotated[str, Option(help="Where to listen; anything but loopback needs a token.")] = "127.0.0.1",
    port: Annotated[int, Option(help="The port; 0 for any that is free.")] = 8080,
    token: Annotated[
        str,
        Option(help="The secret that every client must send; better set in the environment.", envvar="LYCOSA_TOKEN"),
    ] = "",
    name: Annotated[list[str] | None, Option(help="A host name by which the server is reached.")] = None,
    delay: Annotated[float, Option(help="Seconds of rest between two requests to a host, at least.")] = 1.0,
    pages: Annotated[int, Option(help="Pages that a hunt may have at most.")] = 100_000,
    together: Annotated[int, Option(help="Hunts that run at the same time at most.")] = 4,
    agent_pages: Annotated[int, Option(help="Pages that agents may have fetched until the server ends.")] = 1000,
    agent_bytes: Annotated[int, Option(help="Bytes of page bodies that agents may have fetched.")] = 1 << 30,
    rate: Annotated[float, Option(help="Calls that change something, a second, from one address.")] = 50.0,
    connections: Annotated[
        int, Option(help="Connections at the same time; one client may have three quarters.")
    ] = 1000,
    streams: Annotated[int, Option(help="Streams of events at the same time; one client may have a quarter.")] = 512,
    head_timeout: Annotated[float, Option(help="Seconds that the head of a request may take.")] = 10.0,
    body_timeout: Annotated[float, Option(help="Seconds that the body of a request may take.")] = 30.0,
    idle_timeout: Annotated[float, Option(help="Seconds that a connection stays open between two requests.")] = 15.0,
    contact: Annotated[str, Option(help="A URL or address where webmasters reach you; part of the user agent.")] = "",
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
) -> None:
    """Serve web pages on this machine to hunt, search and browse collections; hunts go on after a restart."""
    # Child processes need not know the token.
    os.environ.pop("LYCOSA_TOKEN", None)
    http: dict[str, Any] = {"contact": contact, "proxy": proxy, "ca": ca, "allow": tuple(allow or ())}
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
    run(home, folders or (), settings, http=http, delay=delay, pages=pages, together=together, ready=_say)


def _say(settings: ServerSettings) -> None:
    sign_in = " (it asks for the token)" if settings.token else ""
    print(f"Lycosa is at {settings.url}{sign_in}; Ctrl-C ends it, and hunts go on at the next start", flush=True)
