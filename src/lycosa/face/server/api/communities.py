"""Communities: the queries people sent, what the last refresh changed, and starting the next one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import Field

from lycosa.app import communities, community_bookmarks
from lycosa.app.community_refresh import CommunityRefresh
from lycosa.app.jobs.catalog import COMMUNITY
from lycosa.app.requests.community import BookmarksRequest, NewCommunityRequest
from lycosa.face.server.api.lab import Running, running
from lycosa.face.server.dependencies import Name, TheJobs, TheRefreshes
from lycosa.face.server.documented import Documented
from lycosa.face.server.problems import problems
from lycosa.face.server.request_models import FromFields
from lycosa.face.server.strict import Payload

router = APIRouter(tags=["communities"])
Question = Annotated[str, Field(min_length=1, max_length=2000)]


class LoggedQuery(Documented):
    """A query, and how often it was sent."""

    text: str
    times: int
    last: float
    results: int
    """How many results it had the last time."""


class Renewal(Documented):
    """One generation: how it was made and what it changed, in sentences."""

    number: int
    at: float
    how: str
    pages: int
    current: bool
    undone: bool
    forgotten: bool
    held: bool
    """Whether it was not made current because too many pages would have left."""
    sentences: list[str]


class Community(Documented):
    """A search engine that adapts to its members' queries."""

    name: str
    begun: bool
    """Whether its first crawl is over, so that it answers."""
    remembering: bool
    """Whether queries are logged for the next refresh."""
    asked: int
    different: int
    questions: list[LoggedQuery]
    generations: list[Renewal]
    """Latest first."""
    busy: bool
    """Whether a process is changing it now."""
    progress: Running | None
    problem: str
    """Why the last refresh that was started on this server failed."""


class CommunityBookmark(Documented):
    """A page that no refresh removes."""

    url: str
    title: str
    folder: str
    """The folders it is in, outermost first."""
    state: str
    """held: in the collection; gone: in the collection, but the Web had it no more at the last check; waiting: not
    fetched yet."""
    why: str
    """Why it is gone, or why it could not be fetched."""
    fetched: float | None
    """When the version in the collection was fetched."""


class LeavingPage(Documented):
    """A page that may leave the collection."""

    url: str
    title: str


class SeedCounts(Documented):
    """Where the crawl for a query would begin."""

    query: str
    seeds: int
    hits: int
    referrers: int
    hubs: int
    fallback: bool
    """Whether nothing was found, so that it begins at hubs and bookmarks."""


class RefreshPreview(Documented):
    """What a refresh would do, as far as that can be known before its crawls."""

    goes_on: bool
    """Whether it continues an interrupted one."""
    queries: list[SeedCounts]
    before: int
    """Pages of the collection."""
    may_leave: int
    """Pages that leave at most, besides those that the Web has no more."""
    leaving: list[LeavingPage]
    """The most valuable of these."""


class RemoveBookmarksBody(Payload):
    """Bookmarks to be removed."""

    urls: Annotated[list[Question], Field(min_length=1, max_length=1000)]


class RememberBody(Payload):
    """Whether queries are to be logged."""

    on: bool


class Forgetting(Payload):
    """Queries to be removed from the log for good."""

    questions: Annotated[list[Question], Field(max_length=1000)]


class Forgotten(Documented):
    """How many log entries were removed."""

    forgotten: int


@router.get("/communities")
def all_communities(jobs: TheJobs, refreshes: TheRefreshes) -> list[Community]:
    """The communities of this server."""
    return [_about(jobs, entry.name, refreshes, 0) for entry in jobs.entries() if entry.kind == COMMUNITY]


@router.post("/communities", status_code=201, responses=problems(409))
def new_community(
    jobs: TheJobs, body: Annotated[NewCommunityRequest, FromFields(), Body()], refreshes: TheRefreshes
) -> Community:
    """Begin a community: crawl breadth-first from its bookmarks and make the result searchable."""
    name = jobs.new_community(body)
    refreshes.begin(_folder(jobs, name), body.keywords)
    return _about(jobs, name, refreshes)


