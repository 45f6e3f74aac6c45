"""Options shared by many commands, and the panels that group them in the help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from lycosa.web.proxies import VARIABLE
from lycosa.web.tls_reasons import VARIABLE as CA_VARIABLE


def panel(name: str) -> Callable[..., Any]:
    """`Option` for one panel of the help; panels are shown in the order of a command's parameters."""
    return partial(Option, rich_help_panel=name)


NetworkOption = panel("Network")
ServerOption = panel("Server")
HuntsOption = panel("Hunts")

Proxy = Annotated[
    str | None,
    NetworkOption(
        help="HTTP proxy for all requests; if it needs a password, set it in the environment.", envvar=VARIABLE
    ),
]
Ca = Annotated[
    str | None,
    NetworkOption(
        help="PEM file of certificate authorities to trust in addition to the system's.",
        envvar=CA_VARIABLE,
        metavar="<path>",
    ),
]
Access = Annotated[
    list[str] | None,
    NetworkOption(help="How to enter a host, as HOST:KEY=VALUE; secrets as env:NAME or file:PATH; repeatable."),
]
Allow = Annotated[
    list[str] | None, NetworkOption(help="Private host, address or network that may be fetched from; repeatable.")
]
Contact = Annotated[str, NetworkOption(help="URL or e-mail address for webmasters; sent as part of the user agent.")]
Address = Annotated[str, ServerOption(help="Address to listen on; any address except loopback needs a token.")]
Port = Annotated[int, ServerOption(help="Port to listen on; 0 = any free port.")]
Token = Annotated[
    str,
    ServerOption(help="Secret that every client must send; better set in the environment.", envvar="LYCOSA_TOKEN"),
]
HostName = Annotated[list[str] | None, ServerOption(help="Host name under which the server is reached; repeatable.")]
Home = Annotated[Path, HuntsOption(help="Folder for new hunts and exports.")]
LeastDelay = Annotated[float, HuntsOption(help="Minimum seconds between two requests to the same host.")]
Finders = Annotated[
    list[str] | None,
    HuntsOption("--finder", help="Source of seeds that requests may name, as NAME=KIND:option=value; repeatable."),
]
Together = Annotated[int, HuntsOption(help="Maximum concurrent hunts; others wait.")]
