"""Dependencies of routes: what the server keeps open for them, and the types of names in paths."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from fastapi import Path as InPath

from lycosa.app.companion.companion import Companion
from lycosa.app.index_pool import OpenIndexes
from lycosa.app.jobs import HuntJobs
from lycosa.app.jobs.catalog import COLLECTION
from lycosa.app.maps.map_cache import MapCache
from lycosa.app.refresh_jobs import RefreshJobs
from lycosa.face.server.watching import Watches

LARGEST = 2**53
"""The largest integer that every JSON reader represents exactly."""
Name = Annotated[str, InPath(max_length=80, pattern=r"^[a-z0-9][a-z0-9._-]*$", description="The name of a collection.")]
"""A collection's name in a path; only `HuntJobs` knows which folder it is."""


# These take no time, so they are asynchronous: FastAPI would run a plain function in a thread.
async def _jobs(request: Request) -> HuntJobs:
    jobs: HuntJobs = request.app.state.jobs
    return jobs


async def _indexes(request: Request) -> OpenIndexes:
    indexes: OpenIndexes = request.app.state.indexes
    return indexes


async def _refreshes(request: Request) -> RefreshJobs:
    refreshes: RefreshJobs = request.app.state.refreshes
    return refreshes


async def _companion(request: Request) -> Companion:
    companion: Companion = request.app.state.companion
    return companion


async def _maps(request: Request) -> MapCache:
    maps: MapCache = request.app.state.maps
    return maps


async def _watches(request: Request) -> Watches:
    watches: Watches = request.app.state.watches
    return watches


TheJobs = Annotated[HuntJobs, Depends(_jobs)]
"""The hunt jobs of this server."""
TheIndexes = Annotated[OpenIndexes, Depends(_indexes)]
"""Indexes that stay open between requests."""
TheRefreshes = Annotated[RefreshJobs, Depends(_refreshes)]
"""The refreshes of communities that were started on this server."""
TheCompanion = Annotated[Companion, Depends(_companion)]
"""The browser's companion."""
TheMaps = Annotated[MapCache, Depends(_maps)]
"""Maps that were drawn recently."""
TheWatches = Annotated[Watches, Depends(_watches)]
"""The hunts that somebody is watching."""


def _hunt(jobs: TheJobs, name: Name) -> Path:
    return jobs.folder(name, COLLECTION)


TheHunt = Annotated[Path, Depends(_hunt)]
"""The folder of the hunt that the path names."""
