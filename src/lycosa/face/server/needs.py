"""What routes may ask for."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Request

from lycosa.face.desk import Desk


def _desk(request: Request) -> Desk:
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


TheDesk = Annotated[Desk, Depends(_desk)]
"""The desk of this server."""
Name = Annotated[str, Path(max_length=80, pattern=r"^[a-z0-9][a-z0-9._-]*$", description="The name of a collection.")]
"""A collection's name in a path; which folder it is only the desk knows."""
