"""Options that many commands have."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from lycosa.web.proxies import VARIABLE

Proxy = Annotated[
    str | None,
    Option(
        help="An HTTP proxy for all that is fetched; one with a password better in the environment.", envvar=VARIABLE
    ),
]
Within = Annotated[
    list[str] | None, Option(help="Only this host, or .HOST and all beneath it, is asked; may be given often.")
]
Without = Annotated[
    list[str] | None, Option(help="This host, or .HOST and all beneath it, is never asked; may be given often.")
]
