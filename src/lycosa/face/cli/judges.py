"""`lycosa judges`: lists the judges of pages."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from lycosa.core.judge import judges as all_judges
from lycosa.face.cli.look import Json, show_components


def judges(name: Annotated[str | None, Argument(help="Judge to describe in full.")] = None, json: Json = False) -> None:
    """List the judges and their options."""
    show_components("judge", all_judges(), name, json)
