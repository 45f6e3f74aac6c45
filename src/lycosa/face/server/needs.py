"""What routes may ask for: what the server keeps open for them, and names in paths."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from fastapi import Path as InPath

from lycosa.face.atlas.shelf import Shelf
from lycosa.face.companion.companion import Companion
from lycosa.face.desk import Desk
from lycosa.face.desk.shelf import COLLECTION
from lycosa.face.opening import OpenIndexes
from lycosa.face.refreshes import Refreshes
from lycosa.face.server.watching import Watches

LARGEST = 2**53
"""The largest number that every reader of JSON takes for what it is."""
Name = Annotated[str, InPath(max_length=80, pattern=r"^[a-z0-9][a-z0-9._-]*$", description="The name of a collection.")]
"""A collection's name in a path; which folder it is only the desk knows."""


# What takes no time is asynchronous: FastAPI would go to a thread for anything else.
async def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def _indexes(request: Request) -> OpenIndexes:
    indexes: OpenIndexes = request.app.state.indexes
    return indexes


async def _refreshes(request: Request) -> Refreshes:
    refreshes: Refreshes = request.app.state.refreshes
    return refreshes


async def _companion(request: Request) -> Companion:
    companion: Companion = request.app.state.companion
    return companion


async def _maps(request: Request) -> Shelf:
    maps: Shelf = request.app.state.maps
    return maps


async def _watches(request: Request) -> Watches:
    watches: Watches = request.app.state.watches
    return watches


TheDesk = Annotated[Desk, Depends(_desk)]
"""The desk of this server."""
TheIndexes = Annotated[OpenIndexes, Depends(_indexes)]
"""Indexes that stay open between requests."""
TheRefreshes = Annotated[Refreshes, Depends(_refreshes)]
"""The refreshes of communities that were begun here."""
TheCompanion = Annotated[Companion, Depends(_companion)]
"""The companion of the browser."""
TheMaps = Annotated[Shelf, Depends(_maps)]
"""Maps that were drawn lately."""
TheWatches = Annotated[Watches, Depends(_watches)]
"""The hunts that somebody looks on at."""


def _hunt(desk: TheDesk, name: Name) -> Path:
    return desk.folder(name, COLLECTION)


TheHunt = Annotated[Path, Depends(_hunt)]
"""The folder of the hunt that the path names."""
