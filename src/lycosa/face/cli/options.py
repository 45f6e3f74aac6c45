"""Options that many commands have."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from lycosa.web.proxies import VARIABLE
from lycosa.web.tls_reasons import VARIABLE as CA_VARIABLE

Proxy = Annotated[
    str | None,
    Option(
        help="An HTTP proxy for all that is fetched; one with a password better in the environment.", envvar=VARIABLE
    ),
]
Ca = Annotated[
    str | None,
    Option(
        help="A PEM file of certificate authorities that are believed besides the system's.",
        envvar=CA_VARIABLE,
        metavar="FILE",
    ),
]
Within = Annotated[
    list[str] | None, Option(help="Only this host, or .HOST and all beneath it, is asked; may be given often.")
]
Without = Annotated[
    list[str] | None, Option(help="This host, or .HOST and all beneath it, is never asked; may be given often.")
]