@router.get("/communities/{name}")
def community(jobs: TheJobs, name: Name, refreshes: TheRefreshes) -> Community:
    """One community: the queries people sent, what each refresh changed, and what is in progress."""
    return _about(jobs, name, refreshes)


@router.post("/communities/{name}/refresh", status_code=202, responses=problems(409))
def refresh(jobs: TheJobs, name: Name, refreshes: TheRefreshes) -> Community:
    """Start a refresh now, or continue one that was interrupted."""
    refreshes.begin(_folder(jobs, name))
    return _about(jobs, name, refreshes)


@router.post("/communities/{name}/undo", responses=problems(409))
def undo(jobs: TheJobs, name: Name, refreshes: TheRefreshes) -> Community:
    """Make the generation before the current one current again."""
    communities.undo(_folder(jobs, name))
    return _about(jobs, name, refreshes)


@router.post("/communities/{name}/accept", responses=problems(409))
def accept(jobs: TheJobs, name: Name, refreshes: TheRefreshes) -> Community:
    """Make the latest generation current that was held back or undone."""
    communities.accept(_folder(jobs, name))
    return _about(jobs, name, refreshes)


@router.get("/communities/{name}/preview")
def preview(jobs: TheJobs, name: Name) -> RefreshPreview:
    """What a refresh would do, and which pages may leave."""
    found = CommunityRefresh(_folder(jobs, name)).preview()
    return RefreshPreview(**{field: found[field] for field in RefreshPreview.model_fields})


@router.get("/communities/{name}/bookmarks")
def bookmarks(jobs: TheJobs, name: Name) -> list[CommunityBookmark]:
    """The bookmarks, and what the collection has of each."""
    return [CommunityBookmark(**each) for each in community_bookmarks.listed(_folder(jobs, name))]


@router.post("/communities/{name}/bookmarks", responses=problems(409))
def add_bookmarks(
    jobs: TheJobs, name: Name, body: Annotated[BookmarksRequest, FromFields(), Body()]
) -> list[CommunityBookmark]:
    """Add bookmarks; the next refresh fetches their pages. Returns all of them."""
    community_bookmarks.add(_folder(jobs, name), body)
    return bookmarks(jobs, name)


@router.post("/communities/{name}/bookmarks/remove", responses=problems(409))
def remove_bookmarks(jobs: TheJobs, name: Name, body: RemoveBookmarksBody) -> list[CommunityBookmark]:
    """Remove bookmarks; their pages stay until a refresh needs their places. Returns the others."""
    community_bookmarks.remove(_folder(jobs, name), body.urls)
    return bookmarks(jobs, name)


@router.put("/communities/{name}/remembering", responses=problems(409))
def remember(jobs: TheJobs, name: Name, body: RememberBody, refreshes: TheRefreshes) -> Community:
    """Log queries from now on, or stop logging them."""
    communities.remember(_folder(jobs, name), body.on)
    return _about(jobs, name, refreshes)


@router.post("/communities/{name}/forget")
def forget(jobs: TheJobs, name: Name, body: Forgetting) -> Forgotten:
    """Remove queries from the log for good."""
    return Forgotten(forgotten=communities.forget_questions(_folder(jobs, name), texts=body.questions))


def _folder(jobs: TheJobs, name: str) -> Path:
    return jobs.folder(name, COMMUNITY)


def _about(jobs: TheJobs, name: str, refreshes: TheRefreshes, limit: int = 200) -> Community:
    folder = _folder(jobs, name)
    # A refresh started here counts as busy at once, although its process may not hold the lock yet.
    begun, about = refreshes.running(folder), communities.about(folder, limit=limit)
    about["busy"] |= begun
    problem = jobs.pathless(refreshes.problem(folder))
    return Community(name=name, progress=running(jobs, folder), problem=problem, **about)
