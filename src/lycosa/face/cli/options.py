"""Options shared by many commands."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from lycosa.web.proxies import VARIABLE
from lycosa.web.tls_reasons import VARIABLE as CA_VARIABLE

Proxy = Annotated[
    str | None,
    Option(
        help="An HTTP proxy for everything that is fetched; set one with a password in the environment.",
        envvar=VARIABLE,
    ),
]
Ca = Annotated[
    str | None,
    Option(
        help="A PEM file of certificate authorities to trust besides the system's.",
        envvar=CA_VARIABLE,
        metavar="<path>",
    ),
]
Allow = Annotated[
    list[str] | None, Option(help="A private host, address or network that may be fetched from; repeatable.")
]
Within = Annotated[
    list[str] | None, Option(help="Only this host, or .HOST and all beneath it, is fetched from; repeatable.")
]
Without = Annotated[
    list[str] | None, Option(help="This host, or .HOST and all beneath it, is never fetched from; repeatable.")
]
