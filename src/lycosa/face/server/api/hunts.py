"""Hunts: start them, control them, see their state and the pages they found."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Response
from msgspec.structs import asdict
from pydantic import Field

from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.jobs import CatalogEntry
from lycosa.app.jobs.feed import Listed
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import check_remote
from lycosa.app.requests.search import YES_OR_NO, PagesRequest
from lycosa.face.server.answer_models import answer_model, answered
from lycosa.face.server.dependencies import Name, TheJobs
from lycosa.face.server.problems import problems
from lycosa.face.server.request_models import FormerNamesRoute, FromFields, from_query
from lycosa.face.server.strict import Payload

Status = answer_model(HuntStatus)
router = APIRouter(tags=["hunts"], route_class=FormerNamesRoute)


class More(Payload):
    """An addition to a hunt's budget."""

    pages: int = Field(0, ge=0, le=10_000_000)
    bytes: int = Field(0, ge=0, le=2**50)
    seconds: float = Field(0.0, ge=0, le=10**9)


@router.get("/hunts")
def list_hunts(jobs: TheJobs) -> list[CatalogEntry]:
    """Everything there is: hunts, other collections, communities and laboratory results."""
    return jobs.entries()


@router.post("/hunts", status_code=201, response_model=Status, responses=problems(409))
def start(jobs: TheJobs, request: Annotated[HuntRequest, FromFields(), Body()]) -> Response:
    """Start a hunt."""
    return _status(jobs, jobs.start(request), 201)


@router.get("/hunts/{name}", response_model=Status)
def status(jobs: TheJobs, name: Name) -> Response:
    """The state of a hunt."""
    return _status(jobs, name)


@router.post("/hunts/{name}/pause", response_model=Status, responses=problems(409))
def pause(jobs: TheJobs, name: Name) -> Response:
    """Pause a hunt; fetches in progress may still complete."""
    jobs.pause(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/resume", response_model=Status, responses=problems(409))
def resume(jobs: TheJobs, name: Name) -> Response:
    """Resume a hunt that is not running."""
    jobs.resume(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/stop", response_model=Status, responses=problems(409))
def stop(jobs: TheJobs, name: Name) -> Response:
    """Stop a hunt for good; it can still be resumed."""
    jobs.stop(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/extend", response_model=Status, responses=problems(409))
def extend(jobs: TheJobs, name: Name, more: More) -> Response:
    """Add to a hunt's budget, and continue it unless it is paused."""
    jobs.extend(name, pages=more.pages, bytes=more.bytes, seconds=more.seconds)
    return _status(jobs, name)


@router.get("/hunts/{name}/pages")
def pages(jobs: TheJobs, name: Name, request: Annotated[PagesRequest, Depends(from_query(PagesRequest))]) -> Listed:
    """Pages of a hunt, best or latest first."""
    check_remote(request)
    options = asdict(request)
    judged = YES_OR_NO.get(options.pop("judged"))
    return jobs.pages(name, judged=judged, **options)


def _status(jobs: TheJobs, name: str, code: int = 200) -> Response:
    return answered(jobs.status(name), code)
