"""Options shared by many commands, and the panels that group them in the help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
Allow = Annotated[
    list[str] | None, NetworkOption(help="Private host, address or network that may be fetched from; repeatable.")
]
